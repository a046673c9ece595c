import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import { formatCsvLine } from '#lib/csv-line.ts';
import { flightColumns, type CellValue, type FlightColumn } from './flight-columns.ts';

/** Formats of a flight export. */
export const exportFormats = ['ndjson', 'csv', 'parquet'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Encodes flights, each JSON text of a FlightInstance, for a file. */
export type FlightEncoder = {
  /** Returns the next bytes of the file; some flights may stay in memory until a later call. */
  readonly encode: (flights: readonly Buffer[]) => Uint8Array | Promise<Uint8Array>;
  /** Returns the last bytes of the file. */
  readonly end: () => Uint8Array | Promise<Uint8Array>;
};

const nothing = new Uint8Array();
const newline = Buffer.from('\n');

/** The rows of the API, one a line. */
const createNdjsonEncoder = (): FlightEncoder => ({
  encode: (flights) => Buffer.concat(flights.flatMap((flight) => [flight, newline])),
  end: () => nothing,
});

/** Returns the values of the columns of a flight. */
const readCells = (json: Buffer) => {
  const flight: FlightInstance = JSON.parse(json.toString());
  const status = flight.statusDetails?.[0];
  return flightColumns.map(({ read }) => read(flight, status));
};

/** CSV with a header. */
const createCsvEncoder = (): FlightEncoder => {
  let header = formatCsvLine(flightColumns.map(({ name }) => name));
  const encode = (flights: readonly Buffer[]): Buffer => {
    const lines = flights.map((flight) => formatCsvLine(readCells(flight)));
    const text = header + lines.join('');
    header = '';
    return Buffer.from(text);
  };
  return { encode, end: () => encode([]) };
};

/** Flights of a row group: they are in memory until it is written. */
const ROW_GROUP = 20_000;

type ParquetType = {
  readonly element: Omit<SchemaElement, 'name'>;
  /** Converts a cell to what the writer expects. */
  readonly convert?: (value: string) => bigint;
};

const toTimestamp = (isAdjustedToUTC: boolean): SchemaElement['logical_type'] => ({
  type: 'TIMESTAMP',
  isAdjustedToUTC,
  unit: 'MILLIS',
});

const parquetTypes: Readonly<Record<FlightColumn['type'], ParquetType>> = {
  text: { element: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } },
  integer: { element: { type: 'INT32' } },
  number: { element: { type: 'DOUBLE' } },
  boolean: { element: { type: 'BOOLEAN' } },
  timestamp: {
    element: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', logical_type: toTimestamp(true) },
    convert: (value) => BigInt(Date.parse(value)),
  },
  'local timestamp': {
    element: { type: 'INT64', logical_type: toTimestamp(false) },
    convert: (value) => BigInt(Date.parse(`${value}Z`)),
  },
};

const parquetSchema: SchemaElement[] = [
  { name: 'flights', num_children: flightColumns.length },
  ...flightColumns.map(({ name, type }): SchemaElement => ({
    name,
    repetition_type: 'OPTIONAL',
    ...parquetTypes[type].element,
  })),
];

type ParquetValue = CellValue | bigint;

const toParquetValue = (value: CellValue, index: number): ParquetValue => {
  const type = flightColumns[index]?.type;
  const convert = type && parquetTypes[type].convert;
  return convert && typeof value === 'string' ? convert(value) : value;
};

/** Parquet with Snappy compression; all columns are optional. */
class ParquetEncoder implements FlightEncoder {
  readonly #bytes = new ByteWriter();
  readonly #writer = new ParquetWriter({ writer: this.#bytes, schema: parquetSchema, createdBy: 'flightdata' });
  #rows: (readonly ParquetValue[])[] = [];

  async encode(flights: readonly Buffer[]): Promise<Uint8Array> {
    for (const flight of flights) this.#rows.push(readCells(flight).map(toParquetValue));
    if (this.#rows.length >= ROW_GROUP) await this.#writeRowGroup();
    return this.#takeBytes();
  }

  async end(): Promise<Uint8Array> {
    if (this.#rows.length > 0) await this.#writeRowGroup();
    await this.#writer.finish();
    return this.#takeBytes();
  }

  async #writeRowGroup(): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    const columnData = flightColumns.map(({ name }, index) => ({ name, data: rows.map((row) => row[index] ?? null) }));
    await this.#writer.write({ columnData, rowGroupSize: rows.length });
  }

  /** The writer counts offsets by itself, so that its buffer can be emptied. */
  #takeBytes(): Uint8Array {
    const taken = new Uint8Array(this.#bytes.getBuffer());
    this.#bytes.index = 0;
    return taken;
  }
}

const encoders: Readonly<Record<ExportFormat, () => FlightEncoder>> = {
  ndjson: createNdjsonEncoder,
  csv: createCsvEncoder,
  parquet: () => new ParquetEncoder(),
};

/** Returns an encoder for one file. */
export const createFlightEncoder = (format: ExportFormat): FlightEncoder => encoders[format]();
