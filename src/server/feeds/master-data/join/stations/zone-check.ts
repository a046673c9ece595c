import type { LocalDate, UtcMinute } from '#domain/time/dates.ts';
import { localDate, MINUTES_A_DAY } from '#domain/time/dates.ts';
import { isZone, listOffsetDifferences, type OffsetDifference } from '#domain/time/zones.ts';
import type { ZoneBoundaries } from '#feeds/master-data/boundaries/zone-boundaries.ts';
import type { Station } from '#feeds/master-data/sources/station.ts';

/** Near a border, both zones count: positions in the lists and the boundaries are off by up to a kilometre each. */
export const BORDER_METRES = 2000;
const METRES_A_DEGREE = 111_000;
/** Past flights are loaded too; before this year, most places have zones whose past no schedule needs. */
const COMPARED_FROM = localDate('2010-01-01');
const COMPARED_TO = localDate('2036-01-01');

type OptionalPosition = Pick<Station, 'latitude' | 'longitude'>;

export type ZoneCheck = {
  /** Lists the zones at a position that the runtime knows: several where the time is disputed, none without a position on land. */
  readonly listZones: (position: OptionalPosition) => readonly string[];
  /** Lists the zones within the border distance of a position. */
  readonly listZonesNear: (position: OptionalPosition) => readonly string[];
  /** Returns whether the clocks of two zones agree from 2010 on. */
  readonly haveSameTime: (one: string, other: string) => boolean;
  /** Returns the largest difference of two zones that lasts for a day or longer, since the day of the boundaries, minutes. */
  readonly computeDifference: (one: string, other: string) => number;
};

const startOfDay = (date: LocalDate): UtcMinute => (date * MINUTES_A_DAY) as UtcMinute;

const directions = [-1, 0, 1].flatMap((north) => [-1, 0, 1].map((east) => [north, east] as const));

/** Creates the check of time zones against positions. Comparisons are cached: a list has few pairs of zones. */
export const createZoneCheck = (boundaries: ZoneBoundaries): ZoneCheck => {
  const compared = new Map<string, readonly OffsetDifference[]>();
  const compare = (one: string, other: string): readonly OffsetDifference[] => {
    const key = `${one} ${other}`;
    const known = compared.get(key);
    if (known) return known;
    const span = { from: startOfDay(COMPARED_FROM), to: startOfDay(COMPARED_TO) };
    const differences = listOffsetDifferences(one, other, span);
    compared.set(key, differences);
    return differences;
  };
  const present = startOfDay(localDate(boundaries.date));
  /** Two zones of one country seldom change their clocks in the same hour. */
  const isLasting = (from: UtcMinute, to: UtcMinute): boolean => to > present && to - from >= MINUTES_A_DAY;
  const listZones = ({ latitude, longitude }: OptionalPosition): readonly string[] =>
    latitude === undefined || longitude === undefined
      ? []
      : boundaries.listZones({ latitude, longitude }).filter(isZone);
  return {
    listZones,
    listZonesNear: ({ latitude = Number.NaN, longitude = Number.NaN }) => {
      const north = BORDER_METRES / METRES_A_DEGREE;
      const east = north / Math.max(Math.cos((latitude * Math.PI) / 180), 0.01);
      const zones = directions.flatMap(([northward, eastward]) =>
        listZones({ latitude: latitude + northward * north, longitude: longitude + eastward * east }),
      );
      return [...new Set(zones)];
    },
    haveSameTime: (one, other) => compare(one, other).length === 0,
    computeDifference: (one, other) =>
      Math.max(0, ...compare(one, other).map(({ from, to, minutes }) => (isLasting(from, to) ? Math.abs(minutes) : 0))),
  };
};
