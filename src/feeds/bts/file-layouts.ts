import { FeedError } from '../feed-error.ts';

/** The fields of a row, except those of diversion landings. */
export type BtsField =
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

/** A column of a file: its name and 0-based index, -1 when the layout does not have it. */
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
  readonly stops: readonly Readonly<Record<StopField, string>>[];
};

const upperCaseLayout: LayoutDefinition = {
  title: 'upper-case',
  columns: {
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
  stops: [],
};

/** Some columns have had two names. The IATA code is preferred: the other airline code can contain a number in brackets. */
const officialColumns: LayoutDefinition['columns'] = {
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

const joinedLayout: LayoutDefinition = {
  title: '77-column',
  columns: officialColumns,
  stops: [
    { airport: 'DivAirports', wheelsOn: 'DivWheelsOns', wheelsOff: 'DivWheelsOffs', registration: 'DivTailNums' },
  ],
};

const numberedLayout: LayoutDefinition = {
  title: '109-column',
  columns: officialColumns,
  stops: [1, 2, 3, 4, 5].map((number) => ({
    airport: `Div${number}Airport`,
    wheelsOn: `Div${number}WheelsOn`,
    wheelsOff: `Div${number}WheelsOff`,
    registration: `Div${number}TailNum`,
  })),
};

const layoutDefinitions = [upperCaseLayout, joinedLayout, numberedLayout] as const;

const listMissingColumns = ({ columns, stops }: LayoutDefinition, header: readonly string[]): readonly string[] => [
  ...Object.values(columns)
    .filter((names) => names.length > 0 && !names.some((name) => header.includes(name)))
    .map((names) => names.join(' or ')),
  ...stops.flatMap((stop) => Object.values(stop)).filter((name) => !header.includes(name)),
];

const createLayout = ({ columns, stops }: LayoutDefinition, header: readonly string[]): FileLayout => {
  const column = (names: readonly string[]): FileColumn => {
    const name = names.find((candidate) => header.includes(candidate)) ?? names[0] ?? '';
    return { name, index: header.indexOf(name) };
  };
  return {
    width: header.length,
    // The type of Object.fromEntries does not keep the keys.
    columns: Object.fromEntries(Object.entries(columns).map(([field, names]) => [field, column(names)])) as Record<
      BtsField,
      FileColumn
    >,
    stops: stops.map(({ airport, wheelsOn, wheelsOff, registration }) => ({
      airport: column([airport]),
      wheelsOn: column([wheelsOn]),
      wheelsOff: column([wheelsOff]),
      registration: column([registration]),
    })),
  };
};

/** Returns the layout of a header, in any order of columns. Throws a FeedError that names the missing columns for an unknown header. */
export const findLayout = (header: readonly string[]): FileLayout => {
  let closest: { readonly title: string; readonly missing: readonly string[] } | undefined;
  for (const definition of layoutDefinitions) {
    const missing = listMissingColumns(definition, header);
    if (missing.length === 0) return createLayout(definition, header);
    if (!closest || missing.length < closest.missing.length) closest = { title: definition.title, missing };
  }
  throw new FeedError(
    `The header does not match an on-time file. The closest layout is ${closest?.title}; these columns are missing: ${closest?.missing.join(', ')}.`,
    { line: 1, value: header.join(',').slice(0, 80), reason: 'unknown-header' },
  );
};
