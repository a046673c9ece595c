import { localDate } from '#domain/time/dates.ts';
import { parseInstant, truncateToSecond, type UtcSecond } from '#domain/status/instants.ts';
import type { FlightReference, StatusMessage } from '#domain/status/message.ts';
import { readBtsRows } from '#feeds/bts/read-bts-rows.ts';
import type { ReportEntry } from '#feeds/load-report.ts';
import { splitIntoChunks } from '../ssim/build-file.ts';

/** Cells by column, in the order of the file. */
export type RowCells = Readonly<Record<string, string>>;

/** Builds cells from names and values that are separated by blanks; `-` is an empty value. */
const parseCells = (names: string, values = ''): RowCells => {
  const texts = values.split(' ');
  return Object.fromEntries(names.split(' ').map((name, index) => [name, (texts[index] ?? '-').replace(/^-$/, '')]));
};

/** XX 12 of 10 March 2014, JFK 0800 to ORD 0930, departed 5 minutes late, arrived 20 minutes late. New York is UTC-4, Chicago UTC-5. */
const flownCells = parseCells(
  'CRSDepTime DepTime DepDelay TaxiOut WheelsOff WheelsOn TaxiIn CRSArrTime ArrTime ArrDelay Cancelled Diverted CRSElapsedTime',
  '0800 0805 5 15 0820 0940 10 0930 0950 20 0 0 150',
);

/** That flight in the layout with 31 upper-case columns. */
export const upperCaseCells: RowCells = {
  ...parseCells('YEAR MONTH DAY DAY_OF_WEEK AIRLINE FLIGHT_NUMBER TAIL_NUMBER', '2014 3 10 1 XX 12 N101XX'),
  ...parseCells('ORIGIN_AIRPORT DESTINATION_AIRPORT SCHEDULED_DEPARTURE DEPARTURE_TIME', 'JFK ORD 0800 0805'),
  ...parseCells('DEPARTURE_DELAY TAXI_OUT WHEELS_OFF SCHEDULED_TIME ELAPSED_TIME AIR_TIME', '5 15 0820 150 165 140'),
  ...parseCells('DISTANCE WHEELS_ON TAXI_IN SCHEDULED_ARRIVAL ARRIVAL_TIME ARRIVAL_DELAY', '740 0940 10 0930 0950 20'),
  ...parseCells('DIVERTED CANCELLED CANCELLATION_REASON AIR_SYSTEM_DELAY SECURITY_DELAY AIRLINE_DELAY', '0 0'),
  ...parseCells('LATE_AIRCRAFT_DELAY WEATHER_DELAY'),
};

export const joinedCells: RowCells = {
  ...parseCells('Year Month DayofMonth', '2014 3 10'),
  UniqueCarrier: 'XX (1)',
  ...parseCells('Carrier TailNum FlightNum Origin', 'XX N101XX 12 JFK'),
  OriginCityName: 'New York, NY',
  Dest: 'ORD',
  ...flownCells,
  ...parseCells('DivReachedDest DivActualElapsedTime DivArrDelay DivAirports DivWheelsOns DivWheelsOffs DivTailNums'),
};

/** That flight in the official columns by their present names; numbers have a fraction, texts have quotes. */
export const officialCells: RowCells = {
  ...parseCells('Year Month DayofMonth Reporting_Airline IATA_CODE_Reporting_Airline', '2014 3 10 XX XX'),
  ...parseCells('Tail_Number Flight_Number_Reporting_Airline Origin', 'N101XX 12 JFK'),
  OriginCityName: 'New York, NY',
  Dest: 'ORD',
  ...flownCells,
  ...parseCells('DepDelay TaxiOut Cancelled', '5.00 15.00 0.00'),
  ...parseCells('DivReachedDest DivActualElapsedTime DivArrDelay'),
  ...parseCells([1, 2, 3, 4, 5].map((n) => `Div${n}Airport Div${n}WheelsOn Div${n}WheelsOff Div${n}TailNum`).join(' ')),
};

