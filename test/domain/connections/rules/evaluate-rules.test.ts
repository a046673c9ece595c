import { describe, expect, test } from 'vitest';
import type { ConnectingFlight } from '../../../../src/domain/connections/flights/connecting-flight.ts';
import {
  createCarrierRelations,
  type StoredCarrierRelations,
} from '../../../../src/domain/connections/rules/carrier-relations.ts';
import { evaluateRules } from '../../../../src/domain/connections/rules/evaluate-rules.ts';
import { MCT_DEFAULTS, type MctRecord } from '../../../../src/domain/connections/mct/mct-record.ts';
import { createMctTable } from '../../../../src/domain/connections/mct/mct-table.ts';
import { type RuleName, ruleNames } from '../../../../src/domain/connections/rules/rule-verdict.ts';
import { localDate } from '../../../../src/domain/time/dates.ts';
import {
  createFlight,
  createMarketingFlight,
  createMctRecord,
  createRestriction,
  createSuppression,
} from '../sample-flights.ts';

type Case = {
  readonly first?: ConnectingFlight;
  readonly second?: ConnectingFlight;
  readonly minutes?: number;
  readonly arrivesOn?: string;
  readonly records?: readonly MctRecord[];
  readonly relations?: Partial<StoredCarrierRelations>;
};

const judge = ({ first, second, minutes = 90, arrivesOn = '2026-06-15', records = [], relations = {} }: Case) =>
  evaluateRules(
    {
      flight1: first ?? createFlight('BA 1', 'MAN LHR'),
      flight2: second ?? createFlight('BA 2', 'LHR CDG'),
      minutes,
      arrivesOn: localDate(arrivesOn),
    },
    {
      mct: createMctTable({ records, defaults: MCT_DEFAULTS }),
      relations: createCarrierRelations({ partners: [], alliances: {}, codeshares: [], ...relations }),
    },
  );

const verdictOn = (rule: RuleName, about: Case) => judge(about).find((verdict) => verdict.rule === rule);
const forbidding = (about: Case) => judge(about).flatMap(({ rule, allowed }) => (allowed ? [] : [rule]));

test('returns all rules in the order in which they apply', () => {
  const verdicts = judge({});
  expect(verdicts.map(({ rule }) => rule)).toEqual(ruleNames);
  expect(verdicts.every(({ allowed }) => allowed)).toBe(true);
});

test('returns every rule that forbids a pair, not only the first', () => {
  expect(forbidding({ second: createMarketingFlight('AA 2', 'AA 9', 'LHR CDG'), minutes: 10 })).toEqual([
    'codeshare',
    'minimum-connecting-time',
  ]);
});

test('service: the services of each flight', () => {
  expect(verdictOn('service', { second: createFlight('BA 2', 'LHR CDG', { serviceType: 'F' }) })).toEqual({
    rule: 'service',
    allowed: false,
    figures: { leg1: { serviceType: 'J', classes: ['Passenger'] }, leg2: { serviceType: 'F', classes: ['Cargo'] } },
  });
});

test('same flight: the designators and the operating flights', () => {
  const operating = { carrier: 'BA', flightNumber: 1, suffix: '' };
  expect(verdictOn('same-flight', { second: createMarketingFlight('BA 900', 'BA 1', 'LHR CDG') })).toEqual({
    rule: 'same-flight',
    allowed: false,
    figures: {
      leg1: { flight: operating, operating },
      leg2: { flight: { carrier: 'BA', flightNumber: 900, suffix: '' }, operating },
    },
  });
});

describe('connection point', () => {
  test('the airports and their cities', () => {
    expect(verdictOn('connection-point', { second: createFlight('BA 2', 'LGW CDG') })).toEqual({
      rule: 'connection-point',
      allowed: true,
      figures: {
        arrivalAirport: 'LHR',
        arrivalCity: 'LON',
        departureAirport: 'LGW',
        departureCity: 'LON',
        isInterAirport: true,
      },
    });
  });

  test('without one, circuity, restrictions and times are unknown', () => {
    expect(judge({ second: createFlight('BA 2', 'AMS CDG') }).map(({ rule, allowed }) => [rule, allowed])).toEqual([
      ['service', true],
      ['same-flight', true],
      ['connection-point', false],
      ['position', true],
      ['codeshare', true],
      ['partners', true],
    ]);
  });
});

test('position: the airports with unknown positions, without distances', () => {
  const about = { first: createFlight('BA 1', 'XXX LHR'), second: createFlight('BA 2', 'LHR XXX') };
  expect(verdictOn('position', about)).toEqual({ rule: 'position', allowed: false, figures: { unknown: ['XXX'] } });
  expect(verdictOn('circuity', about)).toBeUndefined();
});

describe('circuity', () => {
  test('the flown distance, the direct distance and the limit', () => {
    expect(
      verdictOn('circuity', { first: createFlight('BA 1', 'MAN JFK LHR'), second: createFlight('BA 2', 'LHR CDG') }),
    ).toEqual({
      rule: 'circuity',
      allowed: false,
      figures: {
        origin: 'MAN',
        destination: 'CDG',
        kilometers: 11_249,
        directKilometers: 588.1,
        percent: expect.closeTo(1912.68, 2),
        maxPercent: 250,
      },
    });
  });

  test('there is no percentage for a return to the origin', () => {
    expect(verdictOn('circuity', { second: createFlight('BA 2', 'LHR MAN') })).toEqual({
      rule: 'circuity',
      allowed: false,
      figures: {
        origin: 'MAN',
        destination: 'MAN',
        kilometers: 485.5,
        directKilometers: 0,
        percent: undefined,
        maxPercent: 250,
      },
    });
  });
});

