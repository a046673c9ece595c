import {
  addDays,
  buildLocalMinute,
  type LocalDate,
  MINUTES_A_DAY,
  toDate,
  type UtcMinute,
} from '#domain/time/dates.ts';
import { shiftPeriod } from '#domain/time/period.ts';
import { convertLocalToUtc, getUtcOffset } from '#domain/time/zones.ts';
import type { ZoneLookup } from '../instances.ts';
import type { Itinerary, ScheduleLeg, SegmentData, TimeMode } from '../schedule.ts';
import { listDates, toPeriods } from './date-sets.ts';

/** One routing of a flight with its dates. Legs ignore their own periods: `dates` are origin dates in the time mode of the legs. */
export type Variation = {
  readonly legs: Itinerary['legs'];
  readonly segmentData: readonly SegmentData[];
  readonly complete: boolean;
  /** Ascending. */
  readonly dates: readonly LocalDate[];
  /** The itinerary as filed, while nothing but its dates can have changed. */
  readonly source: Itinerary | undefined;
  /** The amendment that caused it; undefined for a schedule file. */
  readonly amendmentId: number | undefined;
};

/** What ASMs make of a flight on one date. */
export type AdHocChange = {
  /** Replaces the flights of the date; undefined leaves them as they are, and empty removes them. */
  readonly variations: readonly Variation[] | undefined;
  /** A cancelled flight stays in the schedule; its status is Canceled. True when a leg is cancelled. */
  readonly cancelled: boolean;
  /** The cancelled legs as `BKK-HKG`; undefined when all or none are cancelled. */
  readonly cancelledLegs?: readonly string[] | undefined;
  readonly amendmentId: number;
};

/** The schedule of one designator: periods by SSIM and SSM, and the changes of single dates over them by ASM. */
export type FlightSchedule = {
  readonly base: readonly Variation[];
  /** By the local date on which the flight leaves its first station, which all time modes share. */
  readonly adHoc: ReadonlyMap<LocalDate, AdHocChange>;
};

export const emptyFlightSchedule: FlightSchedule = { base: [], adHoc: new Map() };

const toOriginDates = ({ legs: [first] }: Itinerary): readonly LocalDate[] =>
  listDates([shiftPeriod(first.period, -first.departure.dateVariation)]);

/** Creates the state of a flight from its itineraries as filed. */
export const createFlightSchedule = (itineraries: readonly Itinerary[]): FlightSchedule => ({
  base: itineraries.map((source) => {
    const { legs, segmentData, complete } = source;
    return { legs, segmentData, complete, dates: toOriginDates(source), source, amendmentId: undefined };
  }),
  adHoc: new Map(),
});

/** The time mode in which dates are counted. */
export type DateClock = { readonly mode: TimeMode; readonly zoneOf: ZoneLookup };

/** Converts an origin date of a variation to another clock, by the aircraft departure of its first leg. */
const convertDate = ([first]: Itinerary['legs'], date: LocalDate, { mode, zoneOf }: DateClock): LocalDate => {
  if (first.timeMode === mode) return date;
  const { station, aircraftMinutes, dateVariation, utcVariationMinutes } = first.departure;
  const zone = zoneOf(station);
  const minute = buildLocalMinute(addDays(date, dateVariation), aircraftMinutes);
  if (mode === 'utc') {
    const utc =
      zone === undefined ? minute - utcVariationMinutes : convertLocalToUtc(zone, minute, utcVariationMinutes).utc;
    return addDays(toDate(utc as UtcMinute), -dateVariation);
  }
  const utc = Number(minute) as UtcMinute;
  const offset = zone === undefined ? utcVariationMinutes : getUtcOffset(zone, utc);
  return addDays(toDate((utc + offset) as UtcMinute), -dateVariation);
};

/** Returns the origin date of a variation in a time mode. */
export const toModeDate = (variation: Variation, date: LocalDate, clock: DateClock): LocalDate =>
  convertDate(variation.legs, date, clock);

/** Returns the key of an origin date for ad hoc changes: the local date. */
export const toAdHocKey = (variation: Pick<Variation, 'legs'>, date: LocalDate, zoneOf: ZoneLookup): LocalDate =>
  convertDate(variation.legs, date, { mode: 'local', zoneOf });

/** A flight on one date, and the key of its date. */
export type DatedVariation = { readonly variation: Variation; readonly date: LocalDate; readonly key: LocalDate };

/** Lists the flights of a state that leave on a date in a time mode, with ad hoc changes or as in the periods. */
export const listFlightsOn = (
  { base, adHoc }: FlightSchedule,
  day: LocalDate,
  clock: DateClock,
): readonly DatedVariation[] => {
  const fromBase = base.flatMap((variation) =>
    variation.dates
      .filter((date) => Math.abs(date - day) <= 1 && toModeDate(variation, date, clock) === day)
      .map((date) => ({ variation, date, key: toAdHocKey(variation, date, clock.zoneOf) }))
      .filter(({ key }) => adHoc.get(key)?.variations === undefined),
  );
  const changed = [...adHoc].flatMap(([key, { variations = [] }]) =>
    variations.flatMap((variation) =>
      variation.dates
        .filter((date) => toModeDate(variation, date, clock) === day)
        .map((date) => ({ variation, date, key })),
    ),
  );
  return [...fromBase, ...changed];
};

