import { describe, expect, test } from 'vitest';
import type { ConnectingFlight } from '../../../../src/domain/connections/flights/connecting-flight.ts';
import { isInternational, listTrafficRejections } from '../../../../src/domain/connections/rules/traffic-rejections.ts';
import type { Restriction } from '../../../../src/domain/schedule/schedule.ts';
import { createFlight, createRestriction } from '../sample-flights.ts';

/** The restricted flight is BA from or to Heathrow; the other flight is of BA or not, and domestic or not. */
const others = { 'BA domestic': 'BA', 'BA international': 'BA', domestic: 'KL', international: 'KL' } as const;
type Other = keyof typeof others;
type Service = 'Passenger' | 'Cargo';

const otherFlight = (other: Other, leg: 1 | 2): ConnectingFlight => {
  const beyond = other.endsWith('international') ? 'CDG' : 'MAN';
  return createFlight(`${others[other]} 2`, leg === 1 ? `${beyond} LHR` : `LHR ${beyond}`, { serviceType: 'Q' });
};

const restricted = (leg: 1 | 2, restrictions: readonly Restriction[]): ConnectingFlight =>
  createFlight('BA 1', leg === 1 ? 'AMS LHR' : 'LHR AMS', { serviceType: 'Q', restrictions });

/** The flights that connect with a restricted flight, as leg 1 or as leg 2. */
const connectsWith = (leg: 1 | 2, restrictions: readonly Restriction[], service: Service): readonly string[] =>
  Object.keys(others).filter((name) => {
    const other = otherFlight(name as Other, leg === 1 ? 2 : 1);
    const [first, second] = leg === 1 ? [restricted(1, restrictions), other] : [other, restricted(2, restrictions)];
    return listTrafficRejections(first, second, service).length === 0;
  });

const all = ['BA domestic', 'BA international', 'domestic', 'international'];
const online = ['BA domestic', 'BA international'];
const international = ['BA international', 'international'];

describe.each([
  ['A', []],
  ['B', []],
  ['C', ['BA domestic', 'domestic']],
  ['D', ['BA international']],
  ['E', online],
  ['F', online],
  ['G', online],
  ['H', []],
  ['I', []],
  ['K', all],
  ['M', []],
  ['N', international],
  ['O', ['BA international']],
  ['Q', ['BA international']],
  ['T', []],
  ['V', all],
  ['W', international],
  ['X', online],
  ['Y', online],
  ['Z', []],
  ['9', []],
])('restriction %s', (code, allowed) => {
  test.each(['Passenger', 'Cargo'] as const)('holds where the flights meet: %s', (service) => {
    const atOff = createRestriction(code, { boardPoint: false });
    const atBoard = createRestriction(code, { offPoint: false });
    expect(connectsWith(1, [createRestriction(code)], service)).toEqual(allowed);
    expect(connectsWith(2, [createRestriction(code)], service)).toEqual(allowed);
    expect(connectsWith(1, [atOff], service)).toEqual(allowed);
    expect(connectsWith(2, [atBoard], service)).toEqual(allowed);
  });

  test.each(['Passenger', 'Cargo'] as const)(
    'holds only at the other end, where local traffic is required: %s',
    (service) => {
      const sold = ['B', 'C', 'F'].includes(code) ? all : [];
      expect(connectsWith(1, [createRestriction(code, { offPoint: false })], service)).toEqual(sold);
      expect(connectsWith(2, [createRestriction(code, { boardPoint: false })], service)).toEqual(sold);
    },
  );

  test('applies only to the traffic it is filed for', () => {
    const forPassengers = [createRestriction(code, { cargo: false, mail: false })];
    const forCargo = [createRestriction(code, { passenger: false, mail: false })];
    const forMail = [createRestriction(code, { passenger: false, cargo: false })];
    expect(connectsWith(1, forPassengers, 'Passenger')).toEqual(allowed);
    expect(connectsWith(1, forPassengers, 'Cargo')).toEqual(all);
    expect(connectsWith(1, forCargo, 'Passenger')).toEqual(all);
    expect(connectsWith(1, forCargo, 'Cargo')).toEqual(allowed);
    expect(connectsWith(1, forMail, 'Passenger')).toEqual(all);
    expect(connectsWith(1, forMail, 'Cargo')).toEqual(all);
  });
});

