/**
 * The retries of an endpoint by flight: with the ordering `flight`, an event waits while an earlier one of its flight will be sent again. It
 * holds a number and a time for each pending retry, about 150 bytes.
 */
export class FlightOrder {
  /** For each flight, when its retries are due, milliseconds since 1970, by their numbers in the stream. */
  readonly #retries = new Map<string, Map<number, number>>();
  readonly #flights = new Map<number, string>();

  /** Adds a retry, or moves it to another time. */
  add(flightKey: string, number: number, dueAt: Date): void {
    const ofFlight = this.#retries.get(flightKey) ?? new Map<number, number>();
    this.#retries.set(flightKey, ofFlight.set(number, dueAt.getTime()));
    this.#flights.set(number, flightKey);
  }

  /** Removes a retry that was delivered or given up. */
  delete(number: number): void {
    const flightKey = this.#flights.get(number);
    if (flightKey === undefined) return;
    this.#flights.delete(number);
    const ofFlight = this.#retries.get(flightKey);
    ofFlight?.delete(number);
    if (ofFlight?.size === 0) this.#retries.delete(flightKey);
  }

  /** Returns when the last of the retries before an event of a flight is due, milliseconds since 1970; undefined when there is none. */
  findBlock(flightKey: string, number: number): number | undefined {
    let last: number | undefined;
    for (const [earlier, dueAt] of this.#retries.get(flightKey) ?? [])
      if (earlier < number) last = Math.max(last ?? dueAt, dueAt);
    return last;
  }
}
