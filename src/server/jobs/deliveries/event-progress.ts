/** The progress of an endpoint in its stream, by number of event: those with a first attempt, all up to one, and some beyond it. */
export class EventProgress {
  #upTo: number;
  readonly #beyond: Set<number>;

  constructor(upTo: number, beyond: readonly number[]) {
    this.#upTo = upTo;
    this.#beyond = new Set(beyond);
    this.#advance();
  }

  /** All numbers up to this one were attempted. */
  get upTo(): number {
    return this.#upTo;
  }

  /** Returns the attempted numbers after a gap, in order. */
  listBeyond(): readonly number[] {
    return [...this.#beyond].toSorted((a, b) => a - b);
  }

  has(number: number): boolean {
    return number <= this.#upTo || this.#beyond.has(number);
  }

  add(number: number): void {
    if (number <= this.#upTo) return;
    this.#beyond.add(number);
    this.#advance();
  }

  /** Marks all numbers up to one as attempted, and returns the ranges that were not. */
  skipTo(number: number): readonly (readonly [from: number, to: number])[] {
    const ranges: (readonly [number, number])[] = [];
    let from = this.#upTo + 1;
    const passed = this.listBeyond().filter((attempted) => attempted <= number);
    for (const attempted of [...passed, number + 1]) {
      if (attempted > from) ranges.push([from, attempted - 1]);
      from = attempted + 1;
      this.#beyond.delete(attempted);
    }
    this.#upTo = Math.max(this.#upTo, number);
    this.#advance();
    return ranges;
  }

  #advance(): void {
    while (this.#beyond.delete(this.#upTo + 1)) this.#upTo += 1;
  }
}
