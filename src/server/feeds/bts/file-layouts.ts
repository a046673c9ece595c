import { FeedError } from '../feed-error.ts';

/** The fields of a row, except those of diversion landings. */
export type BtsField =
  | 'flightDate'
  | 'year'
  | 'month'
  | 'day'
  | 'carrier'
  | 'flightNumber'
  | 'registration'
  | 'origin'
  | 'destination'
  | 'scheduledDeparture'
  | 'scheduledArrival'
  | 'scheduledElapsed'
  | 'out'
  | 'departureDelay'
  | 'taxiOut'
  | 'off'
  | 'on'
  | 'taxiIn'
  | 'in'
  | 'arrivalDelay'
  | 'cancelled'
  | 'diverted'
  | 'diversionElapsed'
  | 'diversionArrivalDelay';

type StopField = 'airport' | 'wheelsOn' | 'wheelsOff' | 'registration';

/** A column of a file: its name and 0-based index, -1 when the file does not have it. */
export type FileColumn = { readonly name: string; readonly index: number };

/** Columns of landings at other airports than the destination. A cell has one landing, or several joined by `|`. */
export type StopColumns = Readonly<Record<StopField, FileColumn>>;

/** The columns of each field in one file. */
export type FileLayout = {
  /** Number of cells in a row. */
  readonly width: number;
  readonly columns: Readonly<Record<BtsField, FileColumn>>;
  readonly stops: readonly StopColumns[];
};

type LayoutDefinition = {
  /** Its name in messages. */
  readonly title: string;
  /** Names of the column in order of preference; none when the layout does not have the field. */
  readonly columns: Readonly<Record<BtsField, readonly string[]>>;
  /** Fields that a file may lack: it then has fewer facts. */
  readonly optional: ReadonlySet<BtsField>;
  /** A file has all columns of a group of landings, or none. */
  readonly stops: readonly Readonly<Record<StopField, string>>[];
};

const upperCaseLayout: LayoutDefinition = {
  title: 'upper-case',
  columns: {
    flightDate: [],
    year: ['YEAR'],
    month: ['MONTH'],
    day: ['DAY'],
    carrier: ['AIRLINE'],
    flightNumber: ['FLIGHT_NUMBER'],
    registration: ['TAIL_NUMBER'],
    origin: ['ORIGIN_AIRPORT'],
    destination: ['DESTINATION_AIRPORT'],
    scheduledDeparture: ['SCHEDULED_DEPARTURE'],
    scheduledArrival: ['SCHEDULED_ARRIVAL'],
    scheduledElapsed: ['SCHEDULED_TIME'],
    out: ['DEPARTURE_TIME'],
    departureDelay: ['DEPARTURE_DELAY'],
    taxiOut: ['TAXI_OUT'],
    off: ['WHEELS_OFF'],
    on: ['WHEELS_ON'],
    taxiIn: ['TAXI_IN'],
    in: ['ARRIVAL_TIME'],
    arrivalDelay: ['ARRIVAL_DELAY'],
    cancelled: ['CANCELLED'],
    diverted: ['DIVERTED'],
    diversionElapsed: [],
    diversionArrivalDelay: [],
  },
  optional: new Set(),
  stops: [],
};

const diversionFields = ['diversionElapsed', 'diversionArrivalDelay'] as const;

/** Some columns have had two names. The IATA code is preferred: the other airline code can contain a number in brackets. */
const officialColumns: LayoutDefinition['columns'] = {
  flightDate: [],
  year: ['Year'],
  month: ['Month'],
  day: ['DayofMonth'],
  carrier: ['IATA_CODE_Reporting_Airline', 'Carrier', 'Reporting_Airline', 'UniqueCarrier'],
  flightNumber: ['Flight_Number_Reporting_Airline', 'FlightNum'],
  registration: ['Tail_Number', 'TailNum'],
  origin: ['Origin'],
  destination: ['Dest'],
  scheduledDeparture: ['CRSDepTime'],
  scheduledArrival: ['CRSArrTime'],
  scheduledElapsed: ['CRSElapsedTime'],
  out: ['DepTime'],
  departureDelay: ['DepDelay'],
  taxiOut: ['TaxiOut'],
  off: ['WheelsOff'],
  on: ['WheelsOn'],
  taxiIn: ['TaxiIn'],
  in: ['ArrTime'],
  arrivalDelay: ['ArrDelay'],
  cancelled: ['Cancelled'],
  diverted: ['Diverted'],
  diversionElapsed: ['DivActualElapsedTime'],
  diversionArrivalDelay: ['DivArrDelay'],
};

/** Landings in joined columns, or in groups of columns by number, as the official files have both had. */
const officialLayout: LayoutDefinition = {
  title: 'official',
  columns: officialColumns,
  optional: new Set(diversionFields),
  stops: [
    { airport: 'DivAirports', wheelsOn: 'DivWheelsOns', wheelsOff: 'DivWheelsOffs', registration: 'DivTailNums' },
    ...[1, 2, 3, 4, 5].map((number) => ({
      airport: `Div${number}Airport`,
      wheelsOn: `Div${number}WheelsOn`,
      wheelsOff: `Div${number}WheelsOff`,
      registration: `Div${number}TailNum`,
    })),
  ],
};

