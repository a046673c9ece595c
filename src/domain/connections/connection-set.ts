import { addDays, localDate, type LocalDate } from '../time/dates.ts';
import { toTheEnd } from '../../lib/drain.ts';
import type { ConnectionSetData, SetHeader } from './connection-set-data.ts';
import type { MctRecord } from './mct/mct-record.ts';
import { makingMctTable, type MctTable } from './mct/mct-table.ts';
import { dayFrame, maskOfSpan, type DayFrame } from './set/day-masks.ts';
import { newFlightReader, type FlightReader } from './set/flight-at.ts';
import { readColumns, type SetColumns } from './set/set-columns.ts';
import { newSetDistances, type SetDistances } from './set/set-distances.ts';
import { newSetRules, type SetRules } from './set/set-rules.ts';
import { newUnitTable, type UnitTable } from './set/unit-table.ts';

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
  readonly airportNumber: (iata: string) => number | undefined;
  /** The other airports of an airport's city, by number. */
  readonly sameCity: (airport: number) => readonly number[];
  readonly distances: SetDistances;
  readonly reader: FlightReader;
  readonly mct: MctTable;
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

const cityMates = ({ airports }: SetHeader): readonly (readonly number[])[] => {
  const cities = Map.groupBy(airports.keys(), (number) => airports[number]?.cityCode ?? '');
  return airports.map(({ cityCode }, number) =>
    cityCode === '' ? [] : (cities.get(cityCode) ?? []).filter((mate) => mate !== number),
  );
};

/** Opens a set step by step: whoever has other work to do does it between two steps, which take some milliseconds each. */
export function* openingConnectionSet(data: ConnectionSetData): Generator<void, ConnectionSet> {
  const header = JSON.parse(data.header) as SetHeader;
  yield;
  const columns = yield* readColumns(data);
  const records = yield* readMct(columns.mct);
  const mct = yield* makingMctTable(records, header.defaults);
  const distances = newSetDistances(header.airports, header.routes);
  yield;
  for (const airport of header.airports.keys()) {
    distances.directFrom(airport);
    if (airport % AIRPORTS_A_STEP === 0) yield;
  }
  const from = localDate(header.from);
  const frame = dayFrame(from, header.days);
  const units = yield* newUnitTable(columns, distances, frame.words);
  const reader = newFlightReader({ header, columns });
  const rules = newSetRules({ header, columns }, reader, mct);
  yield* rules.warming();
  const numbers = new Map(header.airports.map(({ iata }, number) => [iata, number]));
  const mates = cityMates(header);
  return {
    from,
    days: header.days,
    size: columns.recordBoard.length,
    header,
    columns,
    units,
    frame,
    allDates: maskOfSpan(frame, { from, to: addDays(from, header.days - 1) }),
    airportNumber: (iata) => numbers.get(iata),
    sameCity: (airport) => mates[airport] ?? [],
    distances,
    reader,
    mct,
    rules,
  };
}

/** Opens a set at once: some three seconds for the schedules of the world. Throws when the bytes are not those of a set. */
export const openConnectionSet = (data: ConnectionSetData): ConnectionSet => toTheEnd(openingConnectionSet(data));