describe('a qualified restriction on both flights where they meet', () => {
  const pair = (of1: Restriction, of2: Restriction) =>
    [
      createFlight('BA 1', 'AMS LHR', { restrictions: [of1] }),
      createFlight('BA 2', 'LHR CDG', { restrictions: [of2] }),
    ] as const;

  test.each(['DD', 'DE', 'DG', 'EE', 'EG', 'GD', 'GG'])('forbids the connection: %s', ([code1 = '', code2 = '']) => {
    expect(listTrafficRejections(...pair(createRestriction(code1), createRestriction(code2)), 'Passenger')).toEqual([
      { leg: 1, service: 'Passenger', code: code1, readAs: code1, holdsHere: true, reason: 'both-qualified' },
      { leg: 2, service: 'Passenger', code: code2, readAs: code2, holdsHere: true, reason: 'both-qualified' },
    ]);
  });

  test('on one of them, or on both with another traffic or at another end, allows it', () => {
    expect(listTrafficRejections(...pair(createRestriction('E'), createRestriction('Y')), 'Passenger')).toEqual([]);
    expect(
      listTrafficRejections(...pair(createRestriction('E'), createRestriction('E', { passenger: false })), 'Passenger'),
    ).toEqual([]);
    expect(
      listTrafficRejections(
        ...pair(createRestriction('E'), createRestriction('E', { boardPoint: false })),
        'Passenger',
      ),
    ).toEqual([{ leg: 2, service: 'Passenger', code: 'E', readAs: 'E', holdsHere: false, reason: 'no-local-sale' }]);
  });
});

test('all restrictions of a flight must allow the connection', () => {
  expect(connectsWith(1, [createRestriction('Y'), createRestriction('N', { number: 2 })], 'Passenger')).toEqual([
    'BA international',
  ]);
});

test('a rejection contains the leg, the code and the missing condition', () => {
  const first = createFlight('BA 1', 'AMS LHR', { serviceType: 'F', restrictions: [createRestriction('X')] });
  const second = createFlight('KL 2', 'LHR MAN', { serviceType: 'F', restrictions: [createRestriction('W')] });
  expect(listTrafficRejections(first, second, 'Cargo')).toEqual([
    { leg: 1, service: 'Cargo', code: 'X', readAs: 'Y', holdsHere: true, reason: 'not-online' },
  ]);
});

test('a restriction for mail applies to a mail flight only', () => {
  const forMail = [createRestriction('A', { passenger: false, cargo: false })];
  const mail = createFlight('BA 1', 'AMS LHR', { serviceType: 'M', restrictions: forMail });
  const freighter = createFlight('BA 1', 'AMS LHR', { serviceType: 'F', restrictions: forMail });
  const next = createFlight('BA 2', 'LHR MAN', { serviceType: 'F' });
  expect(listTrafficRejections(freighter, next, 'Cargo')).toEqual([]);
  expect(listTrafficRejections(mail, next, 'Cargo')).toEqual([
    { leg: 1, service: 'Cargo', code: 'A', readAs: 'A', holdsHere: true, reason: 'never' },
  ]);
});

test('a code for passengers is read by its cargo meaning for cargo', () => {
  const first = createFlight('BA 1', 'AMS LHR', { serviceType: 'Q', restrictions: [createRestriction('M')] });
  const second = createFlight('BA 2', 'LHR CDG', { serviceType: 'Q' });
  expect(listTrafficRejections(first, second, 'Cargo')).toEqual([
    { leg: 1, service: 'Cargo', code: 'M', readAs: 'A', holdsHere: true, reason: 'never' },
  ]);
});

test('a flight is international unless both its ends are known to be in one country', () => {
  expect(isInternational(createFlight('BA 1', 'MAN LHR'))).toBe(false);
  expect(isInternational(createFlight('BA 1', 'MAN CDG LHR'))).toBe(false);
  expect(isInternational(createFlight('BA 1', 'CDG LHR'))).toBe(true);
  expect(isInternational(createFlight('BA 1', 'MAN XXX'))).toBe(true);
  expect(isInternational(createFlight('BA 1', 'XXX XXX'))).toBe(true);
});