/** That flight in the columns of the download form. */
export const downloadCells: RowCells = {
  ...parseCells('YEAR MONTH DAY_OF_MONTH', '2014 3 10'),
  FL_DATE: '3/10/2014 12:00:00 AM',
  ...parseCells('OP_UNIQUE_CARRIER OP_CARRIER TAIL_NUM OP_CARRIER_FL_NUM ORIGIN DEST', 'XX XX N101XX 12 JFK ORD'),
  ...parseCells(
    'CRS_DEP_TIME DEP_TIME DEP_DELAY TAXI_OUT WHEELS_OFF WHEELS_ON TAXI_IN',
    '0800 0805 5.00 15.00 0820 0940 10.00',
  ),
  ...parseCells(
    'CRS_ARR_TIME ARR_TIME ARR_DELAY CANCELLED CANCELLATION_CODE DIVERTED CRS_ELAPSED_TIME',
    '0930 0950 20.00 0.00 - 0.00 150.00',
  ),
};

/** The columns of that form about diversions. */
export const downloadDiversionCells: RowCells = {
  ...parseCells('DIV_AIRPORT_LANDINGS DIV_REACHED_DEST DIV_ACTUAL_ELAPSED_TIME DIV_ARR_DELAY'),
  ...parseCells(
    [1, 2, 3, 4, 5].map((n) => `DIV${n}_AIRPORT DIV${n}_WHEELS_ON DIV${n}_WHEELS_OFF DIV${n}_TAIL_NUM`).join(' '),
  ),
};

const quoted = (cell: string): string => (cell.includes(',') ? `"${cell}"` : cell);

/** Returns one line of cells; cells with a comma are quoted. */
export const formatCsvLine = (cells: readonly string[]): string => cells.map(quoted).join(',');

export const buildFile = (layout: RowCells, ...rows: readonly RowCells[]): string =>
  [
    formatCsvLine(Object.keys(layout)),
    ...rows.map((row) => formatCsvLine(Object.keys(layout).map((name) => row[name] ?? layout[name] ?? ''))),
    '',
  ].join('\n');

const zones: Readonly<Record<string, string>> = {
  JFK: 'America/New_York',
  BOS: 'America/New_York',
  CLE: 'America/New_York',
  ORD: 'America/Chicago',
  STL: 'America/Chicago',
  PHX: 'America/Phoenix',
};

export type LoadedFile = { readonly messages: readonly StatusMessage[]; readonly entries: readonly ReportEntry[] };

export const readFileText = async (text: string): Promise<LoadedFile> => {
  const pieces = splitIntoChunks(Buffer.from(text), 777);
  const messages: StatusMessage[] = [];
  const entries: ReportEntry[] = [];
  for await (const item of readBtsRows(pieces, { findZone: (iata) => zones[iata] })) {
    if ('message' in item) messages.push(item.message);
    else entries.push(item.entry);
  }
  return { messages, entries };
};

/** Returns the second of `2014-03-10T13:05Z`. */
export const toSecond = (text: string): UtcSecond => {
  const instant = parseInstant(text);
  if (instant === undefined) throw new RangeError(`invalid instant: '${text}'`);
  return truncateToSecond(instant);
};

/** Returns the second of a UTC time of 10 March 2014, or of another day of that month. */
export const at = (time: string, day = 10): UtcSecond => toSecond(`2014-03-${day}T${time}Z`);

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

const departure = { actualOut: at('12:05'), actualOff: at('12:20') };
export const flownMessage: StatusMessage = {
  id: 'bts:2014-03-10:XX:12:JFK:ORD:0800',
  source: 'bts',
  observedAt: (at('14:50') * 1000) as StatusMessage['observedAt'],
  flight: buildReference(),
  facts: { ...departure, actualOn: at('14:40'), actualIn: at('14:50'), registration: 'N101XX' },
  landings: [],
  plan: {
    flightType: 'Unscheduled',
    departureAirport: 'JFK',
    arrivalAirport: 'ORD',
    departsAt: at('12:00'),
    arrivesAt: at('14:30'),
    serviceType: 'J',
    aircraftType: { iata: '', icao: '' },
    recovers: undefined,
  },
};
