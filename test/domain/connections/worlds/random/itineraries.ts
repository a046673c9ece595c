import type { LocalDate } from '#domain/time/dates.ts';
import { type DaySet, type Period, shiftPeriod } from '#domain/time/period.ts';
import type { Designator, Itinerary, LegEnd, ScheduleLeg } from '#domain/schedule/schedule.ts';
import type { SegmentData, TimeMode } from '#domain/schedule/schedule.ts';
import type { SeededRandom } from '#test/lib/seeded-random.ts';
import { sampleLeg } from '#test/domain/schedule/sample-leg.ts';
import { getOffset } from '../oracle/clock.ts';
import { findStation, equipmentTypes, restrictionCodes, serviceTypes, unknownStations } from './setting.ts';
import type { WorldSetting } from './setting.ts';

/** A departure or an arrival of a flight, UTC minutes since 1970-01-01. */
type Moment = { readonly station: string; readonly utc: number; readonly isArrival: boolean };

/** Stations in order; a flight calls at a hub, whose index among its stations selects the end that is timed. */
const routeOf = ({ codes, hubs, slowPercent, random }: WorldSetting) => {
  const length = random.chance(slowPercent) ? 4 : random.pick([2, 2, 2, 2, 3, 3, 4]);
  const hub = random.pick(hubs);
  const hubAt = random.chance(75) ? random.pick([0, length - 1]) : random.integer(0, length - 1);
  const route: string[] = [];
  for (let index = 0; index < length; index += 1) {
    const others = codes.filter((code) => code !== route.at(-1) && !(index === hubAt - 1 && code === hub));
    const elsewhere = random.chance(2) ? random.pick(unknownStations) : random.pick(others);
    route.push(index === hubAt ? hub : elsewhere);
  }
  return { route, hubAt };
};

const roundTo5 = (minute: number): number => Math.round(minute / 5) * 5;

/** The departures and arrivals of a flight in order, around the instant of the theme where it calls at a hub. */
const createMoments = (setting: WorldSetting): readonly Moment[] => {
  const { theme, slowPercent, random } = setting;
  const { route, hubAt } = routeOf(setting);
  const middle = theme.day * 1440 + theme.minute;
  const atHub =
    hubAt === 0 ? middle + random.integer(-60, random.pick([120, 300, 600])) : middle + random.integer(-200, 90);
  // Date variations have their maximum if a flight stays at its stops for days.
  const isSlow = random.chance(slowPercent);
  const moments: Moment[] = [];
  let clock = 0;
  for (const [index, station] of route.entries()) {
    if (index > 0) {
      clock += random.integer(8, 110) * 5;
      moments.push({ station, utc: clock, isArrival: true });
    }
    if (index === route.length - 1) continue;
    if (index > 0) clock += isSlow ? 1440 + random.integer(0, 400) * 5 : random.integer(6, 40) * 5;
    moments.push({ station, utc: clock, isArrival: false });
  }
  const timed = moments[hubAt === 0 ? 0 : 2 * hubAt - 1]?.utc ?? 0;
  return moments.map((moment) => ({ ...moment, utc: roundTo5(atHub) - timed + moment.utc }));
};

/** Typical errors of senders, minutes. */
const wrongBy = [60, -60, 30, 600];

const variationAt = ({ station, utc }: Moment): number => {
  const zone = findStation(station)?.zone;
  if (zone !== undefined) return getOffset(zone, utc);
  return station === 'QZX' ? 0 : 180;
};

/** Creates the leg ends of a flight as local clocks show them, with occasional errors; dates count from its first departure. */
const createLegEnds = (moments: readonly Moment[], mode: TimeMode, random: SeededRandom) => {
  const wrong = random.chance(10) ? random.pick(wrongBy) : 0;
  const filed = moments.map((moment) => {
    const variation = variationAt(moment) + (random.chance(50) ? wrong : 0);
    return { ...moment, variation, minute: mode === 'utc' ? moment.utc : moment.utc + variation };
  });
  const origin = Math.floor((filed[0]?.minute ?? 0) / 1440);
  const ends = filed.map(({ station, isArrival, variation, minute }): LegEnd => {
    // Midnight at the end of a day can be filed as 2400.
    const isLate = isArrival && minute % 1440 === 0 && random.chance(50);
    const day = Math.floor(minute / 1440) - (isLate ? 1 : 0);
    const aircraftMinutes = minute - day * 1440;
    const earlier = isLate ? 0 : random.pick([0, 0, 0, 0, 0, 0, 10, -15, 45]);
    return {
      station,
      aircraftMinutes,
      passengerMinutes: isLate ? 1440 : (aircraftMinutes - earlier + 1440) % 1440,
      utcVariationMinutes: variation,
      dateVariation: day - origin,
      terminal: random.pick(['', '', '1', '2', 'A']),
      mctStatus: random.chance(12) ? random.pick(['D', 'I'] as const) : '',
    };
  });
  return { origin, ends };
};

/** An element addressed to a pair of points of an itinerary: by station, by number, by both or not at all. */
const createSegmentDatum = (
  legs: Itinerary['legs'],
  { dei, data, random }: { dei: number; data: string; random: SeededRandom },
): SegmentData => {
  const [from, to] = [random.pick(legs), random.pick(legs)].toSorted((one, other) => one.sequence - other.sequence);
  if (!from || !to) throw new Error('a flight has a leg');
  const how = random.pick(['both', 'both', 'stations', 'numbers', 'open', 'board'] as const);
  const byStation = how === 'both' || how === 'stations';
  const byNumber = how === 'both' || how === 'numbers';
  return {
    dei,
    data,
    line: 0,
    boardStation: byStation || how === 'board' ? from.departure.station : '',
    offStation: byStation ? to.arrival.station : '',
    boardIndex: byNumber ? from.sequence - 1 : -1,
    offIndex: byNumber ? to.sequence : -1,
  };
};

