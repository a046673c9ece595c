import { DEFAULT_MAX_CONNECTING_MINUTES } from '../rules/connection-point.ts';
import type { ConnectionSet } from '../set/connection-set.ts';
import type { DayFrame } from '../set/day-masks.ts';
import type { CountColumns } from '../set/set-columns.ts';
import { GAPS } from './connection-counts.ts';
import type { FoundMatch } from './connection-join.ts';
import type { Leg1Dates } from './leg1-dates.ts';

type Repeated = { readonly leg2: number; readonly rule: number; readonly mask: Uint32Array };

const MINUTE_KEYS = DEFAULT_MAX_CONNECTING_MINUTES + 1;
const OFFSET_KEYS = 32;

/** Most connections have the same days every week: each cell is stored as the difference from the same cell a week before. */
const WEEK_CELLS = 7 * GAPS;

/** The cells in which a connection counts, as the differences from week to week. */
type CellChanges = { readonly up: Uint32Array; readonly down: Uint32Array };

/** No date; different from every number of days. */
const NO_DATE = 255;

/** Lists the changes of the days of a mask; reused, because a set has millions of pairs of masks. */
class CellLister {
  readonly #frame: DayFrame;
  readonly #skipped: number;
  /** For each day, from a week before the first to a week after the last, the days since the date before. */
  readonly #gaps: Uint8Array;
  readonly #up: Uint32Array;
  readonly #down: Uint32Array;

  constructor({ frame, from, days }: ConnectionSet) {
    this.#frame = frame;
    this.#skipped = from - frame.base;
    this.#gaps = new Uint8Array(days + 14);
    this.#up = new Uint32Array(days);
    this.#down = new Uint32Array(days);
  }

