import type { StatusMessage } from '../../domain/status/message.ts';
import { FeedError } from '../feed-error.ts';
import type { ReportEntry } from '../load-report.ts';
import { lineBatches } from '../text/lines.ts';
import { type Fault, FieldError, readRow } from './on-time-row.ts';
import { gateTimesOf, later, strayClocks } from './gate-times.ts';
import { landingsOf, needOrder, touchdownOf } from './diversion-landings.ts';
import { layoutOf, type Column, type Layout } from './file-layouts.ts';
import { splitLine } from '../text/csv-line.ts';
import { tellRow } from './to-status-messages.ts';

export type OnTimeContext = {
  /** The IANA time zone of an airport by its IATA code, or undefined when nobody knows it. */
  readonly zoneOf: (iata: string) => string | undefined;
};

/** What a row gave; `line` is 1-based. */
export type OnTimeItem =
  | { readonly line: number; readonly message: StatusMessage }
  | { readonly line: number; readonly entry: ReportEntry };

type RowText = { readonly line: number; readonly text: string };

const refused = (line: number, fault: Fault): OnTimeItem => ({
  line,
  entry: { severity: 'quarantined', line, ...fault },
});

const cellsOf = (text: string, { width }: Layout): readonly string[] => {
  const cells = splitLine(text);
  if (cells?.length === width) return cells;
  throw new FieldError({
    field: 'row',
    value: text.slice(0, 80),
    reason: cells ? 'cells-of-row' : 'quotes-of-row',
    message: cells
      ? `The row has ${cells.length} cells where the header has ${width}.`
      : 'A quote in the row is not closed, or closed within its cell.',
  });
};

const needZone = (airport: string, { name }: Column, { zoneOf }: OnTimeContext): string => {
  const zone = zoneOf(airport);
  if (zone !== undefined) return zone;
  const message = 'The time zone of this airport is not known.';
  throw new FieldError({ field: name, value: airport, reason: 'zone-unknown', message });
};

const itemsOf = ({ line, text }: RowText, layout: Layout, context: OnTimeContext): readonly OnTimeItem[] => {
  const { columns } = layout;
  const row = readRow(cellsOf(text, layout), layout);
  const zones = {
    origin: needZone(row.origin, columns.origin, context),
    destination: needZone(row.destination, columns.destination, context),
  };
  const stops = row.stops.map((stop) => ({ ...stop, zone: needZone(stop.airport, stop.columns.airport, context) }));
  const told = gateTimesOf(row, zones, layout);
  const landings = landingsOf(stops, { times: told, columns });
  const on = touchdownOf(row, landings, { times: told, zones });
  const times = { ...told, on, in: told.in ?? later(on, row.taxiIn) };
  needOrder(stops, landings, { times, zones, columns });
  return [
    ...tellRow({ row, times, landings }).map((message) => ({ line, message })),
    ...strayClocks(row, { times, zones, columns }).map((fault) => ({
      line,
      entry: { severity: 'notice' as const, line, ...fault },
    })),
  ];
};

const readOrRefuse = (text: RowText, layout: Layout, context: OnTimeContext): readonly OnTimeItem[] => {
  try {
    return itemsOf(text, layout, context);
  } catch (error) {
    if (error instanceof FieldError) return [refused(text.line, error.fault)];
    throw error;
  }
};

/** A byte order mark in UTF-8, as the line reader shows bytes. */
const byteOrderMark = '\u00EF\u00BB\u00BF';

const readHeader = (text: string): Layout => {
  const cells = splitLine(text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text) ?? [];
  return layoutOf(cells.map((cell) => cell.trim()));
};

/**
 * Reads an on-time performance file of the US Department of Transportation, decompressed, in one of three layouts that its
 * header tells: 31 upper-case columns, 77 columns with joined diversions, or the 109 official ones. A row gives one message,
 * two when another aircraft took its passengers on; a row that cannot be taken gives a quarantine entry, and reading goes on.
 * An unknown header, and a file without rows, is a FeedError.
 */
export async function* readOnTimeRows(
  bytes: AsyncIterable<Uint8Array>,
  context: OnTimeContext,
): AsyncGenerator<OnTimeItem> {
  let layout: Layout | undefined;
  let rows = 0;
  for await (const batch of lineBatches(bytes)) {
    for (const { number, text } of batch) {
      if (text.trim() === '') continue;
      if (!layout) {
        layout = readHeader(text);
        continue;
      }
      rows += 1;
      yield* readOrRefuse({ line: number, text }, layout, context);
    }
  }
  if (rows === 0) throw new FeedError('The file has no rows.', { reason: 'empty-file' });
}
