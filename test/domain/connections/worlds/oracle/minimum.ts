import type { MctDefaults, MctRecord, MctSide } from '../../../../../src/domain/connections/mct/mct-record.ts';
import type { Flight } from './flights.ts';
import { listRegions } from './regions.ts';
import type { Station } from './world.ts';

/** A flight where it connects. */
type End = {
  readonly flight: Flight;
  readonly terminal: string;
  readonly status: string;
  /** The other airport of the sector that touches the point, and the type flown on it. */
  readonly beyond: Station;
  readonly type: string;
};

export type Meeting = {
  readonly leg1: Flight;
  readonly leg2: Flight;
  /** Local day on which leg 1 arrives. */
  readonly day: number;
};

type Bodies = Readonly<Record<string, string>>;
type MctInput = { readonly records: readonly MctRecord[]; readonly defaults: MctDefaults; readonly bodies: Bodies };

export type Minimum = {
  readonly status: string;
  readonly minutes: number;
  /** Line of the record that sets it; undefined for a default. */
  readonly line: number | undefined;
  readonly isSuppressed: boolean;
};

const nth = <T>(list: readonly T[], index: number): T => {
  const station = list.at(index);
  if (station === undefined) throw new Error(`a flight has no sector ${index}`);
  return station;
};

const domesticOrNot = (filed: string, here: Station, beyond: Station): string => {
  if (filed !== '') return filed;
  return here.countryCode === beyond.countryCode && here.countryCode !== '' ? 'D' : 'I';
};

const arriving = (flight: Flight): End => ({
  flight,
  terminal: flight.arrivalTerminal,
  status: domesticOrNot(flight.arrivalStatus, nth(flight.stations, -1), nth(flight.stations, -2)),
  beyond: nth(flight.stations, -2),
  type: nth(flight.types, -1),
});

const departing = (flight: Flight): End => ({
  flight,
  terminal: flight.departureTerminal,
  status: domesticOrNot(flight.departureStatus, nth(flight.stations, 0), nth(flight.stations, 1)),
  beyond: nth(flight.stations, 1),
  type: nth(flight.types, 0),
});

const sideMatches = (side: MctSide, { flight, terminal, beyond, type }: End, bodies: Bodies): boolean => {
  if (side.isCodeshare && !flight.isMarketing) return false;
  const identity = side.isCodeshare ? flight : flight.operating;
  const wishes: readonly (readonly [string, readonly string[]])[] = [
    [side.carrier, [identity.carrier]],
    [side.operator, [flight.operating.carrier]],
    [side.terminal, [terminal]],
    [side.station, [beyond.iata]],
    [side.stateCode, [beyond.stateCode]],
    [side.countryCode, [beyond.countryCode]],
    [side.region, listRegions(beyond.countryCode)],
    [side.equipment, [type]],
    [side.body, [bodies[type] ?? '']],
  ];
  const { flightNumber } = side.isCodeshare && side.carrier !== '' ? flight : flight.operating;
  const { from, to } = side.flights ?? { from: 0, to: Infinity };
  return wishes.every(([wish, has]) => wish === '' || has.includes(wish)) && flightNumber >= from && flightNumber <= to;
};

const stationsFit = (record: MctRecord, arrival: string, departure: string): boolean =>
  arrival === departure
    ? [record.arrivalStation, record.departureStation].every((code) => code === '' || code === arrival)
    : record.arrivalStation === arrival && record.departureStation === departure;

const matches = (
  record: MctRecord,
  [arrival, departure]: readonly [End, End],
  { meeting, bodies }: { meeting: Meeting; bodies: Bodies },
): boolean => {
  const at = nth(meeting.leg1.stations, -1);
  return (
    record.status === arrival.status + departure.status &&
    stationsFit(record, at.iata, nth(meeting.leg2.stations, 0).iata) &&
    sideMatches(record.arrival, arrival, bodies) &&
    sideMatches(record.departure, departure, bodies) &&
    (record.from ?? -Infinity) <= meeting.day &&
    meeting.day <= (record.to ?? Infinity) &&
    (record.suppressionRegion === '' || listRegions(at.countryCode).includes(record.suppressionRegion)) &&
    (record.suppressionCountryCode === '' || record.suppressionCountryCode === at.countryCode) &&
    (record.suppressionStateCode === '' || record.suppressionStateCode === at.stateCode)
  );
};

const filled = (value: unknown): number => (value === '' || value === undefined || value === false ? 0 : 1);
/** Minus the length of a range; absent ranges are equal. */
const narrow = (range: MctSide['flights']): number => (range === undefined ? 0 : range.from - range.to);
const schengen = (region: string): number => Number(region === 'SCH');

/** The precedence of a record, the most significant criterion first. */
const weights = (record: MctRecord): readonly number[] => {
  const { arrival, departure } = record;
  const who = (side: MctSide): readonly unknown[] => [side.isCodeshare, side.carrier, side.operator];
  const bothFilled = [
    ...who(departure),
    ...who(arrival),
    departure.flights,
    arrival.flights,
    departure.terminal,
    arrival.terminal,
    departure.station,
    arrival.station,
    departure.stateCode,
    arrival.stateCode,
    departure.countryCode,
    arrival.countryCode,
    departure.region,
    arrival.region,
    departure.equipment,
    arrival.equipment,
    departure.body,
    arrival.body,
    record.from,
    record.to,
    record.departureStation,
    record.arrivalStation,
    record.suppressionStateCode,
    record.suppressionCountryCode,
    record.suppressionRegion,
  ].map(filled);
  return [
    ...bothFilled,
    narrow(departure.flights),
    narrow(arrival.flights),
    schengen(departure.region),
    schengen(arrival.region),
    schengen(record.suppressionRegion),
    record.line,
  ];
};

const isHeavier = (one: readonly number[], other: readonly number[]): boolean => {
  const index = one.findIndex((weight, position) => weight !== other[position]);
  return index >= 0 && (one[index] ?? 0) > (other[index] ?? 0);
};

const bestOf = (records: readonly MctRecord[]): MctRecord | undefined => {
  let best: MctRecord | undefined;
  for (const record of records) if (best === undefined || isHeavier(weights(record), weights(best))) best = record;
  return best;
};

/** The minimum of the file, or else of the defaults, for two flights that connect on a day. */
export const computeMinimum = (meeting: Meeting, { records, defaults, bodies }: MctInput): Minimum => {
  const ends = [arriving(meeting.leg1), departing(meeting.leg2)] as const;
  const applying = records.filter((record) => matches(record, ends, { meeting, bodies }));
  // A record that lifts a suppression may have a time.
  const time = bestOf(applying.filter(({ suppression, minutes }) => suppression !== 'Y' && minutes !== undefined));
  const suppression = bestOf(applying.filter((record) => record.suppression !== ''));
  const isChange = nth(meeting.leg1.stations, -1).iata !== nth(meeting.leg2.stations, 0).iata;
  const status = ends[0].status + ends[1].status;
  const byStatus: Readonly<Record<string, number>> = defaults;
  return {
    status,
    minutes: time?.minutes ?? (isChange ? defaults.interAirport : (byStatus[status] ?? Number.NaN)),
    line: time?.line,
    isSuppressed: suppression?.suppression === 'Y',
  };
};
