import { expect, test } from 'vitest';
import { buildHistory } from '../../../../src/products/flight-info/v2/row-statuses.ts';
import { at, places, said, saidElsewhere } from '../../../domain/status/observations.ts';
import { directory, frame } from './status-directory.ts';

const summary = (messages: Parameters<typeof buildHistory>[0]) =>
  buildHistory(messages, frame, directory).map(({ updatedAt, state, arrival, correction }) => [
    updatedAt.slice(11, 16),
    state,
    arrival?.airport?.iata,
    correction,
  ]);

test('a flight without messages has no history', () => {
  expect(buildHistory([], frame, directory)).toEqual([]);
});

test('every message is a status, newest first, in the order in which their sources knew them', () => {
  const messages = [
    said('19:10', { actualIn: at('19:09') }),
    said('10:02', { actualOut: at('10:01') }),
    saidElsewhere('11:00', { id: '1', airport: places.paris }),
    said('10:20', { actualOff: at('10:18') }),
    saidElsewhere('12:10', { id: '1', actualOn: at('11:55'), actualOff: at('12:09') }),
    said('09:00', { departureGate: 'B36' }),
  ];
  expect(summary(messages)).toEqual([
    ['19:10', 'InGate', 'JFK', undefined],
    ['12:10', 'inAir', 'JFK', undefined],
    ['11:00', 'inAir', 'CDG', undefined],
    ['10:20', 'inAir', 'JFK', undefined],
    ['10:02', 'OutGate', 'JFK', undefined],
    ['09:00', 'Scheduled', 'JFK', undefined],
  ]);
});

test('what a message took back is marked at that message, and not at those after it', () => {
  const messages = [
    said('10:20', { actualOff: at('10:18') }),
    said('10:30', { actualOff: null }),
    said('10:40', { departureGate: 'B36' }),
    said('10:50', { cancelled: true }),
    said('11:00', { cancelled: false }),
  ];
  expect(summary(messages)).toEqual([
    ['11:00', 'Scheduled', 'JFK', undefined],
    ['10:50', 'Canceled', 'JFK', undefined],
    ['10:40', 'Scheduled', 'JFK', undefined],
    ['10:30', 'Scheduled', 'JFK', true],
    ['10:20', 'inAir', 'JFK', undefined],
  ]);
});

test('each status shows what was known then, and nothing that was said later', () => {
  const messages = [
    said('09:00', { departureGate: 'B36' }),
    said('09:30', { departureGate: 'B40', departureTerminal: '5' }),
  ];
  const ends = buildHistory(messages, frame, directory).map(({ departure }) => departure);
  const place = { airport: { iata: 'LHR', icao: 'EGLL' }, country: { code: 'GB' } };
  expect(ends).toEqual([
    { ...place, gate: 'B40', actualTerminal: '5' },
    { ...place, gate: 'B36' },
  ]);
});
