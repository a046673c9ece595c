import { readShiftedWord } from '../set/day-masks.ts';
import type { ConnectionSet } from '../set/connection-set.ts';
import type { ConnectionQuery } from './connection-query.ts';

/** Days from leg 1 to leg 2, and the dates of leg 1 on which its minimum connecting time holds; undefined means all. */
export type MeetingDates = { readonly days: number; readonly within?: Uint32Array | undefined };

/** The dates on which the current unit of leg 1 departs, as bits, limited to the dates of a query. */
export class Leg1Dates {
  readonly #masks: Uint32Array;
  readonly #unitMask: Uint32Array;
  readonly #unitFirstWord: Uint8Array;
  readonly #unitLastWord: Uint8Array;
  readonly #words: number;
  readonly #query: ConnectionQuery;
  readonly #bits: Uint32Array;
  readonly #shifted: { start: number; words: number; days: number };
  #unit = 0;
  #firstWord = 0;
  #lastWord = -1;

  constructor({ columns, units, frame }: ConnectionSet, query: ConnectionQuery) {
    this.#masks = columns.masks;
    this.#unitMask = columns.unitMask;
    this.#unitFirstWord = units.firstWord;
    this.#unitLastWord = units.lastWord;
    this.#words = frame.words;
    this.#query = query;
    this.#bits = new Uint32Array(frame.words);
    this.#shifted = { start: 0, words: frame.words, days: 0 };
  }

  /** The unit whose dates were read last. */
  get unit(): number {
    return this.#unit;
  }

  /** Reads the dates of a unit; returns false when the query includes none of them. */
  read(unit: number): boolean {
    const { firstWord, lastWord, dates } = this.#query;
    const start = (this.#unitMask[unit] ?? 0) * this.#words;
    this.#unit = unit;
    this.#firstWord = this.#words;
    this.#lastWord = -1;
    for (let word = firstWord; word <= lastWord; word += 1) {
      const bits = (this.#masks[start + word] ?? 0) & (dates[word] ?? 0);
      this.#bits[word] = bits;
      if (bits === 0) continue;
      if (this.#lastWord < 0) this.#firstWord = word;
      this.#lastWord = word;
    }
    return this.#lastWord >= 0;
  }

  /** Returns whether leg 2 departs `days` after some date of leg 1. Most pairs that do not meet have separate seasons. */
  meets(unit2: number, days: number): boolean {
    const [own, masks] = [this.#bits, this.#masks];
    const first = this.#unitFirstWord[unit2] ?? 0;
    const last = this.#unitLastWord[unit2] ?? 0;
    const start = (this.#unitMask[unit2] ?? 0) * this.#words;
    if (days === 0) {
      const to = last < this.#lastWord ? last : this.#lastWord;
      for (let word = first > this.#firstWord ? first : this.#firstWord; word <= to; word += 1)
        if (((own[word] ?? 0) & (masks[start + word] ?? 0)) !== 0) return true;
      return false;
    }
    const shifted = this.#shifted;
    shifted.start = start;
    shifted.days = days;
    const to = last + 1 < this.#lastWord ? last + 1 : this.#lastWord;
    for (let word = first - 1 > this.#firstWord ? first - 1 : this.#firstWord; word <= to; word += 1)
      if (((own[word] ?? 0) & readShiftedWord(masks, shifted, word)) !== 0) return true;
    return false;
  }

  /** Adds to `mask` the dates of leg 1 on which leg 2 departs `days` later; only those in `within`, if given. */
  addMeetingDates(mask: Uint32Array, unit2: number, { days, within }: MeetingDates): void {
    const [own, masks, shifted] = [this.#bits, this.#masks, this.#shifted];
    shifted.start = (this.#unitMask[unit2] ?? 0) * this.#words;
    shifted.days = days;
    for (let word = this.#firstWord; word <= this.#lastWord; word += 1) {
      const bits = (own[word] ?? 0) & readShiftedWord(masks, shifted, word);
      mask[word] = (mask[word] ?? 0) | (within ? bits & (within[word] ?? 0) : bits);
    }
  }

  /** Returns the same as `meets` for the dates of leg 1 that are in `within`. */
  meetsWithin(unit2: number, days: number, within: Uint32Array): boolean {
    const [own, masks, shifted] = [this.#bits, this.#masks, this.#shifted];
    shifted.start = (this.#unitMask[unit2] ?? 0) * this.#words;
    shifted.days = days;
    for (let word = this.#firstWord; word <= this.#lastWord; word += 1)
      if (((own[word] ?? 0) & (within[word] ?? 0) & readShiftedWord(masks, shifted, word)) !== 0) return true;
    return false;
  }
}