/** Lists the variations in force: the periods without the dates that ad hoc changes replace, and these changes. */
export const listVariationsInForce = ({ base, adHoc }: FlightSchedule, zoneOf: ZoneLookup): readonly Variation[] => {
  const replaced = new Set([...adHoc].flatMap(([key, { variations }]) => (variations === undefined ? [] : [key])));
  const remaining =
    replaced.size === 0
      ? base
      : base.map((variation) => {
          const dates = variation.dates.filter((date) => !replaced.has(toAdHocKey(variation, date, zoneOf)));
          return dates.length === variation.dates.length ? variation : { ...variation, dates };
        });
  return [...remaining, ...[...adHoc.values()].flatMap(({ variations = [] }) => variations)];
};

/** An itinerary in force and the amendment that caused it; undefined for a schedule file. */
export type AmendedItinerary = { readonly itinerary: Itinerary; readonly amendmentId: number | undefined };

/** Returns a text that is equal for itineraries with the same content; lines, variation numbers and periods do not count. */
export const formatContent = ({ legs, segmentData, complete }: Itinerary): string =>
  JSON.stringify([
    legs.map((leg) => ({ ...leg, period: undefined, line: 0, itinerary: 0 })),
    segmentData.map((data) => ({ ...data, line: 0 })),
    complete,
  ]);

const withPeriods = ({ legs, segmentData, complete, dates, amendmentId }: Variation): readonly AmendedItinerary[] =>
  toPeriods(dates).map((period) => {
    const [first, ...rest] = legs.map((leg) => ({
      ...leg,
      period: shiftPeriod(period, leg.departure.dateVariation),
    }));
    if (first === undefined) throw new Error('a variation has legs');
    return { itinerary: { legs: [first, ...rest], segmentData, complete }, amendmentId };
  });

/** Returns the itineraries in force. One whose dates did not change is the same object as filed. */
export const listItineraries = (state: FlightSchedule, zoneOf: ZoneLookup): readonly AmendedItinerary[] => {
  const intact: AmendedItinerary[] = [];
  const changed = new Map<string, Variation>();
  for (const variation of listVariationsInForce(state, zoneOf)) {
    const { source, dates, amendmentId } = variation;
    if (dates.length === 0) continue;
    if (source !== undefined && toOriginDates(source).length === dates.length) {
      intact.push({ itinerary: source, amendmentId });
      continue;
    }
    // The parts of one routing are joined again, unless it has two departures on a date.
    let content = `${amendmentId} ${formatContent(variation)}`;
    while (changed.get(content)?.dates.some((date) => dates.includes(date))) content += ' again';
    const joined = [...(changed.get(content)?.dates ?? []), ...dates].toSorted((a, b) => a - b);
    changed.set(content, { ...variation, dates: joined });
  }
  return [...intact, ...[...changed.values()].flatMap(withPeriods)];
};

/** Returns the local departure dates on which two schedules of a flight can differ, ascending. */
export const listChangedDays = (before: readonly Itinerary[], after: readonly Itinerary[]): readonly LocalDate[] => {
  const counts = new Map<string, { readonly itinerary: Itinerary; readonly date: LocalDate; count: number }>();
  const add = (itinerary: Itinerary, step: 1 | -1): void => {
    const content = formatContent(itinerary);
    for (const date of toOriginDates(itinerary)) {
      const key = `${date} ${content}`;
      const entry = counts.get(key) ?? { itinerary, date, count: 0 };
      entry.count += step;
      counts.set(key, entry);
    }
  };
  const [kept, known] = [new Set(after), new Set(before)];
  for (const itinerary of before) if (!kept.has(itinerary)) add(itinerary, -1);
  for (const itinerary of after) if (!known.has(itinerary)) add(itinerary, 1);
  const days = new Set<LocalDate>();
  for (const { itinerary, date, count } of counts.values()) {
    if (count === 0) continue;
    for (const { departure, timeMode } of itinerary.legs) {
      // A date in UTC, or of an aircraft on the other side of midnight than its passengers, differs by up to a day.
      const isSame = timeMode === 'local' && departure.passengerMinutes === departure.aircraftMinutes;
      for (const shift of isSame ? [0] : [-1, 0, 1]) days.add(addDays(date, departure.dateVariation + shift));
    }
  }
  return [...days].toSorted((a, b) => a - b);
};

/** Returns the UTC variation at a leg end on a date; undefined when the station has no known zone. */
export const findVariation = (
  { station, aircraftMinutes }: { readonly station: string; readonly aircraftMinutes: number },
  date: LocalDate,
  { mode, zoneOf }: DateClock,
): number | undefined => {
  const zone = zoneOf(station);
  if (zone === undefined) return undefined;
  const minute = buildLocalMinute(date, aircraftMinutes);
  // No zone has a variation of a day, so that the first pass of a repeated hour is taken.
  return mode === 'utc'
    ? getUtcOffset(zone, Number(minute) as UtcMinute)
    : convertLocalToUtc(zone, minute, MINUTES_A_DAY).offset;
};

/** Returns the minutes from departure to arrival of a leg by its variations. */
export const computeElapsed = ({ departure, arrival, timeMode }: ScheduleLeg): number => {
  const local = timeMode === 'local' ? 1 : 0;
  return (
    arrival.aircraftMinutes -
    local * arrival.utcVariationMinutes +
    arrival.dateVariation * MINUTES_A_DAY -
    (departure.aircraftMinutes - local * departure.utcVariationMinutes + departure.dateVariation * MINUTES_A_DAY)
  );
};
