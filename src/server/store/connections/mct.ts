import {
  blankMctRecord,
  blankMctSide,
  type MctFile,
  type MctPartners,
  type MctRecord,
  type MctSide,
} from '#domain/connections/mct/mct-record.ts';
import { replaceConnectingTimeTerminals } from '../master-data/terminals.ts';
import { copyRows, copyText } from '../pool/driver/driver.ts';
import type { Sql } from '../pool/database.ts';

/** A record as it is stored: without blank members, which are most of them. */
type StoredRecord = Pick<MctRecord, 'line' | 'status'> &
  Partial<Omit<MctRecord, 'arrival' | 'departure'>> & {
    readonly arrival: Partial<MctSide>;
    readonly departure: Partial<MctSide>;
  };

const isSet = (value: unknown): boolean => value !== '' && value !== false && value !== undefined;

const formatRecord = (record: MctRecord): string =>
  JSON.stringify(record, (_, value: unknown) => (isSet(value) ? value : undefined));

const toMctRecord = ({ arrival, departure, ...rest }: StoredRecord): MctRecord => ({
  ...blankMctRecord,
  ...rest,
  arrival: { ...blankMctSide, ...arrival },
  departure: { ...blankMctSide, ...departure },
});

function* formatCopyLines<T extends { readonly line: number }>(
  items: readonly T[],
  doc: (item: T) => string,
): Generator<string> {
  for (const item of items) yield `${item.line}\t${copyText(doc(item))}`;
}

/** Lists the terminals that records name, each once. */
const listTerminals = (records: readonly MctRecord[]) => {
  const sides = records.flatMap(({ arrivalStation, arrival, departureStation, departure }) => [
    { station: arrivalStation, code: arrival.terminal },
    { station: departureStation, code: departure.terminal },
  ]);
  const named = sides.filter(({ station, code }) => station !== '' && code !== '');
  return [...new Map(named.map((terminal) => [`${terminal.station} ${terminal.code}`, terminal])).values()];
};

/**
 * Replaces the file of minimum connecting times, and the terminals that it names. `sql` must be a transaction: other replacements wait for its end, and readers see the old file
 * until then.
 */
export const replaceMctFile = async (sql: Sql, { records, partners }: MctFile): Promise<void> => {
  await sql`lock table mct_record in share row exclusive mode`;
  await sql`delete from mct_record`;
  await sql`delete from mct_partners`;
  await copyRows(sql, sql`copy mct_record (line, doc) from stdin`, formatCopyLines(records, formatRecord));
  await copyRows(
    sql,
    sql`copy mct_partners (line, doc) from stdin`,
    formatCopyLines(partners, (list) => JSON.stringify(list)),
  );
  await replaceConnectingTimeTerminals(sql, listTerminals(records));
};

const CURSOR_ROWS = 5000;

/**
 * Reads the file of minimum connecting times in force, in the order of its lines; empty when none was loaded. If another can be loaded meanwhile,
 * `sql` must be a transaction with a single snapshot. Measured: 160,000 records in 1.7 s, 70 MB, on two shared cores.
 */
export const readMctFile = async (sql: Sql): Promise<MctFile> => {
  const records: MctRecord[] = [];
  const pages = sql<{ doc: string }[]>`select doc from mct_record order by line`.cursor(CURSOR_ROWS);
  for await (const rows of pages)
    for (const { doc } of rows) {
      const stored: StoredRecord = JSON.parse(doc);
      records.push(toMctRecord(stored));
    }
  const lists = await sql<{ doc: string }[]>`select doc from mct_partners order by line`;
  const partners = lists.map(({ doc }) => {
    const list: MctPartners = JSON.parse(doc);
    return list;
  });
  return { records, partners };
};
