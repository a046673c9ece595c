import type { LoadReport } from '../../load-report.ts';
import { readCsvRows, type FeedFile } from '../../text/csv-table.ts';

/** A carrier as one source gives it, for as long as its codes and name stayed the same. Codes are '' where it has none. */
export type Airline = {
  /** The same for all rows about one company; '' where the source does not say. */
  readonly company: string;
  readonly iata: string;
  readonly icao: string;
  readonly name: string;
  /** False when the source says that it ended, or keeps it for history only. */
  readonly isCurrent: boolean;
  /** Flights of its network in some period, to compare carriers with; 0 when unknown. */
  readonly flights: number;
  /** `YYYY-MM-DD`, '' when the day is unknown. */
  readonly startedOn: string;
  /** `YYYY-MM-DD`, '' when it has not ended or the day is unknown. */
  readonly endedOn: string;
  /** The alliance it is in today, as the source writes it; '' when in none. */
  readonly alliance: string;
  /** IATA codes of the stations it is based at. */
  readonly bases: readonly string[];
  /** Where its ICAO code was taken from, when not from the list that has the row. */
  readonly icaoSource?: 'vrs-airlines' | 'own';
  /** True when the list has it as current, and the service's own list says that it ended. */
  readonly isEndOverridden?: boolean;
};

/** An IATA airline designator: two characters, a letter among them; '' for anything else, such as the codes of alliances. */
const parseIataCode = (code: string): string => (/^(?=.*[A-Z])[A-Z0-9]{2}$/.test(code) ? code : '');

/** An ICAO airline designator: three letters; '' for anything else. */
const parseIcaoCode = (code: string): string => (/^[A-Z]{3}$/.test(code) ? code : '');

const hasCode = ({ iata, icao }: Airline): boolean => iata !== '' || icao !== '';

const airlineColumns = [
  'key',
  'env_id',
  'validity_from',
  'validity_to',
  '3char_code',
  '2char_code',
  'name',
  'alliance_code',
  'type',
  'flt_freq',
  'bases',
] as const;
type AirlineColumn = (typeof airlineColumns)[number];

/** Dates that end before they begin tell nothing, but that it has ended. */
const parseDates = (line: number, values: Readonly<Record<AirlineColumn, string>>, report: LoadReport) => {
  const { validity_from: startedOn, validity_to: endedOn, name } = values;
  if (startedOn === '' || endedOn === '' || startedOn <= endedOn) return { startedOn, endedOn };
  const message = `${name} would have ended on ${endedOn}, before it began on ${startedOn}: neither is taken.`;
  report.entries.push({
    severity: 'corrected',
    line,
    field: 'validity_to',
    value: endedOn,
    reason: 'dates-out-of-order',
    message,
  });
  return { startedOn: '', endedOn: '' };
};

const parseAlliance = (
  line: number,
  { name, alliance_code: code }: Readonly<Record<AirlineColumn, string>>,
  report: LoadReport,
) => {
  if (!/\d/.test(code)) return code;
  const message = `The alliance of ${name} is not the name of one and is not taken.`;
  report.entries.push({
    severity: 'corrected',
    line,
    field: 'alliance_code',
    value: code,
    reason: 'not-an-alliance',
    message,
  });
  return '';
};

/** Reads the carriers of today and of the past (optd_airlines.csv); alliances and reservation systems are no carriers. */
export const readAirlines = async (file: FeedFile, report: LoadReport): Promise<readonly Airline[]> => {
  const airlines: Airline[] = [];
  for await (const { line, values } of readCsvRows(file, { columns: airlineColumns, separator: '^', report })) {
    // Type G is a reservation system; the other letters tell kinds of flying.
    if (values.type === 'G') continue;
    airlines.push({
      company: values.key,
      iata: parseIataCode(values['2char_code']),
      icao: parseIcaoCode(values['3char_code']),
      name: values.name,
      isCurrent: values.env_id === '' && values.validity_to === '',
      flights: Number(values.flt_freq) || 0,
      ...parseDates(line, values, report),
      alliance: parseAlliance(line, values, report),
      bases: values.bases.split('=').filter((base) => /^[A-Z]{3}$/.test(base)),
    });
  }
  return airlines.filter(hasCode);
};

/** Reads a further list of operators (vrs_airlines.csv), which tells neither dates nor sizes. */
export const readOperators = async (file: FeedFile, report: LoadReport): Promise<readonly Airline[]> => {
  const airlines: Airline[] = [];
  for await (const { values } of readCsvRows(file, { columns: ['Name', 'ICAO', 'IATA'], separator: ',', report })) {
    airlines.push({
      company: '',
      iata: parseIataCode(values.IATA),
      icao: parseIcaoCode(values.ICAO),
      name: values.Name,
      isCurrent: true,
      flights: 0,
      startedOn: '',
      endedOn: '',
      alliance: '',
      bases: [],
    });
  }
  return airlines.filter(hasCode);
};
