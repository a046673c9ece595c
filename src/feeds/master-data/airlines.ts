import type { LoadReport } from '../load-report.ts';
import { csvRows, type FeedFile } from './csv-rows.ts';

/** A carrier as one source gives it. Codes are '' where it has none. */
export type Airline = {
  readonly iata: string;
  readonly icao: string;
  readonly name: string;
  /** False when the source says that it ended, or keeps it for history only. */
  readonly current: boolean;
  /** Flights of its network in some period, to compare carriers with; 0 when unknown. */
  readonly flights: number;
  /** `YYYY-MM-DD`, '' when it has not ended or the day is unknown. */
  readonly endedOn: string;
};

/** An IATA airline designator: two characters, a letter among them; '' for anything else, such as the codes of alliances. */
const iataAirline = (code: string): string => (/^(?=.*[A-Z])[A-Z0-9]{2}$/.test(code) ? code : '');

/** An ICAO airline designator: three letters; '' for anything else. */
const icaoAirline = (code: string): string => (/^[A-Z]{3}$/.test(code) ? code : '');

const hasCode = ({ iata, icao }: Airline): boolean => iata !== '' || icao !== '';

const airlineColumns = ['env_id', 'validity_to', '3char_code', '2char_code', 'name', 'type', 'flt_freq'] as const;

/** Reads the carriers of today and of the past (optd_airlines.csv); alliances and reservation systems are no carriers. */
export const readAirlines = async (file: FeedFile, report: LoadReport): Promise<readonly Airline[]> => {
  const airlines: Airline[] = [];
  for await (const { values } of csvRows(file, { columns: airlineColumns, separator: '^', report })) {
    // Type G is a reservation system; the other letters tell kinds of flying.
    if (values.type === 'G') continue;
    airlines.push({
      iata: iataAirline(values['2char_code']),
      icao: icaoAirline(values['3char_code']),
      name: values.name,
      current: values.env_id === '' && values.validity_to === '',
      flights: Number(values.flt_freq) || 0,
      endedOn: values.validity_to,
    });
  }
  return airlines.filter(hasCode);
};

/** Reads a further list of operators (vrs_airlines.csv), which tells neither dates nor sizes. */
export const readOperators = async (file: FeedFile, report: LoadReport): Promise<readonly Airline[]> => {
  const airlines: Airline[] = [];
  for await (const { values } of csvRows(file, { columns: ['Name', 'ICAO', 'IATA'], separator: ',', report })) {
    const codes = { iata: iataAirline(values.IATA), icao: icaoAirline(values.ICAO) };
    airlines.push({ ...codes, name: values.Name, current: true, flights: 0, endedOn: '' });
  }
  return airlines.filter(hasCode);
};
