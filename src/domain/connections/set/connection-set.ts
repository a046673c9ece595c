import { drain } from '../../../lib/drain.ts';
import { addDays, localDate, type LocalDate } from '../../time/dates.ts';
import type { MctRecord } from '../mct/mct-record.ts';
import { createMctTableInSteps, type MctTable } from '../mct/mct-table.ts';
import type { ConnectionSetData, SetHeader } from './connection-set-data.ts';
import { createDayFrame, type DayFrame, buildSpanMask } from './day-masks.ts';
import { type FlightReader, createFlightReader } from './flight-reader.ts';
import { readColumns, type SetColumns } from './set-columns.ts';
import { createSetDistances, type SetDistances } from './set-distances.ts';
import { createSetRules, type SetRules } from './set-rules.ts';
import { buildUnitTable, type UnitTable } from './unit-table.ts';

/** A set of connections as it was built and is served. */
export type PublishedConnections = {
  /** Rises with every set; a walk under way keeps to the set of its number. */
  readonly id: number;
  /** The moment whose schedules, master data and minimum connecting times it holds. */
  readonly builtAt: Date;
  /** When this process began to answer from it: no answer has been as it is for longer (`Last-Modified`). */
  readonly loadedAt: Date;
  readonly set: ConnectionSet;
};

/** A set of connections in memory, ready to be searched. */
export type ConnectionSet = {
  /** Leg 1 departs from this local date on, for so many days. */
  readonly from: LocalDate;
  readonly days: number;
  /** How many records it holds: flights between two airports with their dates and times. */
  readonly size: number;
  readonly header: SetHeader;
  readonly columns: SetColumns;
  readonly units: UnitTable;
  readonly frame: DayFrame;
  /** The dates of `from` and `days`, as bits. */
  readonly allDates: Uint32Array;
  readonly findAirportNumber: (iata: string) => number | undefined;
  /** The other airports of an airport's city, by number. */
  readonly otherCityAirports: (airport: number) => readonly number[];
  readonly distances: SetDistances;
  readonly reader: FlightReader;
  readonly mctTable: MctTable;
  readonly rules: SetRules;
};

/** Distances from an airport to all others take some 0.2 ms. */
const AIRPORTS_A_STEP = 20;

function* readMct(bytes: Uint8Array): Generator<void, readonly MctRecord[]> {
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
    cityCode === '' ? [] : (cities.get(cityCode) ?? []).filter((mate) => mate !== number),
  );
};

/** Opens a set step by step: whoever has other work to do does it between two steps, which take some milliseconds each. */
export function* readConnectionSetInSteps(data: ConnectionSetData): Generator<void, ConnectionSet> {
  const header = JSON.parse(data.header) as SetHeader;
  yield;
  const columns = yield* readColumns(data);
  const records = yield* readMct(columns.mct);
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
  const numbers = new Map(header.airports.map(({ iata }, number) => [iata, number]));
  const mates = listCityAirports(header);
  return {
    from,
    days: header.days,
    size: columns.recordBoard.length,
    header,
    columns,
    units,
    frame,
    allDates: buildSpanMask(frame, { from, to: addDays(from, header.days - 1) }),
    findAirportNumber: (iata) => numbers.get(iata),
    otherCityAirports: (airport) => mates[airport] ?? [],
    distances,
    reader,
    mctTable: mct,
    rules,
  };
}

/** Opens a set at once: some three seconds for the schedules of the world. Throws when the bytes are not those of a set. */
export const readConnectionSet = (data: ConnectionSetData): ConnectionSet => drain(readConnectionSetInSteps(data));