const formatFlightReference = ({ carrier, flightNumber, suffix }: Designator): string =>
  `${carrier.padEnd(3)}${String(flightNumber).padStart(4, '0')}${suffix.padEnd(1)}`;

const createSegmentData = (
  legs: Itinerary['legs'],
  isRestricted: boolean,
  { carriers, random }: { readonly carriers: readonly string[]; readonly random: SeededRandom },
): readonly SegmentData[] => {
  const data: SegmentData[] = [];
  const maybe = (chances: number, dei: number, text: () => string): void => {
    if (random.chance(chances)) data.push(createSegmentDatum(legs, { dei, data: text(), random }));
  };
  const code = (): string => random.pick([...restrictionCodes]);
  if (isRestricted) {
    for (const dei of [8, 170, 171, 172, 173]) maybe(15, dei, code);
    for (const dei of [710, 711, 712]) maybe(20, dei, () => '');
  }
  maybe(3, 10, () => formatFlightReference({ carrier: random.pick(carriers), flightNumber: 7, suffix: '' }));
  maybe(6, 127, () => random.pick([`${random.pick(carriers)} /SOMEBODY`, random.pick(carriers), '/SOMEBODY']));
  maybe(10, 220, () => random.pick(['D', 'I', 'DI', 'ID', 'D/I', 'I/D', 'DD']));
  maybe(12, 121, () => random.pick(equipmentTypes));
  maybe(20, 198, () => random.pick(['1', '2', '0', 'A']));
  maybe(20, 199, () => random.pick(['1', '2', '0', 'A']));
  return data;
};

/** A designator and the index of one of its itineraries. */
type Variation = Designator & { readonly itinerary: number };

const periodOf = (origin: number, { maxDays: mostDays, random }: WorldSetting): Period => {
  const from = origin - random.integer(-5, Math.ceil(mostDays * 0.45));
  return {
    from: from as LocalDate,
    to: (from + (random.chance(50) ? random.pick([0, 1, 4, 8, 14]) : random.integer(0, mostDays))) as LocalDate,
    days: (random.chance(50) ? 127 : random.integer(1, 127)) as DaySet,
    everyWeeks: random.chance(15) ? 2 : 1,
  };
};

const restrictions = (random: SeededRandom): string =>
  random
    .times(3, () => (random.chance(45) ? random.pick([...restrictionCodes]) : ' '))
    .join('')
    .trimEnd();

/** Creates one itinerary of a designator: its times are near the instant of the theme where it calls at a hub. */
export const createItinerary = (variation: Variation, setting: WorldSetting): Itinerary => {
  const { carriers, random } = setting;
  const timeMode: TimeMode = random.chance(30) ? 'utc' : 'local';
  const { origin, ends } = createLegEnds(createMoments(setting), timeMode, random);
  const period = periodOf(origin, setting);
  const serviceType = random.pick([...serviceTypes]);
  const isRestricted = random.chance(30);
  const legs = ends.flatMap((departure, index): readonly ScheduleLeg[] => {
    const arrival = ends[index + 1];
    if (index % 2 === 1 || !arrival) return [];
    return [
      {
        ...sampleLeg,
        ...variation,
        sequence: index / 2 + 1,
        serviceType: random.chance(95) ? serviceType : random.pick([...serviceTypes]),
        timeMode,
        period: shiftPeriod(period, departure.dateVariation),
        departure,
        arrival,
        equipment: random.pick(equipmentTypes),
        aircraftOwner: { code: random.chance(50) ? '' : random.pick(carriers), name: '' },
        disclosure: random.chance(8) ? random.pick(['L', 'S', 'X', 'Z'] as const) : '',
        trafficRestrictions: isRestricted ? restrictions(random) : '',
      },
    ];
  });
  const [first, ...later] = legs;
  if (!first) throw new Error('a flight has a leg');
  const complete = later.length < 2 || random.chance(85);
  // An incomplete flight lacks a leg in the middle.
  const flown = [first, ...(complete ? later : later.slice(1))] as const;
  return { legs: flown, segmentData: createSegmentData(flown, isRestricted, setting), complete };
};

/** The same legs under a marketing designator, filed on each leg, on the whole flight or on some leg; or by the disclosure alone. */
export const createCodeshare = (operating: Itinerary, variation: Variation, { random }: WorldSetting): Itinerary => {
  const change = () => ({ ...variation, disclosure: random.chance(40) ? ('L' as const) : ('' as const) });
  const [first, ...later] = operating.legs.map((leg): ScheduleLeg => ({ ...leg, ...change() }));
  if (!first) throw new Error('a flight has a leg');
  const legs = [first, ...later] as const;
  const text = formatFlightReference(operating.legs[0]);
  const plain = (from: ScheduleLeg, to: ScheduleLeg): SegmentData => ({
    dei: 50,
    data: text,
    line: 0,
    boardStation: from.departure.station,
    offStation: to.arrival.station,
    boardIndex: from.sequence - 1,
    offIndex: to.sequence,
  });
  const references = random.chance(60)
    ? legs.map((leg) => plain(leg, leg))
    : random.chance(50)
      ? [plain(first, legs.at(-1) ?? first)]
      : random.chance(70)
        ? [createSegmentDatum(legs, { dei: 50, data: text, random })]
        : [];
  const kept = operating.segmentData.filter(() => random.chance(70));
  return { legs, segmentData: [...kept, ...references], complete: operating.complete };
};
