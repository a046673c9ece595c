import { toDesignatorKey } from '#domain/schedule/designators.ts';
import type { Company, Designator, ScheduleLeg, SegmentData } from '#domain/schedule/schedule.ts';
import { toDaySet, type DaySet, EVERY_DAY, listWeekdays, shiftDays } from '#domain/time/period.ts';
import { parseChoice, readCsvTable } from '#lib/csv-table.ts';

/** Parses `135` as Monday, Wednesday and Friday. */
export const parseDays = (text: string): DaySet =>
  toDaySet(...listWeekdays(EVERY_DAY).filter((day) => text.includes(String(day))));

/** Parses `HHMM` as minutes after midnight. */
const parseMinutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(2));

/** Facts of a leg that differ from those of its airline and aircraft type. */
type LegOverrides = Partial<ScheduleLeg>;

/** One planned leg: its times follow from the previous leg, the ground time and the block time. */
export type TimetableLeg = {
  readonly from: string;
  readonly to: string;
  readonly equipment: string;
  /** Minutes on the ground at `from` after the previous leg. */
  readonly groundMinutes?: number | undefined;
  /** Minutes from gate to gate, the same in every season. */
  readonly blockMinutes: number;
  /** Minutes between passenger and aircraft departure, and between aircraft and passenger arrival, for example by bus. */
  readonly passengerMinutes?: readonly [before: number, after: number] | undefined;
  /** The minimum connecting time status as filed: domestic, international or blank. */
  readonly mctStatus?: readonly [departure: 'D' | 'I' | '', arrival: 'D' | 'I' | ''] | undefined;
  readonly overrides?: LegOverrides | undefined;
};

/** A planned flight: one local departure time at the first station, the same all year. */
export type TimetableFlight = {
  readonly carrier: string;
  readonly flightNumber: number;
  readonly suffix: string;
  readonly serviceType: string;
  /** Local minutes after midnight. */
  readonly departs: number;
  readonly days: DaySet;
  readonly everyWeeks: 1 | 2;
  /** The part of the year, by the IATA seasons of the northern hemisphere. */
  readonly season: 'all year' | 'summer' | 'winter';
  /** For a flight that returns an aircraft to its base: the number of the flight that took it away. */
  readonly outboundNumber: number | undefined;
  /** Days from the departure of the aircraft from its base to this flight: a return flight of the next day has 1. */
  readonly rotationDay: number;
  /** The number of aircraft that fly an outbound flight and its return flight in turn; 0 for others and surface vehicles. */
  readonly aircraftCount: number;
  /** The number of this plan among the plans of one flight number, such as weekday and weekend times. */
  readonly variation: number;
  readonly variations: number;
  readonly legs: readonly [TimetableLeg, ...TimetableLeg[]];
  readonly elements: readonly SegmentData[];
};

const rotationRows = readCsvTable(
  new URL('data/rotations.csv', import.meta.url),
  'carrier,number,hub,destination,equipment,service_type,departs,days,season,returns,return_day,aircraft,block_minutes,return_block_minutes',
);

const rows = readCsvTable(
  new URL('data/special-flights.csv', import.meta.url),
  'flight,variation,variations,service_type,departs,days,every_weeks,outbound,return_day,aircraft',
);

const legs = readCsvTable(
  new URL('data/special-flight-legs.csv', import.meta.url),
  'flight,variation,from,to,equipment,ground_minutes,block_minutes,passenger_before,passenger_after,departure_mct,arrival_mct,traffic_restriction,joint_operator,configuration,crew,aircraft_owner,disclosure,for_sale',
);

const elements = readCsvTable(
  new URL('data/special-flight-elements.csv', import.meta.url),
  'flight,variation,dei,board,off,data',
);

const toRowKey = ({ flight, variation }: { readonly flight: string; readonly variation: string }): string =>
  `${flight}/${variation}`;
const legsByFlight = Map.groupBy(legs, toRowKey);
const elementsByFlight = Map.groupBy(elements, toRowKey);

/** The overrides of ferry, test and training flights. */
const notForSale: LegOverrides = {
  bookingClasses: '',
  meals: '',
  secureFlight: '',
  electronicTicketing: undefined,
  inFlightServices: [],
};

const toCompany = (code: string): Company => ({ code, name: '' });
const toMinutes = (text: string): number | undefined => (text === '' ? undefined : Number(text));

/** Returns the overrides of a cell, none for an empty cell. */
const whenFilled = (cell: string, overrides: LegOverrides): LegOverrides => (cell === '' ? {} : overrides);

const toOverrides = (row: (typeof legs)[number]): LegOverrides => ({
  ...whenFilled(row.traffic_restriction, { trafficRestrictions: row.traffic_restriction }),
  ...whenFilled(row.joint_operator, { jointOperators: [row.joint_operator] }),
  ...whenFilled(row.configuration, { configuration: row.configuration }),
  ...whenFilled(row.crew, { cockpitCrew: toCompany(row.crew), cabinCrew: toCompany(row.crew) }),
  ...whenFilled(row.aircraft_owner, { aircraftOwner: toCompany(row.aircraft_owner) }),
  ...whenFilled(row.disclosure, { disclosure: parseChoice(row.disclosure, ['', 'L', 'S', 'X', 'Z'] as const) }),
  ...(row.for_sale === 'no' ? notForSale : {}),
});