/** The columns that the download form offers, of which a reader selects some. `OP_` is part of the names since 2018. */
const downloadLayout: LayoutDefinition = {
  title: 'download form',
  columns: {
    flightDate: ['FL_DATE'],
    year: ['YEAR'],
    month: ['MONTH'],
    day: ['DAY_OF_MONTH'],
    carrier: ['OP_CARRIER', 'CARRIER', 'OP_UNIQUE_CARRIER', 'UNIQUE_CARRIER'],
    flightNumber: ['OP_CARRIER_FL_NUM', 'FL_NUM'],
    registration: ['TAIL_NUM'],
    origin: ['ORIGIN'],
    destination: ['DEST'],
    scheduledDeparture: ['CRS_DEP_TIME'],
    scheduledArrival: ['CRS_ARR_TIME'],
    scheduledElapsed: ['CRS_ELAPSED_TIME'],
    out: ['DEP_TIME'],
    departureDelay: ['DEP_DELAY'],
    taxiOut: ['TAXI_OUT'],
    off: ['WHEELS_OFF'],
    on: ['WHEELS_ON'],
    taxiIn: ['TAXI_IN'],
    in: ['ARR_TIME'],
    arrivalDelay: ['ARR_DELAY'],
    cancelled: ['CANCELLED'],
    diverted: ['DIVERTED'],
    diversionElapsed: ['DIV_ACTUAL_ELAPSED_TIME'],
    diversionArrivalDelay: ['DIV_ARR_DELAY'],
  },
  // Times of day only confirm the delays. Before 1995 there were no registrations and taxi times.
  optional: new Set(['registration', 'out', 'taxiOut', 'off', 'on', 'taxiIn', 'in', ...diversionFields]),
  stops: [1, 2, 3, 4, 5].map((number) => ({
    airport: `DIV${number}_AIRPORT`,
    wheelsOn: `DIV${number}_WHEELS_ON`,
    wheelsOff: `DIV${number}_WHEELS_OFF`,
    registration: `DIV${number}_TAIL_NUM`,
  })),
};

const layoutDefinitions = [upperCaseLayout, officialLayout, downloadLayout] as const;

const dateParts: readonly BtsField[] = ['year', 'month', 'day'];

/** Whether a header has a column of the field. */
const hasField = ({ columns }: LayoutDefinition, field: BtsField, header: readonly string[]): boolean =>
  columns[field].some((name) => header.includes(name));

/** The groups of landings of which a header has columns. */
const listStops = ({ stops }: LayoutDefinition, header: readonly string[]) =>
  stops.filter((stop) => Object.values(stop).some((name) => header.includes(name)));

/** Returns the columns that a header lacks, and how many of the layout it has. */
const compareHeader = (definition: LayoutDefinition, header: readonly string[]) => {
  const { columns, optional } = definition;
  // The type of Object.keys does not keep the names.
  const fields = Object.keys(columns) as BtsField[];
  const hasDate =
    hasField(definition, 'flightDate', header) || dateParts.every((part) => hasField(definition, part, header));
  const required = fields.filter(
    (field) =>
      field !== 'flightDate' &&
      !optional.has(field) &&
      columns[field].length > 0 &&
      !(hasDate && dateParts.includes(field)),
  );
  const groups = listStops(definition, header).flatMap((stop) => Object.values(stop));
  return {
    missing: [
      ...required.filter((field) => !hasField(definition, field, header)).map((field) => columns[field].join(' or ')),
      ...groups.filter((name) => !header.includes(name)),
    ],
    present: fields.filter((field) => hasField(definition, field, header)).length,
  };
};

const createLayout = (definition: LayoutDefinition, header: readonly string[]): FileLayout => {
  const column = (names: readonly string[]): FileColumn => {
    const name = names.find((candidate) => header.includes(candidate)) ?? names[0] ?? '';
    return { name, index: header.indexOf(name) };
  };
  return {
    width: header.length,
    // The type of Object.fromEntries does not keep the keys.
    columns: Object.fromEntries(
      Object.entries(definition.columns).map(([field, names]) => [field, column(names)]),
    ) as Record<BtsField, FileColumn>,
    stops: listStops(definition, header).map(({ airport, wheelsOn, wheelsOff, registration }) => ({
      airport: column([airport]),
      wheelsOn: column([wheelsOn]),
      wheelsOff: column([wheelsOff]),
      registration: column([registration]),
    })),
  };
};

/**
 * Returns the layout of a header, in any order of columns. For an unknown header it throws a FeedError that names the missing columns of the layout
 * with which the header shares most names.
 */
export const findLayout = (header: readonly string[]): FileLayout => {
  const compared = layoutDefinitions.map((definition) => ({ definition, ...compareHeader(definition, header) }));
  const match = compared.find(({ missing }) => missing.length === 0);
  if (match) return createLayout(match.definition, header);
  const [closest] = compared.toSorted((a, b) => b.present - a.present || a.missing.length - b.missing.length);
  throw new FeedError(
    `The header does not match an on-time file. The closest layout is ${closest?.definition.title}; these columns are missing: ${closest?.missing.join(', ')}.`,
    { line: 1, value: header.join(',').slice(0, 80), reason: 'unknown-header' },
  );
};
