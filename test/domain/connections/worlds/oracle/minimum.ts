import type { MctDefaults, MctRecord, MctSide } from '#domain/connections/mct/mct-record.ts';
import type { Flight } from './flights.ts';
import type { Station } from './world.ts';

/** The regions of the countries of random worlds. */
const europe = 'GB EUR TC2,IE EUR TC2,FR EUR SCH TC2,DE EUR SCH TC2,NL EUR SCH TC2,MA EUR TC2,EG MDE TC2';
const others = 'US NOA TC1,CA NOA TC1,CL SOA TC1,SG SEA TC3,AU SWP TC3,NZ SWP TC3,WS SWP TC3,AS SWP TC3,KI SWP TC3';
const regions = new Map(
  `${europe},${others}`.split(',').map((text) => [text.slice(0, 2), text.slice(3).split(' ')] as const),
);

/** Returns the regions of a country; none for an unknown one. */
const listRegions = (countryCode: string): readonly string[] => regions.get(countryCode) ?? [];

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
  /** Line of the record that suppresses the connection. */
  readonly suppressedBy: number | undefined;
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

/** The arrival end of a flight counts from its last station, the departure end from its first. */
const endOf = (flight: Flight, isArrival: boolean): End => {
  const [here, beyond] = [nth(flight.stations, isArrival ? -1 : 0), nth(flight.stations, isArrival ? -2 : 1)];
  return {
    flight,
    terminal: isArrival ? flight.arrivalTerminal : flight.departureTerminal,
    status: domesticOrNot(isArrival ? flight.arrivalStatus : flight.departureStatus, here, beyond),
    beyond,
    type: nth(flight.types, isArrival ? -1 : 0),
  };
};

const sideMatches = (side: MctSide, { flight, terminal, beyond, type }: End, bodies: Bodies): boolean => {
  if (side.isCodeshare && !flight.isMarketing) return false;
  const wishes: readonly (readonly [string, readonly string[]])[] = [
    [side.carrier, [side.isCodeshare ? flight.carrier : flight.operatingCarrier]],
    [side.operator, [flight.operatingCarrier]],
    [side.terminal, [terminal]],
    [side.station, [beyond.iata]],
    [side.stateCode, [beyond.stateCode]],
    [side.countryCode, [beyond.countryCode]],
    [side.region, listRegions(beyond.countryCode)],
    [side.equipment, [type]],
    [side.body, [bodies[type] ?? '']],
  ];
  const number = side.isCodeshare && side.carrier !== '' ? flight.flightNumber : flight.operatingNumber;
  const isInRange = !side.flights || (number !== undefined && number >= side.flights.from && number <= side.flights.to);
  return isInRange && wishes.every(([wish, has]) => wish === '' || has.includes(wish));
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
  const places = ['flights', 'terminal', 'station', 'stateCode', 'countryCode', 'region', 'equipment', 'body'] as const;
  return [
    ...[departure, arrival].flatMap((side) => [side.isCodeshare, side.carrier, side.operator].map(filled)),
    ...places.flatMap((name) => [filled(departure[name]), filled(arrival[name])]),
    ...[record.from, record.to, record.departureStation, record.arrivalStation].map(filled),
    ...[record.suppressionStateCode, record.suppressionCountryCode, record.suppressionRegion].map(filled),
    narrow(departure.flights),
    narrow(arrival.flights),
    ...[departure.region, arrival.region, record.suppressionRegion].map(schengen),
    record.line,
  ];
};

const isHeavier = (one: readonly number[], other: readonly number[]): boolean => {
  const index = one.findIndex((weight, position) => weight !== other[position]);
  return index >= 0 && (one[index] ?? 0) > (other[index] ?? 0);
};

const bestOf = (records: readonly MctRecord[]): MctRecord | undefined =>
  records.reduce<MctRecord | undefined>(
    (best, record) => (best === undefined || isHeavier(weights(record), weights(best)) ? record : best),
    undefined,
  );

/** The minimum of the file, or else of the defaults, for two flights that connect on a day. */
export const computeMinimum = (meeting: Meeting, { records, defaults, bodies }: MctInput): Minimum => {
  const ends = [endOf(meeting.leg1, true), endOf(meeting.leg2, false)] as const;
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
    suppressedBy: suppression?.suppression === 'Y' ? suppression.line : undefined,
  };
};
