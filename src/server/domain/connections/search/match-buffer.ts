/** A connection of one leg 1, in numbers of the set. */
export type Leg2Match = {
  readonly minutes: number;
  readonly leg2: number;
  /** Line of the MCT record that sets the minimum connecting time; 0 for a default. */
  readonly rule: number;
  readonly dayOffset: number;
};

const INITIAL_CAPACITY = 1024;

const doubleCapacity = (column: Int32Array): Int32Array<ArrayBuffer> => {
  const larger = new Int32Array(column.length * 2);
  larger.set(column);
  return larger;
};

/** Matches in columns, reused for each leg 1: a search finds far more connections than it returns. */
export class MatchBuffer {
  #minutes = new Int32Array(INITIAL_CAPACITY);
  #legs = new Int32Array(INITIAL_CAPACITY);
  #rules = new Int32Array(INITIAL_CAPACITY);
  #offsets = new Int32Array(INITIAL_CAPACITY);
  #size = 0;
  #mayRepeat = false;

  get size(): number {
    return this.#size;
  }

  /** Whether the same match may have been added more than once. */
  get mayRepeat(): boolean {
    return this.#mayRepeat;
  }

  clear(): void {
    this.#size = 0;
    this.#mayRepeat = false;
  }

  add({ minutes, leg2, rule, dayOffset }: Leg2Match, mayRepeat: boolean): void {
    this.#mayRepeat ||= mayRepeat;
    const index = this.#size;
    if (index === this.#minutes.length) this.#grow();
    this.#minutes[index] = minutes;
    this.#legs[index] = leg2;
    this.#rules[index] = rule;
    this.#offsets[index] = dayOffset;
    this.#size = index + 1;
  }

  toArray(): readonly Leg2Match[] {
    return Array.from({ length: this.#size }, (_, index) => ({
      minutes: this.#minutes[index] ?? 0,
      leg2: this.#legs[index] ?? 0,
      rule: this.#rules[index] ?? 0,
      dayOffset: this.#offsets[index] ?? 0,
    }));
  }

  #grow(): void {
    this.#minutes = doubleCapacity(this.#minutes);
    this.#legs = doubleCapacity(this.#legs);
    this.#rules = doubleCapacity(this.#rules);
    this.#offsets = doubleCapacity(this.#offsets);
  }
}
