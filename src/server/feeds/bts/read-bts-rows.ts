import type { StatusMessage } from '#domain/status/message.ts';
import { FeedError } from '../feed-error.ts';
import type { ReportEntry } from '../load-report.ts';
import { readLineBatches } from '../text/lines.ts';
import { assertEventOrder, computeLandings, computeTouchdown } from './diversion-landings.ts';
import { type FileColumn, type FileLayout, findLayout } from './file-layouts.ts';
import { addMinutes, computeGateTimes, listClockMismatches } from './gate-times.ts';
import { parseRow, RowFieldError, type RowRemark } from './bts-row.ts';
import { toStatusMessages } from './to-status-messages.ts';

/**
 * Returns the cells of one comma-separated line without their quotes; undefined when a quoted cell does not end, or continues after
 * its closing quote. For files whose rows never span lines: a lost quote then invalidates one row, not the rest of the file.
 */
const splitCsvLine = (line: string): readonly string[] | undefined => {
  if (!line.includes('"')) return line.split(',');
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    if (line[at] === '"') {
      const cell = readQuotedCell(line, at);
      if (!cell) return undefined;
      cells.push(cell.text);
      at = cell.end;
    } else {
      const comma = line.indexOf(',', at);
      const end = comma === -1 ? line.length : comma;
      cells.push(line.slice(at, end));
      at = end;
    }
    if (at === line.length) return cells;
    if (line[at] !== ',') return undefined;
    at += 1;
  }
};

/** Returns the cell whose quote opens at `start`, and where it ends; two quotes within it are one. */
const readQuotedCell = (line: string, start: number): { readonly text: string; readonly end: number } | undefined => {
  let text = '';
  let from = start + 1;
  for (;;) {
    const quote = line.indexOf('"', from);
    if (quote === -1) return undefined;
    text += line.slice(from, quote);
    if (line[quote + 1] !== '"') return { text, end: quote + 1 };
    text += '"';
    from = quote + 2;
  }
};

export type BtsReaderOptions = {
  /** Returns the IANA time zone of an airport by its IATA code, undefined when unknown. */
  readonly findZone: (iata: string) => string | undefined;
};

/** A message or report entry of a row; `line` is 1-based. */
export type BtsItem =
  | { readonly line: number; readonly message: StatusMessage }
  | { readonly line: number; readonly entry: ReportEntry };

type RowText = { readonly line: number; readonly text: string };

const toQuarantineItem = (line: number, remark: RowRemark): BtsItem => ({
  line,
  entry: { severity: 'quarantined', line, ...remark },
});

const splitRow = (text: string, { width }: FileLayout): readonly string[] => {
  const cells = splitCsvLine(text);
  if (cells?.length === width) return cells;
  throw new RowFieldError({
    field: 'row',
    value: text.slice(0, 80),
    reason: cells ? 'cells-of-row' : 'quotes-of-row',
    message: cells
      ? `The row has ${cells.length} cells, but the header has ${width}.`
      : 'A quote in the row is not closed, or closes before the end of its cell.',
  });
};

const getZone = (airport: string, { name }: FileColumn, { findZone }: BtsReaderOptions): string => {
  const zone = findZone(airport);
  if (zone !== undefined) return zone;
  const message = 'The time zone of this airport is unknown; add the airport to the master data.';
  throw new RowFieldError({ field: name, value: airport, reason: 'zone-unknown', message });
};

const toItems = ({ line, text }: RowText, layout: FileLayout, options: BtsReaderOptions): readonly BtsItem[] => {
  const { columns } = layout;
  const row = parseRow(splitRow(text, layout), layout);
  const zones = {
    origin: getZone(row.origin, columns.origin, options),
    destination: getZone(row.destination, columns.destination, options),
  };
  const stops = row.stops.map((stop) => ({ ...stop, zone: getZone(stop.airport, stop.columns.airport, options) }));
  const gateTimes = computeGateTimes(row, zones, layout);
  const landings = computeLandings(stops, { times: gateTimes, columns });
  const on = computeTouchdown(row, landings, { times: gateTimes, zones });
  const times = { ...gateTimes, on, in: gateTimes.in ?? addMinutes(on, row.taxiIn) };
  assertEventOrder(stops, landings, { times, zones, columns });
  return [
    ...toStatusMessages({ row, times, landings }).map((message) => ({ line, message })),
    ...listClockMismatches(row, { times, zones, columns }).map((remark) => ({
      line,
      entry: { severity: 'notice' as const, line, ...remark },
    })),
  ];
};

const readRow = (text: RowText, layout: FileLayout, options: BtsReaderOptions): readonly BtsItem[] => {
  try {
    return toItems(text, layout, options);
  } catch (error) {
    if (error instanceof RowFieldError) return [toQuarantineItem(text.line, error.remark)];
    throw error;
  }
};

/** The byte order mark of UTF-8, decoded as latin1. */
const byteOrderMark = '\u00EF\u00BB\u00BF';

const readHeader = (text: string): FileLayout => {
  const cells = splitCsvLine(text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text) ?? [];
  return findLayout(cells.map((cell) => cell.trim()));
};

/**
 * Reads a decompressed on-time performance file of the US Department of Transportation. The header selects one of three layouts: 31
 * upper-case columns, the official ones with joined diversions (77) or numbered ones (109), or those of the download form. A row gives one message, or two when another
 * aircraft continued with its passengers; an invalid row gives a quarantine entry, and reading continues. Throws a FeedError for an
 * unknown header and for a file without rows.
 */
export async function* readBtsRows(
  bytes: AsyncIterable<Uint8Array>,
  options: BtsReaderOptions,
): AsyncGenerator<BtsItem> {
  let layout: FileLayout | undefined;
  let rows = 0;
  for await (const batch of readLineBatches(bytes)) {
    for (const { number, text } of batch) {
      if (text.trim() === '') continue;
      if (!layout) {
        layout = readHeader(text);
        continue;
      }
      rows += 1;
      yield* readRow({ line: number, text }, layout, options);
    }
  }
  if (rows === 0) throw new FeedError('The file has no rows.', { reason: 'empty-file' });
}
