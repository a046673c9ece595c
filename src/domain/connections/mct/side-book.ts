import type { MctEnd } from './mct-end.ts';
import { sideFits } from './mct-fit.ts';
import type { MctSide } from './mct-record.ts';

/** What some records ask of the flights on one side, each once, found by carrier. */
export type SideBook = {
  /** Numbers of the sides that a flight fits, ascending within each carrier; always in the same order. */
  readonly fitting: (end: MctEnd) => readonly number[];
};

/** Of thousands of sides at a large station a flight meets only those of its own carriers and those that ask for none. */
export const newSideBook = (numbers: Iterable<number>, sides: readonly MctSide[]): SideBook => {
  const byCarrier = new Map<string, number[]>();
  for (const number of numbers) {
    const carrier = sides[number]?.carrier ?? '';
    const found = byCarrier.get(carrier);
    if (found) found.push(number);
    else byCarrier.set(carrier, [number]);
  }
  return {
    fitting: (end) =>
      [...new Set(['', end.carrier, end.operating.carrier])].flatMap((carrier) =>
        (byCarrier.get(carrier) ?? []).filter((number) => {
          const side = sides[number];
          return side !== undefined && sideFits(side, end);
        }),
      ),
  };
};
