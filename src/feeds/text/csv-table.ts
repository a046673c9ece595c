import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { FeedError } from '../feed-error.ts';
import type { LoadReport } from '../load-report.ts';

/** The bytes of one file, decompressed, and the name by which errors speak of it. */
export type FeedFile = { readonly name: string; readonly bytes: AsyncIterable<Uint8Array> };

/** One line of a table: its number in the file, 1-based, and the wanted columns by name, trimmed, '' when blank. */
export type CsvRow<Column extends string> = {
  readonly line: number;
  readonly values: Readonly<Record<Column, string>>;
};

type CsvOptions<Column extends string> = {
  readonly columns: readonly Column[];
  /** Files separated by `^` take quotes for ordinary characters. */
  readonly separator: ',' | '^';
  readonly report: LoadReport;
};

type ParsedRecord = { readonly record: readonly string[]; readonly info: { readonly lines: number } };

async function* parseCsv({ name, bytes }: FeedFile, separator: ',' | '^'): AsyncGenerator<ParsedRecord> {
  const parser = parse({
    delimiter: separator,
    quote: separator === ',' ? '"' : null,
    bom: true,
    info: true,
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
  });
  const source = Readable.from(bytes);
  source.on('error', (error) => parser.destroy(error));
  try {
    for await (const row of source.pipe(parser)) yield row;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new FeedError(`${name} cannot be read as a table: ${why}`, { cause: error });
  } finally {
    source.destroy();
  }
}

/**
 * Reads a table with a header line. Columns are found by their names in any order, others are ignored; a table without one
 * of the wanted columns, or without rows, is refused with a FeedError. A row with another number of cells than the header is
 * quarantined; rows that the makers of the file marked as still to be written are left out and counted.
 */
export async function* readCsvRows<Column extends string>(
  file: FeedFile,
  { columns, separator, report }: CsvOptions<Column>,
): AsyncGenerator<CsvRow<Column>> {
  let header: readonly string[] | undefined;
  let rows = 0;
  let unwritten = 0;
  let wanted: readonly (readonly [Column, number])[] = [];
  for await (const { record, info } of parseCsv(file, separator)) {
    if (!header) {
      header = record;
      const missing = columns.filter((column) => !record.includes(column));
      if (missing.length > 0) throw new FeedError(`${file.name} has no column ${missing.join(', ')}`, { line: 1 });
      wanted = columns.map((column) => [column, record.indexOf(column)]);
      continue;
    }
    if (record[0]?.startsWith('TODO:')) {
      unwritten++;
      continue;
    }
    if (record.length !== header.length) {
      report.entries.push({
        severity: 'quarantined',
        line: info.lines,
        field: file.name,
        value: record.slice(0, 3).join(separator),
        reason: 'cells-of-row',
        message: `The row has ${record.length} cells where the header of ${file.name} has ${header.length}.`,
      });
      continue;
    }
    const cells = wanted.map(([column, index]) => [column, record[index] ?? '']);
    rows++;
    // Object.fromEntries forgets the keys it was given.
    yield { line: info.lines, values: Object.fromEntries(cells) as Record<Column, string> };
  }
  if (unwritten > 0) {
    const message = `So many rows of ${file.name} are marked as still to be written and are left out.`;
    report.entries.push({
      severity: 'notice',
      field: file.name,
      value: String(unwritten),
      reason: 'unwritten-row',
      message,
    });
  }
  if (rows === 0) throw new FeedError(`${file.name} has no rows`, { reason: 'empty-file' });
}
