import type { LoadReport } from '#feeds/load-report.ts';
import { readCsvRows, type FeedFile } from '#feeds/text/csv-rows.ts';

/** A carrier in one source, for the time in which its codes and name stayed the same. Missing codes are ''. */
export type Airline = {
  /** The same for all rows of one company; '' when the source has none. */
  readonly company: string;
  readonly iata: string;
  readonly icao: string;
  readonly name: string;
  /** False when the source has it as ended or historical. */
  readonly isCurrent: boolean;
  /** Number of flights in some period, to compare carriers; 0 when unknown. */
  readonly flights: number;
  /** `YYYY-MM-DD`, '' when the day is unknown. */
  readonly startedOn: string;
  /** `YYYY-MM-DD`, '' when it has not ended or the day is unknown. */
  readonly endedOn: string;
  /** Its present alliance in the spelling of the source; '' when in none. */
  readonly alliance: string;
  /** IATA codes of the stations it is based at. */
  readonly bases: readonly string[];
  /** The source of its ICAO code, when not the list that has the row. */
  readonly icaoSource?: 'vrs-airlines' | 'own';
  /** True when the list has it as current and an override ended it. */
  readonly isEndOverridden?: boolean;
};

/** Returns an IATA airline designator, two characters with at least one letter; '' for other texts, such as codes of alliances. */
const parseIataCode = (code: string): string => (/^(?=.*[A-Z])[A-Z0-9]{2}$/.test(code) ? code : '');

/** Returns an ICAO airline designator, three letters; '' for other texts. */
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

/** Returns the dates of a row. Dates that end before they begin are ignored and reported. */
const parseDates = (line: number, values: Readonly<Record<AirlineColumn, string>>, report: LoadReport) => {
  const { validity_from: startedOn, validity_to: endedOn, name } = values;
  if (startedOn === '' || endedOn === '' || startedOn <= endedOn) return { startedOn, endedOn };
  const message = `${name} has an end date, ${endedOn}, before its start date, ${startedOn}; both dates were ignored.`;
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
  const message = `The alliance of ${name} is not an alliance name and was ignored.`;
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

/** Reads present and former carriers (optd_airlines.csv) without alliances and reservation systems. */
export const readAirlines = async (file: FeedFile, report: LoadReport): Promise<readonly Airline[]> => {
  const airlines: Airline[] = [];
  for await (const { line, values } of readCsvRows(file, { columns: airlineColumns, separator: '^', report })) {
    // Type G is a reservation system; the other letters are kinds of flight operation.
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

/** Reads an additional list of operators (vrs_airlines.csv), which has neither dates nor numbers of flights. */
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