test('codeshare: the seller, and whether it operates', () => {
  expect(verdictOn('codeshare', { second: createMarketingFlight('AA 2', 'BA 2', 'LHR CDG') })).toEqual({
    rule: 'codeshare',
    allowed: false,
    figures: { leg1: { carrier: 'BA', isMarketing: false }, leg2: { carrier: 'AA', isMarketing: true } },
  });
});

test('partners: the objecting carrier, the other carrier, and the line', () => {
  const relations = { partners: [{ line: 7, carrier: 'AA', partners: ['IB'] }] };
  expect(verdictOn('partners', { second: createFlight('AA 2', 'LHR CDG'), relations })).toEqual({
    rule: 'partners',
    allowed: false,
    figures: { rejections: [{ carrier: 'AA', other: 'BA', line: 7 }] },
  });
});

describe('traffic restrictions', () => {
  test('which code of which leg forbids what, its location, and the reason', () => {
    const first = createFlight('BA 1', 'MAN LHR', { restrictions: [createRestriction('K', { offPoint: false })] });
    const second = createFlight('BA 2', 'LHR CDG', { restrictions: [createRestriction('A')] });
    expect(verdictOn('traffic-restriction', { first, second })).toEqual({
      rule: 'traffic-restriction',
      allowed: false,
      figures: {
        passenger: false,
        cargo: false,
        rejections: [
          {
            leg: 1,
            service: 'Passenger',
            code: 'K',
            readAs: 'K',
            meaning: 'connecting traffic only',
            holdsHere: false,
            reason: 'no-local-sale',
            airport: 'MAN',
          },
          {
            leg: 2,
            service: 'Passenger',
            code: 'A',
            readAs: 'A',
            meaning: 'no local traffic',
            holdsHere: true,
            reason: 'never',
            airport: 'LHR',
          },
        ],
      },
    });
  });

  test('at the off point of a leg 2, and an unknown code', () => {
    const second = createFlight('BA 2', 'LHR CDG', { restrictions: [createRestriction('9', { boardPoint: false })] });
    expect(verdictOn('traffic-restriction', { second })?.figures).toMatchObject({
      rejections: [{ code: '9', meaning: '', airport: 'CDG', reason: 'never' }],
    });
  });

  test('a restriction of one service leaves the other', () => {
    const restrictions = [createRestriction('A', { passenger: false })];
    const about = {
      first: createFlight('BA 1', 'MAN LHR', { serviceType: 'Q', restrictions }),
      second: createFlight('BA 2', 'LHR CDG', { serviceType: 'Q' }),
    };
    expect(verdictOn('traffic-restriction', about)).toMatchObject({
      allowed: true,
      figures: { passenger: true, cargo: false, rejections: [{ service: 'Cargo', airport: 'LHR' }] },
    });
  });

  test('without a common service there is nothing to restrict', () => {
    const second = createFlight('BA 2', 'LHR CDG', { serviceType: 'F', restrictions: [createRestriction('A')] });
    expect(forbidding({ second })).toEqual(['service']);
    expect(verdictOn('traffic-restriction', { second })).toBeUndefined();
  });
});

describe('times', () => {
  const standard = createMctRecord({
    line: 5,
    status: 'DI',
    arrivalStation: 'LHR',
    departureStation: 'LHR',
    minutes: 75,
  });

  test.each([
    [74, false],
    [75, true],
    [76, true],
    [-30, false],
  ])('%d minutes are compared with the minimum: %s', (minutes, allowed) => {
    expect(verdictOn('minimum-connecting-time', { minutes, records: [standard] })).toEqual({
      rule: 'minimum-connecting-time',
      allowed,
      figures: { status: 'DI', minimumMinutes: 75, actualMinutes: minutes, isInterAirport: false, record: standard },
    });
  });

  test('a default has no record', () => {
    expect(verdictOn('minimum-connecting-time', { second: createFlight('BA 2', 'LGW CDG') })).toEqual({
      rule: 'minimum-connecting-time',
      allowed: false,
      figures: { status: 'DI', minimumMinutes: 240, actualMinutes: 90, isInterAirport: true, record: undefined },
    });
  });

  test('the record of the date of arrival counts', () => {
    const inJune = createMctRecord({
      status: 'DI',
      minutes: 120,
      from: localDate('2026-06-01'),
      to: localDate('2026-06-30'),
    });
    expect(forbidding({ records: [inJune], arrivesOn: '2026-06-30' })).toEqual(['minimum-connecting-time']);
    expect(forbidding({ records: [inJune], arrivesOn: '2026-07-01' })).toEqual([]);
  });

  test.each([
    [1440, true],
    [1441, false],
  ])('%d minutes are compared with the maximum: %s', (minutes, allowed) => {
    expect(verdictOn('maximum-connecting-time', { minutes })).toEqual({
      rule: 'maximum-connecting-time',
      allowed,
      figures: { actualMinutes: minutes, maximumMinutes: 1440 },
    });
  });

  test('returns the record that suppresses, and the minimum as well', () => {
    const forbidden = createSuppression({ line: 9, status: 'DI' });
    expect(verdictOn('suppressed', { records: [forbidden] })).toEqual({
      rule: 'suppressed',
      allowed: false,
      figures: { record: forbidden },
    });
    expect(forbidding({ records: [forbidden], minutes: 10 })).toEqual(['suppressed', 'minimum-connecting-time']);
  });
});
