import { expect, test } from 'vitest';
import {
  compareObservations,
  unobservedFlight,
  applyObservation,
  applyObservations,
  parseObservation,
  formatObservation,
  getValue,
} from '../../../src/domain/status/observed-flight.ts';
import type { FlightFacts, LandingFacts } from '../../../src/domain/status/message.ts';
import { toInstant, toMessageTime, locationIds, createObservation, createLandingObservation } from './observations.ts';

const { paris, lyon } = locationIds;
const [nine, nineTen, nineTwenty] = ['09:00', '09:10', '09:20'].map(toMessageTime);

test.each<[string, readonly FlightFacts[], object]>([
  [
    'the last value of each fact with its time',
    [
      { estimatedOut: toInstant('10:00'), departureGate: 'A1' },
      { estimatedOut: toInstant('10:20'), registration: 'GABCD' },
    ],
    {
      estimatedOut: [toInstant('10:20'), nineTen],
      departureGate: ['A1', nine],
      registration: ['GABCD', nineTen],
    },
  ],
  [
    'null for a withdrawn value, and one that is not mentioned again',
    [
      { actualOut: toInstant('08:58'), departureGate: 'A1' },
      { actualOut: null, departureGate: undefined },
    ],
    { actualOut: [null, nineTen], departureGate: ['A1', nine] },
  ],
  ['false as a value', [{ cancelled: false }], { cancelled: [false, nine] }],
])('the facts of a flight are %s', (_, reported, expected) => {
  const messages = reported.map((facts, index) => createObservation(`09:${index}0`, facts));
  expect(applyObservations(messages)).toEqual({ facts: expected, landings: {} });
});

test('returns the value of a fact: false is a value, a withdrawn one is none', () => {
  const reported = { cancelled: false, actualOut: null, departureGate: 'A1' };
  const { facts } = applyObservations([createObservation('09:00', reported)]);
  const values = (['cancelled', 'actualOut', 'departureGate', 'registration'] as const).map((name) =>
    getValue(facts, name),
  );
  expect(values).toEqual([false, undefined, 'A1', undefined]);
});

test('the newer message is selected by source time, then by ID, and never by arrival', () => {
  const early = createObservation('09:00', { departureGate: 'early' }, { id: 'z' });
  const first = createObservation('09:30', { departureGate: 'first' }, { id: 'a' });
  const second = createObservation('09:30', { departureGate: 'second' }, { id: 'b' });
  const orders = [
    [early, first, second],
    [second, first, early],
    [first, second, early],
  ];
  const gates = orders.map((messages) => applyObservations(messages).facts.departureGate);
  expect(gates).toEqual(orders.map(() => ['second', toMessageTime('09:30')]));
  const comparisons = [compareObservations(first, second), compareObservations(second, first)];
  expect([...comparisons, compareObservations(first, { ...first })]).toEqual([-1, 1, 0]);
});

test.each<[string, readonly LandingFacts<number>[], object]>([
  [
    'is identified by its ID since its first report',
    [
      { id: '1' },
      { id: '1', airport: paris, estimatedOn: toInstant('10:00') },
      { id: '1', estimatedOn: null, actualOn: toInstant('09:08') },
    ],
    {
      since: nine,
      facts: { airport: [paris, nineTen], estimatedOn: [null, nineTwenty], actualOn: [toInstant('09:08'), nineTwenty] },
    },
  ],
  [
    'that was withdrawn leaves nothing when it is reported again',
    [
      { id: '1', airport: paris, estimatedOn: toInstant('10:00'), continues: true },
      { id: '1', airport: null },
      { id: '1', airport: lyon },
    ],
    { since: nineTwenty, facts: { airport: [lyon, nineTwenty] } },
  ],
  [
    'that is expected and moves to another airport starts again',
    [
      { id: '1', airport: paris, estimatedOn: toInstant('10:00') },
      { id: '1', airport: lyon, estimatedIn: toInstant('10:30') },
    ],
    { since: nineTen, facts: { airport: [lyon, nineTen], estimatedIn: [toInstant('10:30'), nineTen] } },
  ],
  [
    'that is completed keeps its times when its airport is corrected',
    [
      { id: '1', airport: paris, actualOn: toInstant('08:58') },
      { id: '1', airport: lyon },
    ],
    { since: nine, facts: { airport: [lyon, nineTen], actualOn: [toInstant('08:58'), nine] } },
  ],
])('a landing %s', (_, reports, expected) => {
  const other = createLandingObservation('09:30', { id: '2', airport: lyon });
  const messages = reports.map((report, index) => createLandingObservation(`09:${index}0`, report));
  expect(applyObservations([...messages, other]).landings).toEqual({
    1: expected,
    2: { since: toMessageTime('09:30'), facts: { airport: [lyon, toMessageTime('09:30')] } },
  });
});

test('applying an observation does not mutate the previous state', () => {
  const before = applyObservations([createLandingObservation('09:00', { id: '1', airport: paris })]);
  const copy = structuredClone(before);
  applyObservation(before, createObservation('09:10', { cancelled: true }, { landings: [{ id: '1', airport: null }] }));
  expect([before, unobservedFlight]).toEqual([copy, { facts: {}, landings: {} }]);
});

test('observations and stored messages survive JSON', () => {
  const landings = [{ id: '1', airport: null }];
  const message = createObservation('09:00', { actualOut: null, cancelled: false }, { landings });
  const flight = applyObservations([message]);
  expect(JSON.parse(JSON.stringify(flight))).toEqual(flight);
  const { id, observedAt } = message;
  expect(parseObservation({ id, observedAt, observation: formatObservation(message) })).toEqual(message);
});
