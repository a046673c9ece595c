import { expect, test } from 'vitest';
import { computeFlightView } from '#domain/status/flight-view.ts';
import type { UtcMillisecond, UtcSecond } from '#domain/status/instants.ts';
import {
  applyObservation,
  compareObservations,
  type Observation,
  selectResource,
  unobservedFlight,
} from '#domain/status/observed-flight.ts';
import {
  defaultSourcePrecedence,
  formatSourcePrecedence,
  getSourceAirport,
  getSourceName,
  getSourceRank,
  parseSourcePrecedence,
  rankMessages,
} from '#domain/status/source-precedence.ts';

test.each([
  ['* avinor,hkia', [['*'], ['avinor', 'hkia']]],
  ['  aidx   *  avinor  ', [['aidx'], ['*'], ['avinor']]],
  ['*', [['*']]],
  ['avinor hkia', undefined],
  ['* avinor,avinor', undefined],
  ['* avinor,,hkia', undefined],
  ['', undefined],
])('the order of precedence %s is read', (text, expected) => {
  expect(parseSourcePrecedence(text)).toEqual(expected);
});

test('by default contracted sources have precedence over public feeds', () => {
  expect(formatSourcePrecedence(defaultSourcePrecedence)).toBe('* avinor,hkia,swedavia');
  expect(
    ['feed', 'aidx', 'avinor', 'avinor:OSL', 'hkia'].map((one) => getSourceRank(one, defaultSourcePrecedence)),
  ).toEqual([0, 0, 1, 1, 1]);
  expect([getSourceName('avinor:OSL'), getSourceAirport('avinor:OSL'), getSourceAirport('avinor')]).toEqual([
    'avinor',
    'OSL',
    undefined,
  ]);
});

test('messages have the rank of another order than the default, and keep one that they have', () => {
  const precedence = parseSourcePrecedence('avinor * hkia:HKG');
  const messages = [{ source: 'avinor:OSL' }, { source: 'feed' }, { source: 'hkia' }, { source: 'hkia:HKG', rank: 0 }];
  expect(rankMessages(messages, precedence).map(({ rank }) => rank)).toEqual([0, 1, undefined, 0]);
  expect(rankMessages(messages, undefined)).toBe(messages);
});

let count = 0;
const at = (minute: number): UtcMillisecond => (minute * 60_000) as UtcMillisecond;
const time = (minute: number): UtcSecond => (minute * 60) as UtcSecond;
const report = (minute: number, facts: Observation['facts'], more: Partial<Observation> = {}): Observation => {
  count += 1;
  return { id: `m${count}`, observedAt: at(minute), facts, landings: [], ...more };
};
const open = { source: 'avinor', rank: 1 };
const apply = (messages: readonly Observation[]) =>
  messages.toSorted(compareObservations).reduce(applyObservation, unobservedFlight);
const gate = (...messages: readonly Observation[]) => apply(messages).facts.departureGate;

test('a public feed fills what a contracted source has not reported, and never overrides it', () => {
  expect(gate(report(1, { departureGate: 'A1' }, open))).toEqual(['A1', at(1), 2, 'avinor']);
  const contracted = report(1, { departureGate: 'B1' });
  expect(gate(contracted, report(2, { departureGate: 'A1' }, open))).toEqual(['B1', at(1)]);
  expect(gate(report(0, { departureGate: 'A1' }, open), contracted)).toEqual(['B1', at(1)]);
  expect(gate(contracted, report(2, { departureGate: null }, open))).toEqual(['B1', at(1)]);
});

test('a value that a contracted source withdrew is filled by later messages of a public feed only', () => {
  const before = [report(1, { departureGate: 'A1' }, open), report(2, { departureGate: 'B1' })];
  const withdrawn = [...before, report(3, { departureGate: null })];
  expect(gate(...withdrawn)).toEqual([null, at(3)]);
  expect(gate(...withdrawn, report(4, { departureGate: 'A2' }, open))).toEqual(['A2', at(4), 2, 'avinor']);
});

