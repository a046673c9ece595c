import { formatDate, type LocalDate } from '../../time/dates.ts';
import { drain } from '../../../lib/drain.ts';
import type { ConnectingRecord } from '../flights/connecting-flight.ts';
import type { ConnectionSetData, SetHeader } from './connection-set-data.ts';
import type { Cooperation } from '../rules/cooperation.ts';
import { sortByPrecedence } from '../mct/mct-precedence.ts';
import type { MctDefaults, MctFile, MctRecord } from '../mct/mct-record.ts';
import { createMctTableInSteps } from '../mct/mct-table.ts';
import { createDayFrame } from './day-masks.ts';
import { buildColumns } from './build-columns.ts';
import { newDrafts } from './record-drafts.ts';
import { toBytes, columnNames } from './set-columns.ts';

/** So many records of minimum connecting times are read at a time when a set is opened: some milliseconds' worth. */
const RECORDS_A_LINE = 500;

const linesOf = (records: readonly MctRecord[]): string => {
  const lines: string[] = [];
  for (let start = 0; start < records.length; start += RECORDS_A_LINE)
    lines.push(JSON.stringify(records.slice(start, start + RECORDS_A_LINE)));
  return lines.join('\n');
};

/** Takes the flights that can connect, in any order but with the records of a flight one after the other, and makes a set of them. */
export type ConnectionSetBuilder = {
  /** A record without a date in the set is left out. */
  readonly add: (record: ConnectingRecord) => void;
  /** To be called once. */
  readonly finish: () => ConnectionSetData;
};

/**
 * Builds the set of all connections of which leg 1 departs on a local date from `from` on, within `days` days. Pairs are not stored: a
 * set is the flights, ordered so that pairs are found, with everything that the rules ask of them. A record takes about 150 bytes.
 */
export const newConnectionSetBuilder = ({
  from,
  days,
  mct,
  defaults,
  cooperation,
}: {
  readonly from: LocalDate;
  readonly days: number;
  readonly mct: MctFile;
  readonly defaults: MctDefaults;
  readonly cooperation: Cooperation;
}): ConnectionSetBuilder => {
  const frame = createDayFrame(from, days);
  const ranked = sortByPrecedence(mct.records);
  const { add, done } = newDrafts(frame, drain(createMctTableInSteps(ranked, defaults)));
  const finish = (): ConnectionSetData => {
    const { columns, airports, routes, texts } = buildColumns(done(), frame.words);
    const header: SetHeader = { from: formatDate(from), days, airports, routes, ...texts, defaults, cooperation };
    const all = { ...columns, mct: new TextEncoder().encode(linesOf(ranked)) };
    return {
      header: JSON.stringify(header),
      columns: Object.fromEntries(columnNames.map((name) => [name, toBytes(all[name])])),
    };
  };
  return { add, finish };
};
