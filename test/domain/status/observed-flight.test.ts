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
import { toInstant, toMessageTime, locationIds, createObservation, createLandingObservation } from './observations.ts';

test('keeps the last value of each fact with its time', () => {
  const messages = [
    createObservation('09:00', { estimatedOut: toInstant('10:00'), departureGate: 'A1' }),
    createObservation('09:30', { estimatedOut: toInstant('10:20'), registration: 'GABCD' }),
  ];
  expect(applyObservations(messages)).toEqual({
    facts: {
      estimatedOut: [toInstant('10:20'), toMessageTime('09:30')],
      departureGate: ['A1', toMessageTime('09:00')],
      registration: ['GABCD', toMessageTime('09:30')],
    },
    landings: {},
  });
});

test('a withdrawn value is removed, an unmentioned one remains', () => {
  const flight = applyObservations([
    createObservation('09:00', { actualOut: toInstant('08:58'), departureGate: 'A1' }),
    createObservation('09:30', { actualOut: null, departureGate: undefined }),
  ]);
  expect(flight.facts).toEqual({
    actualOut: [null, toMessageTime('09:30')],
    departureGate: ['A1', toMessageTime('09:00')],
  });
  expect([getValue(flight.facts, 'actualOut'), getValue(flight.facts, 'departureGate')]).toEqual([undefined, 'A1']);
});

test('false is a value, not an absence', () => {
  expect(getValue(applyObservations([createObservation('09:00', { cancelled: false })]).facts, 'cancelled')).toBe(
    false,
  );
});

test('the newer message is selected by source time, then by ID, and never by arrival', () => {
  const early = createObservation('09:00', { departureGate: 'early' }, { id: 'z' });
  const first = createObservation('09:30', { departureGate: 'first' }, { id: 'a' });
  const second = createObservation('09:30', { departureGate: 'second' }, { id: 'b' });
  for (const messages of [
    [early, first, second],
    [second, first, early],
    [first, second, early],
  ])
    expect(applyObservations(messages).facts.departureGate).toEqual(['second', toMessageTime('09:30')]);
  expect([compareObservations(first, second), compareObservations(second, first)]).toEqual([-1, 1]);
  expect(compareObservations(first, { ...first })).toBe(0);
});

test('a landing is identified by its ID since its first report', () => {
  const flight = applyObservations([
    createLandingObservation('09:00', { id: '1' }),
    createLandingObservation('09:10', { id: '1', airport: locationIds.paris, estimatedOn: toInstant('10:00') }),
    createLandingObservation(
      '09:20',
      { id: '1', estimatedOn: null, actualOn: toInstant('09:58') },
      { id: '2', airport: locationIds.lyon },
    ),
  ]);
  expect(flight.landings).toEqual({
    1: {
      since: toMessageTime('09:00'),
      facts: {
        airport: [locationIds.paris, toMessageTime('09:10')],
        estimatedOn: [null, toMessageTime('09:20')],
        actualOn: [toInstant('09:58'), toMessageTime('09:20')],
      },
    },
    2: { since: toMessageTime('09:20'), facts: { airport: [locationIds.lyon, toMessageTime('09:20')] } },
  });
});

test('a withdrawn landing leaves nothing when it is reported again', () => {
  const flight = applyObservations([
    createLandingObservation('09:00', {
      id: '1',
      airport: locationIds.paris,
      estimatedOn: toInstant('10:00'),
      continues: true,
    }),
    createLandingObservation('09:10', { id: '1', airport: null }),
    createLandingObservation('09:20', { id: '1', airport: locationIds.lyon }),
  ]);
  expect(flight.landings).toEqual({
    1: { since: toMessageTime('09:20'), facts: { airport: [locationIds.lyon, toMessageTime('09:20')] } },
  });
});

test('an expected landing that moves to another airport starts again', () => {
  const flight = applyObservations([
    createLandingObservation('09:00', { id: '1', airport: locationIds.paris, estimatedOn: toInstant('10:00') }),
    createLandingObservation('09:10', { id: '1', airport: locationIds.lyon, estimatedIn: toInstant('10:30') }),
  ]);
  expect(flight.landings).toEqual({
    1: {
      since: toMessageTime('09:10'),
      facts: {
        airport: [locationIds.lyon, toMessageTime('09:10')],
        estimatedIn: [toInstant('10:30'), toMessageTime('09:10')],
      },
    },
  });
});

test('a completed landing keeps its times when its airport is corrected', () => {
  const flight = applyObservations([
    createLandingObservation('09:00', { id: '1', airport: locationIds.paris, actualOn: toInstant('08:58') }),
    createLandingObservation('09:10', { id: '1', airport: locationIds.lyon }),
  ]);
  expect(flight.landings).toEqual({
    1: {
      since: toMessageTime('09:00'),
      facts: {
        airport: [locationIds.lyon, toMessageTime('09:10')],
        actualOn: [toInstant('08:58'), toMessageTime('09:00')],
      },
    },
  });
});

test('applying an observation does not mutate the previous state', () => {
  const before = applyObservations([createLandingObservation('09:00', { id: '1', airport: locationIds.paris })]);
  const copy = structuredClone(before);
  applyObservation(before, createObservation('09:10', { cancelled: true }, { landings: [{ id: '1', airport: null }] }));
  expect([before, unobservedFlight]).toEqual([copy, { facts: {}, landings: {} }]);
});

test('observations and stored messages survive JSON', () => {
  const message = createObservation(
    '09:00',
    { actualOut: null, cancelled: false },
    { landings: [{ id: '1', airport: null }] },
  );
  const flight = applyObservations([message]);
  expect(JSON.parse(JSON.stringify(flight))).toEqual(flight);
  const { id, observedAt } = message;
  expect(parseObservation({ id, observedAt, observation: formatObservation(message) })).toEqual(message);
});
