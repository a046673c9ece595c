import { expect, test } from 'vitest';
import { compareObservations, unobservedFlight, applyObservation } from '#domain/status/observed-flight.ts';
import { parseObservation, formatObservation } from '#domain/status/observed-flight.ts';
import { getValue } from '#domain/status/observed-flight.ts';
import { applyObservations, toInstant, toMessageTime, locationIds, createObservation, report } from './observations.ts';

const { paris, lyon } = locationIds;
const [nine, nineTen, nineTwenty] = ['09:00', '09:10', '09:20'].map(toMessageTime);
const [early, ten, late] = ['08:58', '10:00', '10:20'].map(toInstant);

test.each<[string, readonly string[], object]>([
  [
    'the last value of each fact with its time',
    ['09:00 estimatedOut=10:00 departureGate=A1', '09:10 estimatedOut=10:20 registration=GABCD'],
    { estimatedOut: [late, nineTen], departureGate: ['A1', nine], registration: ['GABCD', nineTen] },
  ],
  [
    'null for a withdrawn value, and one that is not mentioned again',
    ['09:00 actualOut=08:58 departureGate=A1', '09:10 actualOut=null'],
    { actualOut: [null, nineTen], departureGate: ['A1', nine] },
  ],
  ['false as a value', ['09:00 cancelled=false'], { cancelled: [false, nine] }],
])('the facts of a flight are %s', (_, messages, expected) => {
  expect(applyObservations(messages.map(report))).toEqual({ messages: messages.length, facts: expected, landings: {} });
});

test('boarding is the latest report as a whole, by source time; null withdraws it', () => {
  const closed = { status: 'GateClosed', at: toInstant('10:20') } as const;
  const reopened = { status: 'GateOpen', at: toInstant('10:20') } as const;
  const reports = [
    createObservation('09:00', { boarding: closed }),
    createObservation('09:10', { boarding: reopened, checkIn: null }),
  ];
  expect(applyObservations(reports).facts).toEqual({ boarding: [reopened, nineTen], checkIn: [null, nineTen] });
});

test('an undefined value is not a report', () => {
  const messages = [{ departureGate: 'A1' }, { departureGate: undefined }].map((facts) =>
    createObservation('09:00', facts),
  );
  expect(applyObservations(messages).facts).toEqual({ departureGate: ['A1', nine] });
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

test.each<[string, readonly string[], object]>([
  [
    'is identified by its ID since its first report',
    ['09:00 1.', '09:10 1.airport=paris 1.estimatedOn=10:00', '09:20 1.estimatedOn=null 1.actualOn=08:58'],
    {
      since: nine,
      facts: { airport: [paris, nineTen], estimatedOn: [null, nineTwenty], actualOn: [early, nineTwenty] },
    },
  ],
  [
    'that was withdrawn leaves nothing when it is reported again',
    ['09:00 1.airport=paris 1.estimatedOn=10:00 1.continues=true', '09:10 1.airport=null', '09:20 1.airport=lyon'],
    { since: nineTwenty, facts: { airport: [lyon, nineTwenty] } },
  ],
  [
    'that is expected and moves to another airport starts again',
    ['09:00 1.airport=paris 1.estimatedOn=10:00', '09:10 1.airport=lyon 1.estimatedIn=10:00'],
    { since: nineTen, facts: { airport: [lyon, nineTen], estimatedIn: [ten, nineTen] } },
  ],
  [
    'that is completed keeps its times when its airport is corrected',
    ['09:00 1.airport=paris 1.actualOn=08:58', '09:10 1.airport=lyon'],
    { since: nine, facts: { airport: [lyon, nineTen], actualOn: [early, nine] } },
  ],
])('a landing %s', (_, messages, expected) => {
  const other = { since: nineTwenty, facts: { airport: [lyon, nineTwenty] } };
  const { landings } = applyObservations([...messages, '09:20 2.airport=lyon'].map(report));
  expect(landings).toEqual({ 1: expected, 2: other });
});

test('applying an observation does not mutate the previous state', () => {
  const before = applyObservations([report('09:00 1.airport=paris')]);
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
