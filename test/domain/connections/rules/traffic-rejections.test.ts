import { describe, expect, test } from 'vitest';
import type { ConnectingFlight } from '../../../../src/domain/connections/flights/connecting-flight.ts';
import { isInternational, listTrafficRejections } from '../../../../src/domain/connections/rules/traffic-rejections.ts';
import type { Restriction } from '../../../../src/domain/schedule/schedule.ts';
import { createFlight, createRestriction } from '../sample-flights.ts';

type Service = 'Passenger' | 'Cargo';

/** The flights that connect with a restricted flight of BA, as leg 1 or as leg 2: of BA (online) or of KL, domestic or not. */
const connectsWith = (leg: 1 | 2, restrictions: readonly Restriction[], service: Service): string =>
  ['BA domestic', 'BA international', 'KL domestic', 'KL international']
    .filter((name) => {
      const beyond = name.endsWith('international') ? 'CDG' : 'MAN';
      const [to, from] = leg === 1 ? ['AMS LHR', `LHR ${beyond}`] : ['LHR AMS', `${beyond} LHR`];
      const restricted = createFlight('BA 1', to, { serviceType: 'Q', restrictions });
      const other = createFlight(`${name.slice(0, 2)} 2`, from, { serviceType: 'Q' });
      const pair: [ConnectingFlight, ConnectingFlight] = leg === 1 ? [restricted, other] : [other, restricted];
      return listTrafficRejections(...pair, service).length === 0;
    })
    .join(', ');

const all = 'BA domestic, BA international, KL domestic, KL international';
const online = 'BA domestic, BA international';
const international = 'BA international, KL international';
const domestic = 'BA domestic, KL domestic';

const uses: readonly (readonly [codes: string, allowed: string])[] = [
  ['ABHIMTZ9', ''],
  ['C', domestic],
  ['DOQ', 'BA international'],
  ['EFGXY', online],
  ['KV', all],
  ['NW', international],
];

describe.each(uses.flatMap(([codes, allowed]) => [...codes].map((code) => [code, allowed] as const)))(
  'restriction %s',
  (code, allowed) => {
    test.each(['Passenger', 'Cargo'] as const)('holds where the flights meet: %s', (service) => {
      const atOff = createRestriction(code, { boardPoint: false });
      const atBoard = createRestriction(code, { offPoint: false });
      const both = createRestriction(code);
      expect([connectsWith(1, [both], service), connectsWith(2, [both], service)]).toEqual([allowed, allowed]);
      expect([connectsWith(1, [atOff], service), connectsWith(2, [atBoard], service)]).toEqual([allowed, allowed]);
      // At the other end it applies where it requires local traffic.
      const sold = 'BCF'.includes(code) ? all : '';
      expect([connectsWith(1, [atBoard], service), connectsWith(2, [atOff], service)]).toEqual([sold, sold]);
    });

    test.each([
      ['Passenger', 'passenger', [allowed, all]],
      ['Cargo', 'cargo', [all, allowed]],
      ['mail', 'mail', [all, all]],
    ])('filed for %s applies to it only', (_, traffic, expected) => {
      const filed = [createRestriction(code, { passenger: false, cargo: false, mail: false, [traffic]: true })];
      expect([connectsWith(1, filed, 'Passenger'), connectsWith(1, filed, 'Cargo')]).toEqual(expected);
    });
  },
);

describe('a qualified restriction on both flights where they meet', () => {
  const flightBy = (of: string, route: string, by: Restriction) => createFlight(of, route, { restrictions: [by] });
  const rejections = (of1: Restriction, of2: Restriction) =>
    listTrafficRejections(flightBy('BA 1', 'AMS LHR', of1), flightBy('BA 2', 'LHR CDG', of2), 'Passenger');

  test.each(['DD', 'DE', 'DG', 'EE', 'EG', 'GD', 'GG'])('forbids the connection: %s', ([code1 = '', code2 = '']) => {
    const rejection = { service: 'Passenger', holdsHere: true, reason: 'both-qualified' };
    expect(rejections(createRestriction(code1), createRestriction(code2))).toEqual([
      { ...rejection, leg: 1, code: code1, readAs: code1 },
      { ...rejection, leg: 2, code: code2, readAs: code2 },
    ]);
  });

  test.each([
    ['on one of them', createRestriction('Y'), []],
    ['with another traffic', createRestriction('E', { passenger: false }), []],
    ['at another end', createRestriction('E', { boardPoint: false }), ['2 E no-local-sale']],
  ])('does not forbid it %s', (_, second, expected) => {
    const found = rejections(createRestriction('E'), second);
    expect(found.map(({ leg, code, reason }) => `${leg} ${code} ${reason}`)).toEqual(expected);
  });
});

test('all restrictions of a flight must allow the connection', () => {
  const both = [createRestriction('Y'), createRestriction('N', { number: 2 })];
  expect(connectsWith(1, both, 'Passenger')).toBe('BA international');
});

const forMail = createRestriction('A', { passenger: false, cargo: false });

test.each([
  ['the missing condition, and X read for cargo as Y', 'F', createRestriction('X'), 'KL 2', ['Y', 'not-online']],
  ['M read for cargo as A', 'Q', createRestriction('M'), 'BA 2', ['A', 'never']],
  ['a restriction for mail of a mail flight', 'M', forMail, 'BA 2', ['A', 'never']],
  ['no restriction for mail of a freighter', 'F', forMail, 'BA 2', undefined],
])('a rejection contains %s', (_, serviceType, restriction, other, expected) => {
  const first = createFlight('BA 1', 'AMS LHR', { serviceType, restrictions: [restriction] });
  const second = createFlight(other, 'LHR MAN', { serviceType: 'F' });
  const { code } = restriction;
  const found = expected?.map(String) ?? [];
  expect(listTrafficRejections(first, second, 'Cargo')).toEqual(
    expected ? [{ leg: 1, service: 'Cargo', code, readAs: found[0], holdsHere: true, reason: found[1] }] : [],
  );
});

test('a flight is international unless both its ends are known to be in one country', () => {
  const routes = ['MAN LHR', 'MAN CDG LHR', 'CDG LHR', 'MAN XXX', 'XXX XXX'];
  const actual = routes.map((route) => isInternational(createFlight('BA 1', route)));
  expect(actual).toEqual([false, false, true, true, true]);
});
