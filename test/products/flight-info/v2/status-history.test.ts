import { describe, expect, test } from 'vitest';
import type { StatusDetails } from '#generated/flight-info/v2/types.gen.ts';
import { buildHistory } from '#products/flight-info/v2/row-statuses.ts';
import { buildThroughHistory } from '#products/flight-info/v2/through-status.ts';
import { toInstant, locationIds, createObservation } from '#test/domain/status/observations.ts';
import { createLandingObservation } from '#test/domain/status/observations.ts';
import { london } from './example-schedule.ts';
import { masterDataIndex, exampleReference } from './status-master-data.ts';

const build = (messages: Parameters<typeof buildHistory>[0]): readonly StatusDetails[] =>
  buildHistory(messages, exampleReference, masterDataIndex);
const summary = (messages: Parameters<typeof buildHistory>[0]): readonly string[] =>
  build(messages).map(({ updatedAt, state, arrival, correction }) =>
    [updatedAt.slice(11, 16), state, arrival?.airport?.iata, ...(correction ? ['corrected'] : [])].join(' '),
  );

test('the history of a flight has a status for every message, newest first, in the order of source times', () => {
  const messages = [
    createObservation('19:10', { actualIn: toInstant('19:09') }),
    createObservation('10:02', { actualOut: toInstant('10:01') }),
    createLandingObservation('11:00', { id: '1', airport: locationIds.paris }),
    createObservation('10:20', { actualOff: toInstant('10:18') }),
    createLandingObservation('12:10', { id: '1', actualOn: toInstant('11:55'), actualOff: toInstant('12:09') }),
    createObservation('09:00', { departureGate: 'B36' }),
  ];
  expect(summary(messages)).toEqual([
    '19:10 InGate JFK',
    '12:10 inAir JFK',
    '11:00 inAir CDG',
    '10:20 inAir JFK',
    '10:02 OutGate JFK',
    '09:00 Scheduled JFK',
  ]);
});

test('the history of a flight marks a withdrawn fact at that message, and not at later ones', () => {
  const messages = [
    createObservation('10:20', { actualOff: toInstant('10:18') }),
    createObservation('10:30', { actualOff: null }),
    createObservation('10:40', { departureGate: 'B36' }),
    createObservation('10:50', { cancelled: true }),
    createObservation('11:00', { cancelled: false }),
  ];
  expect(summary(messages)).toEqual([
    '11:00 Scheduled JFK',
    '10:50 Canceled JFK',
    '10:40 Scheduled JFK',
    '10:30 Scheduled JFK corrected',
    '10:20 inAir JFK',
  ]);
});

test('the history of a flight contains in each status the facts known then, and no later ones', () => {
  const ends = build([
    createObservation('09:00', { departureGate: 'B36' }),
    createObservation('09:30', { departureGate: 'B40', departureTerminal: '5' }),
  ]).map(({ departure }) => departure);
  const expected = [
    { ...london, gate: 'B40', actualTerminal: '5' },
    { ...london, gate: 'B36' },
  ];
  expect(ends).toEqual(expected);
});

describe('the history of a flight with stops', () => {
  type State = StatusDetails['state'];
  const leg = (time: string, state: State, changes: Partial<StatusDetails> = {}): StatusDetails => ({
    state,
    updatedAt: `2026-06-01T${time}:00.000`,
    ...changes,
  });

  test.each<[State | undefined, State | undefined, State | undefined]>([
    [undefined, undefined, undefined],
    ['Scheduled', 'Scheduled', 'Scheduled'],
    ['inAir', 'Scheduled', 'inAir'],
    ['InGate', 'Scheduled', 'InGate'],
    [undefined, 'Landed', 'Landed'],
    ['OutGate', undefined, 'OutGate'],
    ['Canceled', 'Scheduled', 'Canceled'],
    ['InGate', 'Canceled', 'Canceled'],
  ])('of legs that are %s and %s is %s', (one, other, state) => {
    const legs = [one, other].map((reported) => (reported ? [leg('10:00', reported)] : []));
    expect(buildThroughHistory(legs)[0]?.state).toBe(state);
  });

  test('has each status of a leg, also simultaneous ones', () => {
    const legs = [[leg('10:00', 'inAir')], [leg('10:00', 'Scheduled'), leg('09:00', 'Scheduled')]];
    expect(buildThroughHistory(legs).map(({ updatedAt, state }) => `${updatedAt.slice(11, 16)} ${state}`)).toEqual([
      '10:00 inAir',
      '10:00 inAir',
      '09:00 Scheduled',
    ]);
  });

  test('has the aircraft of the current leg, and before departure that of the first known leg', () => {
    const equipped = (registration: string) => ({ equipment: { aircraftRegistrationNumber: registration } });
    const aircraftOf = (...legs: readonly (readonly StatusDetails[])[]): string | undefined =>
      buildThroughHistory(legs)[0]?.equipment?.aircraftRegistrationNumber;
    const waiting = leg('08:00', 'Scheduled', equipped('GBBBB'));
    const arrived = leg('09:00', 'InGate', equipped('GAAAA'));
    expect(aircraftOf([leg('08:00', 'Scheduled', equipped('GAAAA'))], [waiting])).toBe('GAAAA');
    expect(aircraftOf([], [waiting])).toBe('GBBBB');
    expect(aircraftOf([arrived], [waiting])).toBe('GAAAA');
    expect(aircraftOf([arrived], [leg('10:00', 'OutGate', equipped('GBBBB'))])).toBe('GBBBB');
  });

  test('has the diversion of the last diverted leg, with all properties from that leg', () => {
    const irregular = { irregularOperationType: 'Diverted' } as const;
    const toParis = { ...irregular, diversionAirport: { iata: 'CDG' }, diversionType: 'TechnicalStop' } as const;
    const unknown = { ...irregular, diversionType: 'Undefined' } as const;
    const legs = [[leg('09:00', 'InGate', toParis)], [leg('12:00', 'inAir', unknown), leg('10:00', 'Scheduled')]];
    const expected = [leg('12:00', 'inAir', unknown), leg('10:00', 'InGate', toParis), leg('09:00', 'InGate', toParis)];
    expect(buildThroughHistory(legs)).toEqual(expected);
  });

  test('has the correction of a leg at that moment only', () => {
    const corrected = leg('10:00', 'Scheduled', { correction: true });
    const history = buildThroughHistory([[corrected, leg('09:00', 'inAir')], [leg('11:00', 'Scheduled')]]);
    expect(history.map(({ correction }) => correction)).toEqual([undefined, true, undefined]);
  });
});
