import { expect, test } from 'vitest';
import { computeFlightView, isCorrection } from '#domain/status/flight-view.ts';
import type { FlightState, FlightView } from '#domain/status/flight-view.ts';
import { compareObservations, unobservedFlight, applyObservation } from '#domain/status/observed-flight.ts';

import type { FlightObservations, Observation } from '#domain/status/observed-flight.ts';
import { applyObservations, correctionsOfState, locationIds } from './observations.ts';
import { createRandomNumbers, createRandomMessages } from './random-messages.ts';

/** The same messages on every run, so that results are reproducible. */
const SEED = 20_260_601;
/** Factor for the number of message sets; `STATUS_ORDERS=20` tests a million orders of arrival. */
const factor = Number(process.env['STATUS_ORDERS'] ?? 1);

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

/** Lists the results of every order of messages, as JSON texts. Orders with the same beginning share it. */
const listResults = (remaining: readonly Observation[], held: Held): readonly string[] =>
  remaining.length === 0
    ? [JSON.stringify(held.known)]
    : remaining.flatMap((message, index) => listResults(remaining.toSpliced(index, 1), apply(held, message)));

test.each([
  { sets: 35, size: 6, orders: 720 },
  { sets: 5, size: 7, orders: 5040 },
])('observations are equal for all $orders orders of arrival of $size messages', ({ sets, size, orders }) => {
  const random = createRandomNumbers(SEED + size);
  for (let set = 0; set < sets * factor; set += 1) {
    const messages = createRandomMessages(random, size);
    const whole = inOrder(messages).reduce(applyObservation, unobservedFlight);
    const results = listResults(messages, nothingHeld);
    expect([results.length, ...new Set(results)], `set ${set}`).toEqual([orders, JSON.stringify(whole)]);
    // The view of a flight follows from its facts alone, through JSON as well.
    const views = [whole, JSON.parse(results[0] ?? '')].map((known) => computeFlightView(known, locationIds.london));
    expect(views[1]).toEqual(views[0]);
  }
});

const states = Object.keys(correctionsOfState);
/** On one leg; not a correction when the state of the whole flight stays. */
const isAgainstOrder = (from: FlightState, to: FlightState): boolean =>
  correctionsOfState[from][states.indexOf(to)] === 'x';

const hasArrived = ({ destination: { actualOn, actualIn } }: FlightView): boolean =>
  (actualOn ?? actualIn) !== undefined;

test('every step of a history against the published order is a correction, and no other on the same leg', () => {
  const random = createRandomNumbers(SEED + 2);
  const counts = { against: 0, usual: 0 };
  const wrong: string[] = [];
  for (let set = 0; set < 500 * factor; set += 1) {
    let known = unobservedFlight;
    let before: FlightView | undefined;
    for (const message of inOrder(createRandomMessages(random, 8))) {
      known = applyObservation(known, message);
      const view = computeFlightView(known, locationIds.london);
      const legs = before ? Math.floor(view.progress / 10) - Math.floor(before.progress / 10) : 0;
      if (before && (legs === 0 || (hasArrived(before) && hasArrived(view)))) {
        const isAgainst = isAgainstOrder(before.state, view.state);
        counts[isAgainst ? 'against' : 'usual'] += 1;
        if (isCorrection(before, view) !== isAgainst)
          wrong.push(`set ${set}, message ${message.id}: ${before.state} to ${view.state}`);
      }
      before = view;
    }
  }
  expect(wrong).toEqual([]);
  expect(Math.min(counts.against, counts.usual)).toBeGreaterThan(100);
});
