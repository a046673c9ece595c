import type { LocalDate } from '#domain/time/dates.ts';
import type { DaySet, Period } from '#domain/time/period.ts';
import type { ScheduleRecord, UtcTimes } from '#domain/schedule/schedule-records.ts';
import type { Designator } from '#domain/schedule/schedule.ts';
import type { ConnectingFlight, ConnectingRecord, ConnectionAirport } from '../flights/connecting-flight.ts';
import type { SetHeader } from './connection-set-data.ts';
import type { SetColumns } from './set-columns.ts';

/** The columns of a set and the header they refer to. */
export type SetContents = { readonly header: SetHeader; readonly columns: SetColumns };

const decodeStatus = (bits: number): 'D' | 'I' | '' => (bits === 1 ? 'D' : bits === 2 ? 'I' : '');

/** Flights share few restrictions and aircraft: each text is parsed once. */
const parseOnce = <T>(texts: readonly string[], read: (text: string) => T): ((number: number) => T) => {
  const cache: (T | undefined)[] = [];
  return (number) => (cache[number] ??= read(texts[number] ?? 'null'));
};
const readEquipment = (text: string): ConnectingFlight['equipment'] => {
  const equipment: ConnectingFlight['equipment'] = JSON.parse(text);
  return equipment;
};
const readRestrictions = (text: string): ConnectingFlight['restrictions'] => {
  const restrictions: ConnectingFlight['restrictions'] = JSON.parse(text);
  return restrictions;
};

const unknownAirport: ConnectionAirport = {
  iata: '',
  cityCode: '',
  countryCode: '',
  stateCode: '',
  latitude: undefined,
  longitude: undefined,
};

/** Creates a reader that returns flights and records of a set by number, equal to those it was built from. */
export const createFlightReader = ({ header, columns }: SetContents) => {
  const equipmentOf = parseOnce(header.equipment, readEquipment);
  const restrictionsOf = parseOnce(header.restrictions, readRestrictions);
  const airportOf = (number: number | undefined): ConnectionAirport => header.airports[number ?? -1] ?? unknownAirport;
  const designator = (carrier: number, number: number, suffix: number): Designator => ({
    carrier: header.carriers[carrier] ?? '',
    flightNumber: number,
    suffix: header.suffixes[suffix] ?? '',
  });
  const flightAt = (record: number): ConnectingFlight => {
    const at = (column: keyof SetColumns): number => columns[column][record] ?? 0;
    const [board, next, ...further] = header.routes[at('recordRoute')] ?? [];
    const flags = at('recordFlags');
    return {
      ...designator(at('recordCarrier'), at('recordNumber'), at('recordSuffix')),
      operating: designator(at('recordOperatingCarrier'), at('recordOperatingNumber'), at('recordOperatingSuffix')),
      operatingCarrier: header.carriers[at('recordOperator')] ?? '',
      isMarketing: (flags & 1) === 1,
      airports: [airportOf(board), airportOf(next), ...further.map(airportOf)],
      equipment: equipmentOf(at('recordEquipment')),
      serviceType: String.fromCharCode(at('recordServiceType')),
      departureTerminal: header.terminals[at('recordDepartureTerminal')] ?? '',
      arrivalTerminal: header.terminals[at('recordArrivalTerminal')] ?? '',
      departureStatus: decodeStatus((flags >> 1) & 3),
      arrivalStatus: decodeStatus((flags >> 3) & 3),
      restrictions: restrictionsOf(at('recordRestrictions')),
    };
  };
  const periodOf = (number: number): Period => ({
    from: (columns.periodFrom[number] ?? 0) as LocalDate,
    to: (columns.periodTo[number] ?? 0) as LocalDate,
    days: (columns.periodDays[number] ?? 0) as DaySet,
    everyWeeks: columns.periodWeeks[number] === 2 ? 2 : 1,
  });
  const timesOf = (unit: number): UtcTimes & { readonly from: LocalDate } => ({
    from: (columns.unitFrom[unit] ?? 0) as LocalDate,
    departureUtcMinutes: columns.unitDeparture[unit] ?? 0,
    arrivalUtcMinutes: columns.unitArrival[unit] ?? 0,
  });
  const unitsOf = (record: number): readonly number[] => [
    ...columns.unitsOfRecord.subarray(columns.recordUnits[record] ?? 0, columns.recordUnits[record + 1] ?? 0),
  ];
  /** The times are those of the dates within the set. */
  const recordAt = (record: number): ConnectingRecord => {
    const [first, ...later] = unitsOf(record)
      .map(timesOf)
      .toSorted((one, other) => one.from - other.from);
    const schedule: ScheduleRecord = {
      period: periodOf(columns.recordPeriod[record] ?? 0),
      departureLocalMinutes: columns.recordDeparture[record] ?? 0,
      arrivalLocalMinutes: columns.recordArrival[record] ?? 0,
      lastLegArrivalDays: columns.recordLastLegDays[record] ?? 0,
      departureUtcMinutes: first?.departureUtcMinutes ?? 0,
      arrivalUtcMinutes: first?.arrivalUtcMinutes ?? 0,
      clockChanges: later,
    };
    const isListed = ((columns.recordFlags[record] ?? 0) & 0b10_0000) !== 0;
    const fingerprint = isListed
      ? Buffer.from(columns.recordFingerprint.subarray(record * 32, record * 32 + 32)).toString('hex')
      : '';
    return { flight: flightAt(record), record: schedule, fingerprint };
  };
  return { flightAt, recordAt, unitsOf };
};

export type FlightReader = ReturnType<typeof createFlightReader>;
