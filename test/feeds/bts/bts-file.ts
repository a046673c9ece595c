import { localDate } from '../../../src/domain/time/dates.ts';
import { parseInstant, truncateToSecond, type UtcSecond } from '../../../src/domain/status/instants.ts';
import type { FlightReference, StatusMessage } from '../../../src/domain/status/message.ts';
import { readBtsRows } from '../../../src/feeds/bts/read-bts-rows.ts';
import type { ReportEntry } from '../../../src/feeds/load-report.ts';

/** Cells by column, in the order of the file. */
export type RowCells = Readonly<Record<string, string>>;

/** XX 12 of 10 March 2014, JFK 0800 to ORD 0930, departed 5 minutes late, arrived 20 minutes late. New York is UTC-4, Chicago UTC-5. */
const flownCells: RowCells = {
  CRSDepTime: '0800',
  DepTime: '0805',
  DepDelay: '5',
  TaxiOut: '15',
  WheelsOff: '0820',
  WheelsOn: '0940',
  TaxiIn: '10',
  CRSArrTime: '0930',
  ArrTime: '0950',
  ArrDelay: '20',
  Cancelled: '0',
  Diverted: '0',
  CRSElapsedTime: '150',
};

/** That flight in the layout with 31 upper-case columns. */
export const upperCaseCells: RowCells = {
  YEAR: '2014',
  MONTH: '3',
  DAY: '10',
  DAY_OF_WEEK: '1',
  AIRLINE: 'XX',
  FLIGHT_NUMBER: '12',
  TAIL_NUMBER: 'N101XX',
  ORIGIN_AIRPORT: 'JFK',
  DESTINATION_AIRPORT: 'ORD',
  SCHEDULED_DEPARTURE: '0800',
  DEPARTURE_TIME: '0805',
  DEPARTURE_DELAY: '5',
  TAXI_OUT: '15',
  WHEELS_OFF: '0820',
  SCHEDULED_TIME: '150',
  ELAPSED_TIME: '165',
  AIR_TIME: '140',
  DISTANCE: '740',
  WHEELS_ON: '0940',
  TAXI_IN: '10',
  SCHEDULED_ARRIVAL: '0930',
  ARRIVAL_TIME: '0950',
  ARRIVAL_DELAY: '20',
  DIVERTED: '0',
  CANCELLED: '0',
  CANCELLATION_REASON: '',
  AIR_SYSTEM_DELAY: '',
  SECURITY_DELAY: '',
  AIRLINE_DELAY: '',
  LATE_AIRCRAFT_DELAY: '',
  WEATHER_DELAY: '',
};

/** That flight in the layout with joined diversions. */
export const joinedCells: RowCells = {
  Year: '2014',
  Month: '3',
  DayofMonth: '10',
  UniqueCarrier: 'XX (1)',
  Carrier: 'XX',
  TailNum: 'N101XX',
  FlightNum: '12',
  Origin: 'JFK',
  OriginCityName: 'New York, NY',
  Dest: 'ORD',
  ...flownCells,
  DivReachedDest: '',
  DivActualElapsedTime: '',
  DivArrDelay: '',
  DivAirports: '',
  DivWheelsOns: '',
  DivWheelsOffs: '',
  DivTailNums: '',
};

/** That flight in the official columns by their present names; numbers have a fraction, texts have quotes. */
export const officialCells: RowCells = {
  Year: '2014',
  Month: '3',
  DayofMonth: '10',
  Reporting_Airline: 'XX',
  IATA_CODE_Reporting_Airline: 'XX',
  Tail_Number: 'N101XX',
  Flight_Number_Reporting_Airline: '12',
  Origin: 'JFK',
  OriginCityName: 'New York, NY',
  Dest: 'ORD',
  ...flownCells,
  DepDelay: '5.00',
  TaxiOut: '15.00',
  Cancelled: '0.00',
  DivReachedDest: '',
  DivActualElapsedTime: '',
  DivArrDelay: '',
  ...Object.fromEntries(
    [1, 2, 3, 4, 5].flatMap((number) =>
      ['Airport', 'WheelsOn', 'WheelsOff', 'TailNum'].map((name) => [`Div${number}${name}`, '']),
    ),
  ),
};

const quoted = (cell: string): string => (cell.includes(',') ? `"${cell}"` : cell);

/** Returns one line of cells; cells with a comma are quoted. */
export const formatCsvLine = (cells: readonly string[]): string => cells.map(quoted).join(',');

/** Builds a file of rows that differ from the flight of a layout in some cells. */
export const buildFile = (layout: RowCells, ...rows: readonly RowCells[]): string =>
  [
    formatCsvLine(Object.keys(layout)),
    ...rows.map((row) => formatCsvLine(Object.keys(layout).map((name) => row[name] ?? layout[name] ?? ''))),
    '',
  ].join('\n');

const zones: ReadonlyMap<string, string> = new Map([
  ['JFK', 'America/New_York'],
  ['BOS', 'America/New_York'],
  ['CLE', 'America/New_York'],
  ['ORD', 'America/Chicago'],
  ['STL', 'America/Chicago'],
  ['PHX', 'America/Phoenix'],
]);

export type LoadedFile = { readonly messages: readonly StatusMessage[]; readonly entries: readonly ReportEntry[] };

/** Reads a file given as text, in chunks of an odd size. */
export const readFileText = async (text: string): Promise<LoadedFile> => {
  const bytes = Buffer.from(text);
  const pieces = async function* () {
    for (let start = 0; start < bytes.length; start += 777) yield bytes.subarray(start, start + 777);
  };
  const messages: StatusMessage[] = [];
  const entries: ReportEntry[] = [];
  for await (const item of readBtsRows(pieces(), { findZone: (iata) => zones.get(iata) })) {
    if ('message' in item) messages.push(item.message);
    else entries.push(item.entry);
  }
  return { messages, entries };
};

/** Returns the second of `2014-03-10T13:05Z`. */
export const toSecond = (text: string): UtcSecond => {
  const instant = parseInstant(text);
  if (instant === undefined) throw new RangeError(`not an instant: '${text}'`);
  return truncateToSecond(instant);
};

/** Builds the reference of XX 12, by default JFK to ORD on 10 March 2014. */
export const buildReference = (changes: { suffix?: string; date?: string; from?: string } = {}): FlightReference => ({
  by: 'designator',
  carrier: 'XX',
  flightNumber: 12,
  suffix: changes.suffix ?? '',
  originDate: localDate(changes.date ?? '2014-03-10'),
  datedBy: 'departure',
  departureAirport: changes.from ?? 'JFK',
  arrivalAirport: 'ORD',
});

/** The message of the flight in all layouts. */
export const flownMessage: StatusMessage = {
  id: 'bts:2014-03-10:XX:12:JFK:ORD:0800',
  source: 'bts',
  observedAt: (toSecond('2014-03-10T14:50Z') * 1000) as StatusMessage['observedAt'],
  flight: buildReference(),
  facts: {
    actualOut: toSecond('2014-03-10T12:05Z'),
    actualOff: toSecond('2014-03-10T12:20Z'),
    actualOn: toSecond('2014-03-10T14:40Z'),
    actualIn: toSecond('2014-03-10T14:50Z'),
    registration: 'N101XX',
  },
  landings: [],
  plan: {
    flightType: 'Unscheduled',
    departureAirport: 'JFK',
    arrivalAirport: 'ORD',
    departsAt: toSecond('2014-03-10T12:00Z'),
    arrivesAt: toSecond('2014-03-10T14:30Z'),
    serviceType: 'J',
    aircraftType: { iata: '', icao: '' },
    recovers: undefined,
  },
};
