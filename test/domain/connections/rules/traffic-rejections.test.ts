import { describe, expect, test } from 'vitest';
import { isInternational, listTrafficRejections } from '#domain/connections/rules/traffic-rejections.ts';
import type { Restriction } from '#domain/schedule/schedule.ts';
import { createFlight, createRestriction } from '../sample-flights.ts';

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

// The tests of random worlds compare the meaning of every code with the oracle.
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