  list(mask: Uint32Array): CellChanges {
    const gaps = this.#gaps.fill(NO_DATE);
    let before = Number.NaN;
    for (let word = 0; word < this.#frame.words; word += 1)
      for (let bits = (mask[word] ?? 0) >>> 0; bits !== 0;) {
        const lowest = 31 - Math.clz32(bits & -bits);
        bits = (bits & (bits - 1)) >>> 0;
        const day = word * 32 + lowest - this.#skipped;
        gaps[day + 7] = Number.isNaN(before) ? 0 : Math.min(day - before, GAPS - 1);
        before = day;
      }
    const [up, down] = [this.#up, this.#down];
    let [ups, downs] = [0, 0];
    for (let day = 0; day < up.length; day += 1) {
      const gap = gaps[day + 7] ?? NO_DATE;
      if (gap === NO_DATE) continue;
      const cell = day * GAPS + gap;
      if (gaps[day] !== gap) up[ups++] = cell;
      if (gaps[day + 14] !== gap) down[downs++] = cell + WEEK_CELLS;
    }
    return { up: up.slice(0, ups), down: down.slice(0, downs) };
  }
}

/** Counts for each airport, in rows of `days * GAPS` cells. */
class CountTable {
  readonly #rows: readonly (Int32Array | undefined)[];
  readonly #cells: number;

  /** Counts airports with at least this many records; `starts` has the index of the first record of each, and of the end. */
  constructor(days: number, starts: Uint32Array, leastRecords: number) {
    this.#cells = days * GAPS;
    this.#rows = Array.from({ length: starts.length - 1 }, (_, airport) =>
      (starts[airport + 1] ?? 0) - (starts[airport] ?? 0) < leastRecords
        ? undefined
        : new Int32Array(this.#cells + WEEK_CELLS),
    );
  }

  add(airport: number, { up, down }: CellChanges, times: number): void {
    const row = this.#rows[airport];
    if (!row) return;
    for (let index = 0; index < up.length; index += 1) {
      const cell = up[index] ?? 0;
      row[cell] = (row[cell] ?? 0) + times;
    }
    for (let index = 0; index < down.length; index += 1) {
      const cell = down[index] ?? 0;
      row[cell] = (row[cell] ?? 0) - times;
    }
  }

  /** Returns the counted airports in ascending order, and their rows one after the other. */
  collect(): { readonly airports: Uint16Array<ArrayBuffer>; readonly counts: Uint32Array<ArrayBuffer> } {
    const kept = [...this.#rows.entries()].flatMap(([airport, changes]) => (changes ? [{ airport, changes }] : []));
    const all = new Uint32Array(kept.length * this.#cells);
    for (const [index, { changes }] of kept.entries()) all.set(this.#toCounts(changes), index * this.#cells);
    return { airports: Uint16Array.from(kept, ({ airport }) => airport), counts: all };
  }

  #toCounts(changes: Int32Array): Uint32Array {
    const counts = new Uint32Array(this.#cells);
    for (let cell = 0; cell < counts.length; cell += 1)
      counts[cell] = (changes[cell] ?? 0) + (counts[cell - WEEK_CELLS] ?? 0);
    return counts;
  }
}

/** The connections of the current leg 1 with equal dates. */
type Group = { readonly changes: CellChanges; count: number };

/** Counts connections of up to the default maximum by airport and day, while a join finds them. */
export class DailyCounts {
  readonly #set: ConnectionSet;
  readonly #lister: CellLister;
  readonly #departures: CountTable;
  readonly #vias: CountTable;
  readonly #arrivals: CountTable;
  /** Groups by mask of leg 1; then by mask of leg 2 and the days between the legs. Small keys are found fastest. */
  readonly #groups: (Map<number, Group> | undefined)[] = [];
  /** The groups of the current leg 1, and its connections whose dates come from several units or rules. */
  #found: Group[] = [];
  readonly #repeated = new Map<number, Repeated[]>();

  /** Counts airports with at least this many flights: rows of smaller ones would take more memory than they save time. */
  constructor(set: ConnectionSet, leastRecords: number) {
    const { boardRecords, offRecords } = set.columns;
    this.#set = set;
    this.#lister = new CellLister(set);
    this.#departures = new CountTable(set.days, boardRecords, leastRecords);
    this.#vias = new CountTable(set.days, boardRecords, leastRecords);
    this.#arrivals = new CountTable(set.days, offRecords, leastRecords);
  }

  add({ match: { minutes, leg2, rule, dayOffset }, unit2, mayRepeat, within }: FoundMatch, dates: Leg1Dates): void {
    if (minutes > DEFAULT_MAX_CONNECTING_MINUTES) return;
    if (mayRepeat) {
      const mask = this.#findRepeated(leg2, minutes, rule);
      dates.addMeetingDates(mask, unit2, { days: dayOffset, within });
      return;
    }
    const group = this.#findGroup(unit2, dayOffset, dates);
    if (group.count === 0) this.#found.push(group);
    group.count += 1;
    this.#countLeg2(this.#set.columns.unitRecord[dates.unit] ?? 0, leg2, group.changes);
  }

  /** To be called after the last match of a leg 1. */
  endLeg1(leg1: number): void {
    const { columns } = this.#set;
    for (const { leg2, mask } of [...this.#repeated.values()].flat()) {
      const changes = this.#lister.list(mask);
      this.#found.push({ changes, count: 1 });
      this.#countLeg2(leg1, leg2, changes);
    }
    this.#repeated.clear();
    const [departure, via] = [columns.recordBoard[leg1] ?? 0, columns.recordOff[leg1] ?? 0];
    for (const group of this.#found) {
      this.#departures.add(departure, group.changes, group.count);
      this.#vias.add(via, group.changes, group.count);
      group.count = 0;
    }
    this.#found = [];
  }

  toColumns(): CountColumns {
    const departures = this.#departures.collect();
    const vias = this.#vias.collect();
    const arrivals = this.#arrivals.collect();
    return {
      departureAirports: departures.airports,
      departureCounts: departures.counts,
      viaAirports: vias.airports,
      viaCounts: vias.counts,
      arrivalAirports: arrivals.airports,
      arrivalCounts: arrivals.counts,
    };
  }

  /** Counts a connection where leg 2 arrives, and where it departs if leg 1 arrives elsewhere in the city. */
  #countLeg2(leg1: number, leg2: number, changes: CellChanges): void {
    const { recordBoard, recordOff } = this.#set.columns;
    this.#arrivals.add(recordOff[leg2] ?? 0, changes, 1);
    const second = recordBoard[leg2] ?? 0;
    if (second !== recordOff[leg1]) this.#vias.add(second, changes, 1);
  }

  /** Returns the mask of a connection that several units or rules can make, for its dates. */
  #findRepeated(leg2: number, minutes: number, rule: number): Uint32Array {
    const key = leg2 * MINUTE_KEYS + minutes;
    let ofTimes = this.#repeated.get(key);
    if (!ofTimes) this.#repeated.set(key, (ofTimes = []));
    const known = ofTimes.find((one) => one.rule === rule);
    if (known) return known.mask;
    const mask = new Uint32Array(this.#set.frame.words);
    ofTimes.push({ leg2, rule, mask });
    return mask;
  }

  #findGroup(unit2: number, dayOffset: number, dates: Leg1Dates): Group {
    const { unitMask } = this.#set.columns;
    const groups = (this.#groups[unitMask[dates.unit] ?? 0] ??= new Map<number, Group>());
    // Leg 2 can depart before leg 1, by the local dates of both.
    const key = (unitMask[unit2] ?? 0) * OFFSET_KEYS + dayOffset + OFFSET_KEYS / 2;
    const known = groups.get(key);
    if (known) return known;
    const mask = new Uint32Array(this.#set.frame.words);
    dates.addMeetingDates(mask, unit2, { days: dayOffset });
    const group = { changes: this.#lister.list(mask), count: 0 };
    groups.set(key, group);
    return group;
  }
}