const toLeg = (row: (typeof legs)[number]): TimetableLeg => ({
  from: row.from,
  to: row.to,
  equipment: row.equipment,
  groundMinutes: toMinutes(row.ground_minutes),
  blockMinutes: Number(row.block_minutes),
  passengerMinutes: [Number(row.passenger_before), Number(row.passenger_after)],
  mctStatus: [parseChoice(row.departure_mct, ['D', 'I', '']), parseChoice(row.arrival_mct, ['D', 'I', ''])],
  overrides: toOverrides(row),
});

const toSpecialFlight = (row: (typeof rows)[number]): TimetableFlight => {
  const [carrier = '', flightNumber, suffix = ''] = row.flight.split(' ');
  const [first, ...others] = (legsByFlight.get(toRowKey(row)) ?? []).map(toLeg);
  if (!first) throw new RangeError(`the special flight ${row.flight} has no leg`);
  const stations = [first.from, first.to, ...others.map(({ to }) => to)];
  return {
    carrier,
    flightNumber: Number(flightNumber),
    suffix,
    serviceType: row.service_type,
    departs: parseMinutes(row.departs),
    days: parseDays(row.days),
    everyWeeks: row.every_weeks === '2' ? 2 : 1,
    season: 'all year',
    outboundNumber: toMinutes(row.outbound),
    rotationDay: Number(row.return_day),
    aircraftCount: Number(row.aircraft),
    variation: Number(row.variation),
    variations: Number(row.variations),
    legs: [first, ...others],
    elements: (elementsByFlight.get(toRowKey(row)) ?? []).map(({ dei, board, off, data }) => ({
      dei: Number(dei),
      boardStation: stations[Number(board)] ?? '',
      offStation: stations[Number(off)] ?? '',
      boardIndex: Number(board),
      offIndex: Number(off),
      data,
      line: 0,
    })),
  };
};

/** Returns the flights of a rotation from a hub and back. */
const toRotationFlights = (row: (typeof rotationRows)[number]): readonly TimetableFlight[] => {
  const { carrier, hub, destination, equipment } = row;
  const [flightNumber, rotationDay] = [Number(row.number), Number(row.return_day)];
  const days = row.days === '' ? EVERY_DAY : parseDays(row.days);
  const outbound: TimetableFlight = {
    carrier,
    flightNumber,
    suffix: '',
    serviceType: row.service_type || 'J',
    departs: parseMinutes(row.departs),
    days,
    everyWeeks: 1,
    season: row.season === '' ? 'all year' : parseChoice(row.season, ['summer', 'winter']),
    outboundNumber: undefined,
    rotationDay: 0,
    aircraftCount: Number(row.aircraft),
    variation: 1,
    variations: 1,
    legs: [{ from: hub, to: destination, equipment, blockMinutes: Number(row.block_minutes) }],
    elements: [],
  };
  return [
    outbound,
    {
      ...outbound,
      flightNumber: flightNumber + 1,
      departs: parseMinutes(row.returns),
      days: shiftDays(days, rotationDay),
      outboundNumber: flightNumber,
      rotationDay,
      aircraftCount: 0,
      legs: [{ from: destination, to: hub, equipment, blockMinutes: Number(row.return_block_minutes) }],
    },
  ];
};

/** All flights of the demo world; the special flights, which each show one feature of SSIM schedules, come last. */
export const timetable: readonly TimetableFlight[] = [
  ...rotationRows.flatMap(toRotationFlights),
  ...rows.map(toSpecialFlight),
];

/** A flight within the flights of one aircraft from its base and back. */
type RotationFlight = {
  /** The number of the first aircraft of the rotation within the fleet of its airline. */
  readonly firstAircraft: number;
  /** The number of its aircraft, which alternate from day to day. Each has one spare aircraft. */
  readonly aircraftCount: number;
  /** Days since the departure of the outbound flight, and its number; 0 and undefined for the outbound flight itself. */
  readonly day: number;
  readonly outboundNumber: number | undefined;
  /** Whether the aircraft is at its base after this flight. */
  readonly isLast: boolean;
};

const buildRotations = (): ReadonlyMap<string, RotationFlight> => {
  const rotations = new Map<string, RotationFlight>();
  const fleetSizes = new Map<string, number>();
  for (const flight of timetable) {
    const { carrier, aircraftCount } = flight;
    const key = toDesignatorKey(flight);
    // The weekday and weekend plans of a flight have the same aircraft.
    if (aircraftCount === 0 || rotations.has(key)) continue;
    const firstAircraft = fleetSizes.get(carrier) ?? 0;
    fleetSizes.set(carrier, firstAircraft + 2 * aircraftCount);
    rotations.set(key, { firstAircraft, aircraftCount, day: 0, outboundNumber: undefined, isLast: true });
  }
  for (const flight of timetable) {
    const { outboundNumber, rotationDay: day } = flight;
    if (outboundNumber === undefined) continue;
    const key = toDesignatorKey({ ...flight, flightNumber: outboundNumber });
    const outbound = rotations.get(key);
    if (!outbound) throw new RangeError(`${toDesignatorKey(flight)} returns no aircraft`);
    rotations.set(key, { ...outbound, isLast: false });
    rotations.set(toDesignatorKey(flight), { ...outbound, day, outboundNumber, isLast: true });
  }
  return rotations;
};

const rotations = buildRotations();

/** Returns the rotation of a scheduled flight; undefined for a surface vehicle and a flight without schedule. */
export const findRotation = (designator: Designator): RotationFlight | undefined =>
  rotations.get(toDesignatorKey(designator));
