import { drain } from '#lib/drain.ts';
import { addDays, localDate, type LocalDate } from '#domain/time/dates.ts';
import type { MctRecord } from '../mct/mct-record.ts';
import { createMctTableInSteps, type MctTable } from '../mct/mct-table.ts';
import { isConnectingServiceType } from '../rules/pair-rules.ts';
import type { ConnectionSetData, SetHeader } from './connection-set-data.ts';
import { createDayFrame, type DayFrame, buildSpanMask } from './day-masks.ts';
import { type FlightReader, createFlightReader } from './flight-reader.ts';
import { readColumns, type SetColumns } from './set-columns.ts';
import { createSetDistances, type SetDistances } from './set-distances.ts';
import { createSetRules, type SetRules } from './set-rules.ts';
import { buildUnitTable, type UnitTable } from './unit-table.ts';

/** A connection set that is being served. */
export type PublishedConnections = {
  /** Increases with every set; a search in progress keeps using the set of its number. */
  readonly id: number;
  /** The instant whose schedules, master data and minimum connecting times it contains. */
  readonly builtAt: Date;
  /** When this process started to serve it: the earliest possible `Last-Modified` of a response. */
  readonly loadedAt: Date;
  readonly set: ConnectionSet;
};

/** A connection set in memory, ready for searches. */
export type ConnectionSet = {
  /** First local departure date of leg 1, and the number of dates. */
  readonly from: LocalDate;
  readonly days: number;
  /** Number of records: flights between two airports with their dates and times. */
  readonly size: number;
  readonly header: SetHeader;
  readonly columns: SetColumns;
  /** 1 for each record that can be part of a connection; the others can only be explained. */
  readonly isConnecting: Uint8Array;
  readonly units: UnitTable;
  readonly frame: DayFrame;
  /** The dates from `from`, as bits. */
  readonly allDates: Uint32Array;
  readonly findAirportNumber: (iata: string) => number | undefined;
  /** Returns the other airports of an airport's city, by number. */
  readonly otherCityAirports: (airport: number) => readonly number[];
  readonly distances: SetDistances;
  readonly reader: FlightReader;
  readonly mctTable: MctTable;
  readonly rules: SetRules;
};

/** Computing the distances from an airport to all others takes some 0.2 ms. */
const AIRPORTS_A_STEP = 20;

function* readMctRecords(bytes: Uint8Array): Generator<void, readonly MctRecord[]> {
  const lines = new TextDecoder().decode(bytes).split('\n');
  const records: MctRecord[] = [];
  for (const line of lines) {
    if (line !== '') records.push(...(JSON.parse(line) as MctRecord[]));
    yield;
  }
  return records;
}

const listCityAirports = ({ airports }: SetHeader): readonly (readonly number[])[] => {
  const cities = Map.groupBy(airports.keys(), (number) => airports[number]?.cityCode ?? '');
  return airports.map(({ cityCode }, number) =>
    cityCode === '' ? [] : (cities.get(cityCode) ?? []).filter((other) => other !== number),
  );
};

const findConnecting = ({ recordServiceType }: SetColumns): Uint8Array => {
  const types = Uint8Array.from({ length: 256 }, (_, letter) =>
    Number(isConnectingServiceType(String.fromCharCode(letter))),
  );
  return recordServiceType.map((letter) => types[letter] ?? 0);
};

/** Reads a set in steps of some milliseconds each, so that the caller can do other work between them. */
export function* readConnectionSetInSteps(data: ConnectionSetData): Generator<void, ConnectionSet> {
  const header = JSON.parse(data.header) as SetHeader;
  yield;
  const columns = yield* readColumns(data);
  const records = yield* readMctRecords(columns.mct);
  const mct = yield* createMctTableInSteps(records, header.defaults);
  const distances = createSetDistances(header.airports, header.routes);
  yield;
  for (const airport of header.airports.keys()) {
    distances.directFrom(airport);
    if (airport % AIRPORTS_A_STEP === 0) yield;
  }
  const from = localDate(header.from);
  const frame = createDayFrame(from, header.days);
  const units = yield* buildUnitTable(columns, distances, frame.words);
  const reader = createFlightReader({ header, columns });
  const rules = createSetRules({ header, columns }, reader, mct);
  yield* rules.precompute();
  const airportNumbers = new Map(header.airports.map(({ iata }, number) => [iata, number]));
  const otherAirports = listCityAirports(header);
  return {
    from,
    days: header.days,
    size: columns.recordBoard.length,
    header,
    columns,
    isConnecting: findConnecting(columns),
    units,
    frame,
    allDates: buildSpanMask(frame, { from, to: addDays(from, header.days - 1) }),
    findAirportNumber: (iata) => airportNumbers.get(iata),
    otherCityAirports: (airport) => otherAirports[airport] ?? [],
    distances,
    reader,
    mctTable: mct,
    rules,
  };
}

/** Reads a set in one go, about 3 s for the world's schedules. Throws when the bytes are not a set. */
export const readConnectionSet = (data: ConnectionSetData): ConnectionSet => drain(readConnectionSetInSteps(data));
