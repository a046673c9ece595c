import { expect, test } from 'vitest';
import { mergeEarlier, selectEarlier } from '#domain/status/earlier-messages.ts';
import { computeFlightView } from '#domain/status/flight-view.ts';
import type { UtcMillisecond } from '#domain/status/instants.ts';
import {
  applyObservation,
  compareObservations,
  formatObservation,
  type FlightObservations,
  type Observation,
  parseObservation,
  unobservedFlight,
} from '#domain/status/observed-flight.ts';
import { createLandingObservation, createObservation, locationIds, toMessageTime } from './observations.ts';
import { createRandomMessage, createRandomNumbers, shuffle } from './random-messages.ts';

const bounds = { max: 20, min: 10 };

/** Merges messages as they are stored. */
const merge = (messages: readonly Observation[], limits = bounds): readonly Observation[] => {
  const ordered = messages.toSorted(compareObservations);
  const selected = selectEarlier(ordered, limits);
  if (!selected) return ordered;
  const { last, merged } = selected;
  const replacing = mergeEarlier(merged, last);
  const stored = parseObservation({ ...replacing, observation: formatObservation(replacing) });
  return ordered.filter((one) => !merged.includes(one)).map((one) => (one === last ? stored : one));
};

/** Stores messages in their order of arrival, merging those that are too many. */
const receive = (messages: readonly Observation[]): readonly Observation[] =>
  messages.reduce<readonly Observation[]>((stored, message) => merge([...stored, message]), []);

/** The state after each of the newest messages. */
const listStates = (messages: readonly Observation[], count: number) => {
  const states: object[] = [];
  let known: FlightObservations = unobservedFlight;
  for (const message of messages.toSorted(compareObservations)) {
    known = applyObservation(known, message);
    const { facts, landings } = known;
    states.push({ id: message.id, facts, landings, view: computeFlightView(known, locationIds.london) });
  }
  return states.slice(-count);
};

const SETS = 300;

test('messages that are merged as they arrive change neither the status nor the history since then', () => {
  const random = createRandomNumbers(20_260_601);
  for (let set = 0; set < SETS; set += 1) {
    const messages = Array.from({ length: 21 + random(60) }, (_, index) => createRandomMessage(random, `m${index}`));
    const ordered = messages.toSorted(compareObservations);
    const stored = receive(ordered);
    expect(stored.length, `set ${set}`).toBeLessThanOrEqual(bounds.max);
    expect(listStates(stored, bounds.min), `set ${set}`).toEqual(listStates(messages, bounds.min));
  }
});

test('facts that arrive late count by their times, before and after the merged messages', () => {
  const random = createRandomNumbers(20_260_602);
  for (let set = 0; set < SETS; set += 1) {
    const messages = Array.from({ length: 21 + random(60) }, (_, index): Observation => ({
      ...createRandomMessage(random, `m${index}`),
      landings: [],
      observedAt: (toMessageTime('09:00') + index * 1000) as UtcMillisecond,
    }));
    const stored = receive(shuffle(messages, random));
    expect(stored.length, `set ${set}`).toBeLessThanOrEqual(bounds.max);
    expect(listStates(stored, 1), `set ${set}`).toEqual([{ ...listStates(messages, 1)[0], id: stored.at(-1)?.id }]);
  }
});

test('a repeated message that was merged has no effect', () => {
  const messages = Array.from({ length: 30 }, (_, index) =>
    createObservation(`09:${10 + index}`, {
      departureGate: `A${index}`,
      ...(index === 3 && { registration: 'GABCD' }),
    }),
  );
  const stored = receive(messages);
  for (const again of messages) expect(listStates([...stored, again], 1)).toEqual(listStates(messages, 1));
});

test('messages of schedules are never merged: they can be withdrawn', () => {
  const cancellation = createObservation('09:00', { cancelled: true }, { id: 'asm:1' });
  const others = Array.from({ length: 40 }, (_, index) =>
    createObservation(`09:${10 + index}`, { departureGate: 'A' }),
  );
  const stored = receive([cancellation, ...others]);
  expect(stored[0]).toEqual(cancellation);
  expect(stored.filter(({ earlier }) => earlier).length).toBe(1);
});

test('processes of an earlier version read the values of merged messages', () => {
  const landings = [{ id: '1', airport: locationIds.paris, actualOn: null }] as const;
  const [first, last] = [
    createObservation('09:00', { departureGate: 'A1', registration: null }),
    createLandingObservation('09:01', ...landings),
  ];
  expect(mergeEarlier([first], last)).toMatchObject({
    id: '09:01',
    facts: { departureGate: 'A1', registration: null },
    landings,
  });
});
