import { describe, expect, test } from 'vitest';
import type { StatusDetails } from '../../../../generated/flight-info/v2/types.gen.ts';
import { buildThroughHistory } from '../../../../src/products/flight-info/v2/through-status.ts';

type State = StatusDetails['state'];

/** A leg status with distinguishable airports. */
const leg = (time: string, state: State, changes: Partial<StatusDetails> = {}): StatusDetails => ({
  state,
  updatedAt: `2026-06-01T${time}:00.000`,
  ...changes,
});

const first = { departure: { gate: 'A1' }, arrival: { gate: 'A2' } };
const second = { departure: { gate: 'B1' }, arrival: { gate: 'B2' } };

const latestState = (...legs: readonly (readonly StatusDetails[])[]): State | undefined =>
  buildThroughHistory(legs)[0]?.state;

test('a flight of which no leg has a status has none', () => {
  expect(buildThroughHistory([[], []])).toEqual([]);
});

test('the departure is that of the first leg, the arrival that of the last, and the state that of the current leg', () => {
  const legs = [
    [leg('12:00', 'InGate', first), leg('09:00', 'OutGate', first)],
    [leg('13:00', 'inAir', second), leg('08:00', 'Scheduled', second)],
  ];
  const ends = { departure: first.departure, arrival: second.arrival };
  expect(buildThroughHistory(legs)).toEqual([
    leg('13:00', 'inAir', ends),
    leg('12:00', 'InGate', ends),
    leg('09:00', 'OutGate', ends),
    leg('08:00', 'Scheduled', { arrival: second.arrival }),
  ]);
});

describe('the state', () => {
  test.each<[string, State | undefined, State | undefined, State]>([
    ['of a flight before departure', 'Scheduled', 'Scheduled', 'Scheduled'],
    ['of a flight on its first leg', 'inAir', 'Scheduled', 'inAir'],
    ['between two legs is that of the one flown last', 'InGate', 'Scheduled', 'InGate'],
    ['of a flight on its last leg, without reports of the first', undefined, 'Landed', 'Landed'],
    ['of a flight on its first leg, without reports of the last', 'OutGate', undefined, 'OutGate'],
    ['when the first leg is cancelled', 'Canceled', 'Scheduled', 'Canceled'],
    ['when the last leg is cancelled after the first was flown', 'InGate', 'Canceled', 'Canceled'],
  ])('%s', (_, one, other, state) => {
    const history = (reported: State | undefined): readonly StatusDetails[] =>
      reported ? [leg('10:00', reported)] : [];
    expect(latestState(history(one), history(other))).toBe(state);
  });
});

test('each status of a leg is one of the whole flight, also for simultaneous ones', () => {
  const legs = [[leg('10:00', 'inAir')], [leg('10:00', 'Scheduled'), leg('09:00', 'Scheduled')]];
  expect(buildThroughHistory(legs).map(({ updatedAt, state }) => [updatedAt.slice(11, 16), state])).toEqual([
    ['10:00', 'inAir'],
    ['10:00', 'inAir'],
    ['09:00', 'Scheduled'],
  ]);
});

test('the latest status is the same from complete histories and from the latest status of each leg', () => {
  const legs = [
    [leg('12:00', 'InGate', first), leg('09:00', 'OutGate', first)],
    [leg('11:00', 'Scheduled', { ...second, correction: true }), leg('10:00', 'inAir', second)],
  ];
  const latest = buildThroughHistory(legs.map((history) => history.slice(0, 1)));
  expect(buildThroughHistory(legs)[0]).toEqual(latest[0]);
});

test('the aircraft is that of the current leg, and before departure that of the first known leg', () => {
  const equipped = (registration: string) => ({ equipment: { aircraftRegistrationNumber: registration } });
  const equipmentOf = (...legs: readonly (readonly StatusDetails[])[]) => buildThroughHistory(legs)[0]?.equipment;
  const waiting = leg('08:00', 'Scheduled', equipped('GBBBB'));
  expect(equipmentOf([leg('08:00', 'Scheduled', equipped('GAAAA'))], [waiting])).toEqual(equipped('GAAAA').equipment);
  expect(equipmentOf([], [waiting])).toEqual(equipped('GBBBB').equipment);
  expect(equipmentOf([leg('09:00', 'InGate', equipped('GAAAA'))], [waiting])).toEqual(equipped('GAAAA').equipment);
  expect(
    equipmentOf([leg('09:00', 'InGate', equipped('GAAAA'))], [leg('10:00', 'OutGate', equipped('GBBBB'))]),
  ).toEqual(equipped('GBBBB').equipment);
});

test('a diversion is that of the last diverted leg, with all properties from that leg', () => {
  const toParis: Partial<StatusDetails> = {
    diversionAirport: { iata: 'CDG' },
    diversionType: 'TechnicalStop',
    irregularOperationType: 'Diverted',
  };
  const unknown: Partial<StatusDetails> = { diversionType: 'Undefined', irregularOperationType: 'Diverted' };
  const legs = [[leg('09:00', 'InGate', toParis)], [leg('12:00', 'inAir', unknown), leg('10:00', 'Scheduled')]];
  expect(buildThroughHistory(legs)).toEqual([
    leg('12:00', 'inAir', unknown),
    leg('10:00', 'InGate', toParis),
    leg('09:00', 'InGate', toParis),
  ]);
});

test('a correction of a leg is one of the whole flight at that moment only', () => {
  const legs = [[leg('10:00', 'Scheduled', { correction: true }), leg('09:00', 'inAir')], [leg('11:00', 'Scheduled')]];
  expect(buildThroughHistory(legs).map(({ correction }) => correction)).toEqual([undefined, true, undefined]);
});
