import { expect, test } from 'vitest';
import {
  computeFlightView,
  type FlightState,
  type FlightView,
  isCorrection,
} from '../../../src/domain/status/flight-view.ts';
import {
  compareObservations,
  unobservedFlight,
  applyObservation,
  applyObservations,
  type FlightObservations,
  type Observation,
} from '../../../src/domain/status/observed-flight.ts';
import { locationIds } from './observations.ts';
import { createRandomNumbers, createRandomMessages, shuffle } from './random-messages.ts';

/** The same messages on every run, so that results are reproducible. */
const SEED = 20_260_601;

/** The state of a feed for a flight: its facts, the newest message, and all messages. */
type Held = {
  readonly known: FlightObservations;
  readonly newest: Observation | undefined;
  readonly all: readonly Observation[];
};

const nothingHeld: Held = { known: unobservedFlight, newest: undefined, all: [] };

/** Applies a message like the feed: skips duplicates, adds newer ones, and recomputes all for late ones. */
const apply = ({ known, newest, all }: Held, message: Observation): Held => {
  if (all.some(({ id }) => id === message.id)) return { known, newest, all };
  const more = [...all, message];
  if (!newest || compareObservations(message, newest) > 0)
    return { known: applyObservation(known, message), newest: message, all: more };
  return { known: applyObservations(more), newest, all: more };
};

const inOrder = (messages: readonly Observation[]): readonly Observation[] =>
  [...new Map(messages.map((message) => [message.id, message])).values()].toSorted(compareObservations);

/** Whether two values have the same JSON text; writing the text takes five times as long. */
const isSame = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((value, index) => isSame(value, b[index]));
  const [names, others] = [Object.keys(a), Object.keys(b)];
  const isAlike = (name: string, index: number): boolean =>
    name === others[index] && isSame(Reflect.get(a, name), Reflect.get(b, name));
  return names.length === others.length && names.every(isAlike);
};

/** Visits every order of messages and returns the number of orders. Orders with the same beginning share it. */
const everyOrder = (remaining: readonly Observation[], held: Held, atEnd: (held: Held) => void): number => {
  if (remaining.length === 0) {
    atEnd(held);
    return 1;
  }
  let orders = 0;
  for (const [index, message] of remaining.entries())
    orders += everyOrder(remaining.toSpliced(index, 1), apply(held, message), atEnd);
  return orders;
};

/** Message sets of one flight: of `messages` each, so that the number of orders of a set is its factorial. */
const sizes = [
  { sets: 700, messages: 6 },
  { sets: 100, messages: 7 },
] as const;

test('observations are equal for a million orders of arrival', { timeout: 300_000 }, () => {
  const random = createRandomNumbers(SEED);
  let orders = 0;
  for (const { sets, messages: size } of sizes)
    for (let set = 0; set < sets; set += 1) {
      const messages = createRandomMessages(random, size);
      const whole = inOrder(messages).reduce(applyObservation, unobservedFlight);
      const [expected, view] = [JSON.stringify(whole), computeFlightView(whole, locationIds.london)];
      let last: FlightObservations = whole;
      orders += everyOrder(messages, nothingHeld, ({ known }) => {
        if (!isSame(known, whole))
          throw new Error(`seed ${SEED}, set ${set} of ${size}: ${JSON.stringify(known)} is not ${expected}`);
        last = known;
      });
      // The view of a flight follows from its facts alone, through JSON as well.
      expect(computeFlightView(last, locationIds.london)).toEqual(view);
      expect(computeFlightView(JSON.parse(expected), locationIds.london)).toEqual(view);
    }
  console.info(`orders of arrival: seed ${SEED}, ${orders} orders`);
  expect(orders).toBe(1_008_000);
});

test('long histories have the same result in 5,000 orders of arrival', { timeout: 300_000 }, () => {
  const random = createRandomNumbers(SEED + 1);
  let orders = 0;
  for (let set = 0; set < 50; set += 1) {
    const messages = createRandomMessages(random, 12 + random(20));
    const whole = inOrder(messages).reduce(applyObservation, unobservedFlight);
    const expected = JSON.stringify(whole);
    for (let order = 0; order < 100; order += 1) {
      const { known } = shuffle(messages, random).reduce(apply, nothingHeld);
      if (JSON.stringify(known) !== expected)
        throw new Error(`seed ${SEED + 1}, set ${set}: ${JSON.stringify(known)} is not ${expected}`);
      orders += 1;
    }
  }
  expect(orders).toBe(5000);
});

/** The published steps on one leg; not a correction when the state of the whole flight stays. */
const usual: Readonly<Record<FlightState, string>> = {
  Proposed: 'Scheduled OutGate inAir Landed InGate Canceled',
  Scheduled: 'OutGate inAir Landed InGate Canceled',
  OutGate: 'Scheduled inAir Landed InGate Canceled',
  inAir: 'Landed InGate',
  Landed: 'InGate',
  InGate: '',
  Canceled: 'Scheduled OutGate inAir Landed InGate',
};

const hasArrived = ({ destination: { actualOn, actualIn } }: FlightView): boolean =>
  (actualOn ?? actualIn) !== undefined;

test('every step of a history against the published order is a correction, and no other on the same leg', () => {
  const random = createRandomNumbers(SEED + 2);
  const counts = { against: 0, usual: 0 };
  for (let set = 0; set < 5000; set += 1) {
    let known = unobservedFlight;
    let before: FlightView | undefined;
    for (const message of inOrder(createRandomMessages(random, 8))) {
      known = applyObservation(known, message);
      const view = computeFlightView(known, locationIds.london);
      const legs = before ? Math.floor(view.progress / 10) - Math.floor(before.progress / 10) : 0;
      if (before && (legs === 0 || (hasArrived(before) && hasArrived(view)))) {
        const isAgainst = before.state !== view.state && !usual[before.state].split(' ').includes(view.state);
        counts[isAgainst ? 'against' : 'usual'] += 1;
        if (isCorrection(before, view) !== isAgainst)
          throw new Error(`seed ${SEED + 2}, set ${set}, message ${message.id}: ${before.state} to ${view.state}`);
      }
      before = view;
    }
  }
  expect(Object.values(counts).every((count) => count > 1000)).toBe(true);
});
