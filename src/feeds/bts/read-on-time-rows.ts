import type { StatusMessage } from '../../domain/status/message.ts';
import { FeedError } from '../feed-error.ts';
import type { ReportEntry } from '../load-report.ts';
import { readLineBatches } from '../text/lines.ts';
import { type RowFieldErrorOptions, RowFieldError, parseRow } from './on-time-row.ts';
import { computeGateTimes, addMinutes, listClockMismatches } from './gate-times.ts';
import { computeLandings, assertEventOrder, computeTouchdown } from './diversion-landings.ts';
import { findLayout, type FileColumn, type FileLayout } from './file-layouts.ts';
import { splitCsvLine } from '../text/csv-line.ts';
import { toStatusMessages } from './to-status-messages.ts';

export type OnTimeOptions = {
  /** The IANA time zone of an airport by its IATA code, or undefined when nobody knows it. */
  readonly findZone: (iata: string) => string | undefined;
};

/** What a row gave; `line` is 1-based. */
export type OnTimeItem =
  | { readonly line: number; readonly message: StatusMessage }
  | { readonly line: number; readonly entry: ReportEntry };

type RowText = { readonly line: number; readonly text: string };

const toQuarantineItem = (line: number, fault: RowFieldErrorOptions): OnTimeItem => ({
  line,
  entry: { severity: 'quarantined', line, ...fault },
});

const splitRow = (text: string, { width }: FileLayout): readonly string[] => {
  const cells = splitCsvLine(text);
  if (cells?.length === width) return cells;
  throw new RowFieldError({
    field: 'row',
    value: text.slice(0, 80),
    reason: cells ? 'cells-of-row' : 'quotes-of-row',
    message: cells
      ? `The row has ${cells.length} cells where the header has ${width}.`
      : 'A quote in the row is not closed, or closed within its cell.',
  });
};

const getZone = (airport: string, { name }: FileColumn, { findZone: zoneOf }: OnTimeOptions): string => {
  const zone = zoneOf(airport);
  if (zone !== undefined) return zone;
  const message = 'The time zone of this airport is not known.';
  throw new RowFieldError({ field: name, value: airport, reason: 'zone-unknown', message });
};

const toItems = ({ line, text }: RowText, layout: FileLayout, context: OnTimeOptions): readonly OnTimeItem[] => {
  const { columns } = layout;
  const row = parseRow(splitRow(text, layout), layout);
  const zones = {
    origin: getZone(row.origin, columns.origin, context),
    destination: getZone(row.destination, columns.destination, context),
  };
  const stops = row.stops.map((stop) => ({ ...stop, zone: getZone(stop.airport, stop.columns.airport, context) }));
  const told = computeGateTimes(row, zones, layout);
  const landings = computeLandings(stops, { times: told, columns });
  const on = computeTouchdown(row, landings, { times: told, zones });
  const times = { ...told, on, in: told.in ?? addMinutes(on, row.taxiIn) };
  assertEventOrder(stops, landings, { times, zones, columns });
  return [
    ...toStatusMessages({ row, times, landings }).map((message) => ({ line, message })),
    ...listClockMismatches(row, { times, zones, columns }).map((fault) => ({
      line,
      entry: { severity: 'notice' as const, line, ...fault },
    })),
  ];
};

const readRow = (text: RowText, layout: FileLayout, context: OnTimeOptions): readonly OnTimeItem[] => {
  try {
    return toItems(text, layout, context);
  } catch (error) {
    if (error instanceof RowFieldError) return [toQuarantineItem(text.line, error.details)];
    throw error;
  }
};

/** A byte order mark in UTF-8, as the line reader shows bytes. */
const byteOrderMark = '\u00EF\u00BB\u00BF';

const readHeader = (text: string): FileLayout => {
  const cells = splitCsvLine(text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text) ?? [];
  return findLayout(cells.map((cell) => cell.trim()));
};

/**
 * Reads an on-time performance file of the US Department of Transportation, decompressed, in one of three layouts that its
 * header tells: 31 upper-case columns, 77 columns with joined diversions, or the 109 official ones. A row gives one message,
 * two when another aircraft took its passengers on; a row that cannot be taken gives a quarantine entry, and reading goes on.
 * An unknown header, and a file without rows, is a FeedError.
 */
export async function* readOnTimeRows(
  bytes: AsyncIterable<Uint8Array>,
  context: OnTimeOptions,
): AsyncGenerator<OnTimeItem> {
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
      yield* readRow({ line: number, text }, layout, context);
    }
  }
  if (rows === 0) throw new FeedError('The file has no rows.', { reason: 'empty-file' });
}