test('of sources of one rank, the airport counts at its own end, and otherwise the later message', () => {
  const osl = { ...open, source: 'avinor:OSL', ownEnd: 'departure' } as const;
  const other = { ...open, source: 'swedavia:ARN', ownEnd: 'arrival' } as const;
  const facts = { departureGate: 'A1', arrivalGate: 'Z1', cancelled: true };
  const known = apply([
    report(1, facts, osl),
    report(2, { departureGate: 'A2', arrivalGate: 'Z2', cancelled: false }, other),
  ]);
  expect(known.facts).toEqual({
    departureGate: ['A1', at(1), 1, 'avinor'],
    arrivalGate: ['Z2', at(2), 1, 'swedavia'],
    cancelled: [false, at(2), 2, 'swedavia'],
  });
  expect(known.reports).toEqual({ avinor: at(1), swedavia: at(2) });
});

test('the result does not depend on the order in which messages arrive', () => {
  const messages = [
    report(1, { departureGate: 'A1' }, open),
    report(2, { departureGate: 'B1' }),
    report(3, { departureGate: 'A3' }, open),
    report(4, { departureGate: null }),
    report(5, { departureGate: 'A5' }, open),
    report(6, { departureGate: 'C6' }, { source: 'hkia', rank: 1 }),
  ];
  for (let first = 0; first < messages.length; first += 1)
    expect(gate(...messages.slice(first), ...messages.slice(0, first))).toEqual(['C6', at(6), 2, 'hkia']);
});

test('an actual gate of a public feed does not replace a planned one of a contracted source', () => {
  const gates = (...messages: readonly Observation[]) => {
    const { departureGate, plannedDepartureGate } = apply(messages).facts;
    return selectResource(departureGate, plannedDepartureGate);
  };
  const planned = report(1, { plannedDepartureGate: 'P' });
  expect(gates(planned, report(2, { departureGate: 'A' }, open))).toBe('P');
  expect(gates(planned, report(2, { departureGate: 'A' }))).toBe('A');
  expect(gates(report(1, { plannedDepartureGate: 'P' }, open), report(2, { departureGate: 'A' }, open))).toBe('A');
});

test('of two actual times that contradict each other, that of the contracted source counts', () => {
  const known = apply([report(1, { actualOut: time(60) }), report(2, { actualOff: time(50) }, open)]);
  expect(computeFlightView(known, 1)).toMatchObject({
    state: 'OutGate',
    actualOut: time(60),
    actualOff: undefined,
    contradictions: ['actualOff'],
  });
});

test('a landing that a contracted source reports is neither moved nor withdrawn by a public feed', () => {
  const landing = (airport: number | null, more: object = {}) => ({ landings: [{ id: '1', airport, ...more }] });
  const known = apply([
    { ...report(1, {}), ...landing(7, { actualOn: time(60) }) },
    { ...report(2, {}, open), ...landing(null) },
    { ...report(3, {}, open), ...landing(8) },
  ]);
  expect(known.landings).toEqual({ 1: { since: at(1), facts: { airport: [7, at(1)], actualOn: [time(60), at(1)] } } });
});

test('messages that replace others keep sources and levels', async () => {
  const { mergeEarlier } = await import('#domain/status/earlier-messages.ts');
  const messages = [
    report(1, { departureGate: 'B1' }),
    report(2, { departureGate: 'A1', departureTerminal: '1' }, open),
  ];
  const [first, last] = messages;
  if (!first || !last) throw new Error('two messages');
  const merged = mergeEarlier([first], last);
  expect(apply([merged])).toEqual({ ...apply(messages), messages: 1 });
  // It arrived later than the others were merged.
  const late = report(0, { departureTerminal: '2', departureGate: 'B0' });
  expect(apply([merged, late]).facts).toEqual({ departureGate: ['B1', at(1)], departureTerminal: ['2', at(0)] });
});
