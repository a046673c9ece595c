import { formatDate, type LocalDate } from '#domain/time/dates.ts';
import { drain } from '#lib/drain.ts';
import type { ConnectingRecord } from '../flights/connecting-flight.ts';
import type { ConnectionSetData, SetHeader } from './connection-set-data.ts';
import type { StoredCarrierRelations } from '../rules/carrier-relations.ts';
import { sortByPrecedence } from '../mct/mct-precedence.ts';
import type { MctDefaults, MctFile, MctRecord } from '../mct/mct-record.ts';
import { createMctTableInSteps } from '../mct/mct-table.ts';
import { createDayFrame, type DayFrame } from './day-masks.ts';
import { buildColumns } from './build-columns.ts';
import { RecordCollector } from './record-drafts.ts';
import { toBytes, columnNames, type CountColumns } from './set-columns.ts';

/** MCT records on one line of JSON: parsing a line takes some milliseconds when a set is read. */
const RECORDS_A_LINE = 500;

const formatMctLines = (records: readonly MctRecord[]): string => {
  const lines: string[] = [];
  for (let start = 0; start < records.length; start += RECORDS_A_LINE)
    lines.push(JSON.stringify(records.slice(start, start + RECORDS_A_LINE)));
  return lines.join('\n');
};

/** Connections are counted in the finished set (`createConnectionCounter`); without counts, a search counts them itself. */
const noCounts: CountColumns = {
  departureAirports: new Uint16Array(),
  departureCounts: new Uint32Array(),
  viaAirports: new Uint16Array(),
  viaCounts: new Uint32Array(),
  arrivalAirports: new Uint16Array(),
  arrivalCounts: new Uint32Array(),
};

export type ConnectionSetOptions = {
  readonly from: LocalDate;
  readonly days: number;
  readonly mct: MctFile;
  readonly defaults: MctDefaults;
  readonly cooperation: StoredCarrierRelations;
};

/** Returns the same set with counts of its connections. */
export const withCounts = ({ header, columns }: ConnectionSetData, counts: CountColumns): ConnectionSetData => ({
  header,
  columns: {
    ...columns,
    ...Object.fromEntries(Object.entries(counts).map(([name, column]) => [name, toBytes(column)])),
  },
});

/**
 * Builds the set of all connections whose leg 1 departs on a local date from `from` on, within `days` days. Pairs are not stored: a set consists of
 * the flights, sorted so that pairs are found, and of all facts the rules need. A record takes about 150 bytes.
 */
export class ConnectionSetBuilder {
  readonly #options: ConnectionSetOptions;
  readonly #frame: DayFrame;
  readonly #mctRecords: readonly MctRecord[];
  readonly #collector: RecordCollector;

  constructor(options: ConnectionSetOptions) {
    this.#options = options;
    this.#frame = createDayFrame(options.from, options.days);
    this.#mctRecords = sortByPrecedence(options.mct.records);
    this.#collector = new RecordCollector(
      this.#frame,
      drain(createMctTableInSteps(this.#mctRecords, options.defaults)),
    );
  }

  /** Adds a record. The order of flights is free, but the records of a flight must follow each other. */
  add(record: ConnectingRecord): void {
    this.#collector.add(record);
  }

  /** Returns the set as bytes; to be called once. */
  finish(): ConnectionSetData {
    const { from, days, defaults, cooperation } = this.#options;
    const { columns, airports, routes, texts } = buildColumns(this.#collector.drafts(), this.#frame.words);
    const header: SetHeader = { from: formatDate(from), days, airports, routes, ...texts, defaults, cooperation };
    const all = { ...columns, ...noCounts, mct: new TextEncoder().encode(formatMctLines(this.#mctRecords)) };
    return {
      header: JSON.stringify(header),
      columns: Object.fromEntries(columnNames.map((name) => [name, toBytes(all[name])])),
    };
  }
}
