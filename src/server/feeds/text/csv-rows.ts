import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { FeedError } from '../feed-error.ts';
import type { LoadReport } from '../load-report.ts';

/** The decompressed bytes of a file, and its name for error messages. */
export type FeedFile = { readonly name: string; readonly bytes: AsyncIterable<Uint8Array> };

/** One row of a table: its line in the file, 1-based, and the requested columns by name, trimmed, '' when blank. */
export type CsvRow<Column extends string> = {
  readonly line: number;
  readonly values: Readonly<Record<Column, string>>;
};

type CsvOptions<Column extends string> = {
  readonly columns: readonly Column[];
  /** In files separated by `^`, quotes are ordinary characters. */
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
    const reason = error instanceof Error ? error.message : String(error);
    throw new FeedError(`${name} is not a valid CSV file: ${reason}`, { cause: error });
  } finally {
    source.destroy();
  }
}

/**
 * Reads the requested columns of a table with a header line, in any order. Throws a FeedError when a column is missing or there are
 * no rows. A row with another number of cells than the header is quarantined; rows that the publisher marked as TODO are skipped
 * and counted.
 */
export async function* readCsvRows<Column extends string>(
  file: FeedFile,
  { columns, separator, report }: CsvOptions<Column>,
): AsyncGenerator<CsvRow<Column>> {
  let header: readonly string[] | undefined;
  let rows = 0;
  let unfinished = 0;
  let indexes: readonly (readonly [Column, number])[] = [];
  for await (const { record, info } of parseCsv(file, separator)) {
    if (!header) {
      header = record;
      const missing = columns.filter((column) => !record.includes(column));
      if (missing.length > 0) throw new FeedError(`${file.name} has no column ${missing.join(', ')}`, { line: 1 });
      indexes = columns.map((column) => [column, record.indexOf(column)]);
      continue;
    }
    if (record[0]?.startsWith('TODO:')) {
      unfinished++;
      continue;
    }
    if (record.length !== header.length) {
      report.entries.push({
        severity: 'quarantined',
        line: info.lines,
        field: file.name,
        value: record.slice(0, 3).join(separator),
        reason: 'cells-of-row',
        message: `The row has ${record.length} cells, but the header of ${file.name} has ${header.length}.`,
      });
      continue;
    }
    const cells = indexes.map(([column, index]) => [column, record[index] ?? '']);
    rows++;
    // The type of Object.fromEntries does not keep the keys.
    yield { line: info.lines, values: Object.fromEntries(cells) as Record<Column, string> };
  }
  if (unfinished > 0) {
    const message = `${unfinished} rows of ${file.name} are marked as unfinished and were ignored.`;
    report.entries.push({
      severity: 'notice',
      field: file.name,
      value: String(unfinished),
      reason: 'unwritten-row',
      message,
    });
  }
  if (rows === 0) throw new FeedError(`${file.name} has no rows`, { reason: 'empty-file' });
}
