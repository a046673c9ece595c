import { DEFAULT_MAX_CONNECTING_MINUTES } from '../rules/connection-point.ts';
import type { ConnectionSet } from '../set/connection-set.ts';
import { listMaskDates } from '../set/day-masks.ts';
import type { CountColumns } from '../set/set-columns.ts';
import { GAPS } from './connection-counts.ts';
import type { FoundMatch } from './connection-join.ts';
import type { Leg1Dates } from './leg1-dates.ts';

/** The airports at which a connection is counted: where leg 1 arrives, where leg 2 departs and where it arrives. */
type CountedAt = { readonly arrival: number; readonly departure: number; readonly destination: number };

type Repeated = CountedAt & { readonly mask: Uint32Array };

const MINUTE_KEYS = DEFAULT_MAX_CONNECTING_MINUTES + 1;
/** Greater than the number of records and of units of any set. */
const RECORD_KEYS = 2 ** 24;
const OFFSET_KEYS = 32;

/** Counts for each airport, in rows of `days * GAPS` cells. */
class CountTable {
  readonly #rows: (Uint32Array | undefined)[] = [];
  readonly #cells: number;

  constructor(days: number) {
    this.#cells = days * GAPS;
  }

  add(airport: number, cells: Uint32Array): void {
    const row = (this.#rows[airport] ??= new Uint32Array(this.#cells));
    for (let index = 0; index < cells.length; index += 1) {
      const cell = cells[index] ?? 0;
      row[cell] = (row[cell] ?? 0) + 1;
    }
  }

  /** Each connection has one date without a date before. */
  #total(row: Uint32Array): number {
    let total = 0;
    for (let cell = 0; cell < row.length; cell += GAPS) total += row[cell] ?? 0;
    return total;
  }

  /** Returns the airports with this many connections or more, in ascending order, and their rows one after the other. */
  collect(connections: number): {
    readonly airports: Uint16Array<ArrayBuffer>;
    readonly counts: Uint32Array<ArrayBuffer>;
  } {
    const kept = [...this.#rows.entries()].flatMap(([airport, row]) =>
      row && this.#total(row) >= connections ? [{ airport, row }] : [],
    );
    const counts = new Uint32Array(kept.length * this.#cells);
    for (const [index, { row }] of kept.entries()) counts.set(row, index * this.#cells);
    return { airports: Uint16Array.from(kept, ({ airport }) => airport), counts };
  }
}

/** Counts connections of up to the default maximum by airport and day, while a join finds them. */
export class DailyCounts {
  readonly #set: ConnectionSet;
  readonly #vias: CountTable;
  readonly #destinations: CountTable;
  /** Cells by mask of leg 2 and days from leg 1, for the mask of the current leg 1. */
  readonly #cells = new Map<number, Uint32Array>();
  #mask1 = -1;
  /** Connections of the current leg 1 whose dates come from several units or rules. */
  readonly #repeated = new Map<number, Repeated>();

  constructor(set: ConnectionSet) {
    this.#set = set;
    this.#vias = new CountTable(set.days);
    this.#destinations = new CountTable(set.days);
  }

  add({ match: { minutes, leg2, rule, dayOffset }, unit2, mayRepeat, within }: FoundMatch, dates: Leg1Dates): void {
    if (minutes > DEFAULT_MAX_CONNECTING_MINUTES) return;
    const { columns, frame } = this.#set;
    const at = {
      arrival: columns.recordOff[columns.unitRecord[dates.unit] ?? 0] ?? 0,
      departure: columns.recordBoard[leg2] ?? 0,
      destination: columns.recordOff[leg2] ?? 0,
    };
    if (!mayRepeat) return this.#count(at, this.#findCells(unit2, dayOffset, dates));
    const key = (rule * MINUTE_KEYS + minutes) * RECORD_KEYS + leg2;
    let repeated = this.#repeated.get(key);
    if (!repeated) this.#repeated.set(key, (repeated = { ...at, mask: new Uint32Array(frame.words) }));
    dates.addMeetingDates(repeated.mask, unit2, { days: dayOffset, within });
  }

  /** To be called after the last match of a leg 1. */
  endLeg1(): void {
    if (this.#repeated.size === 0) return;
    for (const repeated of this.#repeated.values()) this.#count(repeated, this.#listCells(repeated.mask));
    this.#repeated.clear();
  }

  toColumns(connections: number): CountColumns {
    const [vias, destinations] = [this.#vias.collect(connections), this.#destinations.collect(connections)];
    return {
      viaAirports: vias.airports,
      viaCounts: vias.counts,
      arrivalAirports: destinations.airports,
      arrivalCounts: destinations.counts,
    };
  }

  #count({ arrival, departure, destination }: CountedAt, cells: Uint32Array): void {
    this.#vias.add(arrival, cells);
    if (departure !== arrival) this.#vias.add(departure, cells);
    this.#destinations.add(destination, cells);
  }

  #findCells(unit2: number, dayOffset: number, dates: Leg1Dates): Uint32Array {
    const { unitMask } = this.#set.columns;
    const mask1 = unitMask[dates.unit] ?? 0;
    if (mask1 !== this.#mask1) {
      this.#mask1 = mask1;
      this.#cells.clear();
    }
    // Leg 2 can depart before leg 1, by the local dates of both.
    const key = (unitMask[unit2] ?? 0) * OFFSET_KEYS + dayOffset + OFFSET_KEYS / 2;
    const known = this.#cells.get(key);
    if (known) return known;
    const mask = new Uint32Array(this.#set.frame.words);
    dates.addMeetingDates(mask, unit2, { days: dayOffset });
    const cells = this.#listCells(mask);
    this.#cells.set(key, cells);
    return cells;
  }

  #listCells(mask: Uint32Array): Uint32Array {
    const { frame, from } = this.#set;
    const days = listMaskDates(frame, mask).map((date) => date - from);
    return Uint32Array.from(days, (day, index) => {
      const before = index === 0 ? day : (days[index - 1] ?? 0);
      return day * GAPS + Math.min(day - before, GAPS - 1);
    });
  }
}
