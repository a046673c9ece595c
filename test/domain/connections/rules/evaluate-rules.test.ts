import { expect, test } from 'vitest';
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

const next = createFlight('BA 2', 'LHR CDG');
const operating = { carrier: 'BA', flightNumber: 1, suffix: '' };
const standard = createMctRecord({
  line: 5,
  status: 'DI',
  arrivalStation: 'LHR',
  departureStation: 'LHR',
  minutes: 75,
});
const suppression = createSuppression({ line: 9, status: 'DI' });
const times = { status: 'DI', minimumMinutes: 60, actualMinutes: 90, isInterAirport: false, record: undefined };
const cargo = { serviceType: 'Q', restrictions: [createRestriction('A', { passenger: false })] };
const rejectionByA = { service: 'Passenger', code: 'A', readAs: 'A', meaning: 'no local traffic', reason: 'never' };

test.each<[string, RuleName, boolean, Case, object]>([
  [
    'the services of each flight',
    'service',
    false,
    { second: { ...next, serviceType: 'F' } },
    { leg1: { serviceType: 'J', classes: ['Passenger'] }, leg2: { serviceType: 'F', classes: ['Cargo'] } },
  ],
  [
    'the designators and the operating flights',
    'same-flight',
    false,
    { second: createMarketingFlight('BA 900', 'BA 1', 'LHR CDG') },
    { leg1: { flight: operating, operating }, leg2: { flight: { ...operating, flightNumber: 900 }, operating } },
  ],
  [
    'the airports and their cities',
    'connection-point',
    true,
    { second: createFlight('BA 2', 'LGW CDG') },
    { arrivalAirport: 'LHR', arrivalCity: 'LON', departureAirport: 'LGW', departureCity: 'LON', isInterAirport: true },
  ],
  [
    'the airports with unknown positions',
    'position',
    false,
    { first: createFlight('BA 1', 'XXX LHR'), second: createFlight('BA 2', 'LHR XXX') },
    { unknown: ['XXX'] },
  ],
  [
    'the flown distance, the direct distance and the limit',
    'circuity',
    false,
    { first: createFlight('BA 1', 'MAN JFK LHR') },
    {
      origin: 'MAN',
      destination: 'CDG',
      kilometers: 11_249,
      directKilometers: 588.1,
      percent: expect.closeTo(1912.68, 2),
      maxPercent: 250,
    },
  ],
  [
    'no percentage for a return to the origin',
    'circuity',
    false,
    { second: createFlight('BA 2', 'LHR MAN') },
    { origin: 'MAN', destination: 'MAN', kilometers: 485.5, directKilometers: 0, percent: undefined, maxPercent: 250 },
  ],
  [
    'the seller, and whether it operates',
    'codeshare',
    false,
    { second: createMarketingFlight('AA 2', 'BA 2', 'LHR CDG') },
    { leg1: { carrier: 'BA', isMarketing: false }, leg2: { carrier: 'AA', isMarketing: true } },
  ],
  [
    'the objecting carrier, the other carrier, and the line',
    'partners',
    false,
    {
      second: createFlight('AA 2', 'LHR CDG'),
      relations: { partners: [{ line: 7, carrier: 'AA', partners: ['IB'] }] },
    },
    { rejections: [{ carrier: 'AA', other: 'BA', line: 7 }] },
  ],
  [
    'which code of which leg forbids what, its location, and the reason',
    'traffic-restriction',
    false,
    {
      first: createFlight('BA 1', 'MAN LHR', { restrictions: [createRestriction('K', { offPoint: false })] }),
      second: { ...next, restrictions: [createRestriction('A')] },
    },
    {
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
        { ...rejectionByA, leg: 2, holdsHere: true, airport: 'LHR' },
      ],
    },
  ],
  [
    'a restriction at the off point of a leg 2, with an unknown code',
    'traffic-restriction',
    false,
    { second: { ...next, restrictions: [createRestriction('9', { boardPoint: false })] } },
    {
      passenger: false,
      cargo: false,
      rejections: [
        {
          ...rejectionByA,
          leg: 2,
          code: '9',
          readAs: '9',
          meaning: '',
          holdsHere: false,
          airport: 'CDG',
        },
      ],
    },
  ],
  [
    'a restriction of one service, which leaves the other',
    'traffic-restriction',
    true,
    { first: createFlight('BA 1', 'MAN LHR', cargo), second: { ...next, serviceType: 'Q' } },
    {
      passenger: true,
      cargo: false,
      rejections: [{ ...rejectionByA, leg: 1, service: 'Cargo', holdsHere: true, airport: 'LHR' }],
    },
  ],
  ['a default without a record', 'minimum-connecting-time', true, {}, times],
  [
    'the default of a change of airports',
    'minimum-connecting-time',
    false,
    { second: createFlight('BA 2', 'LGW CDG') },
    { ...times, minimumMinutes: 240, isInterAirport: true },
  ],
  ['the record that suppresses', 'suppressed', false, { records: [suppression] }, { record: suppression }],
])('returns %s', (_, rule, allowed, about, figures) => {
  expect(verdictOn(rule, about)).toEqual({ rule, allowed, figures });
});

test.each([
  [
    'without a connection point, circuity, restrictions and times',
    { second: createFlight('BA 2', 'AMS CDG') },
    'service same-flight connection-point! position codeshare partners',
  ],
  [
    'without a position, the circuity',
    { first: createFlight('BA 1', 'XXX LHR') },
    'service same-flight connection-point position! codeshare partners traffic-restriction suppressed minimum-connecting-time maximum-connecting-time',
  ],
  [
    'without a common service, the restrictions',
    { second: { ...next, serviceType: 'F', restrictions: [createRestriction('A')] } },
    'service! same-flight connection-point position circuity codeshare partners suppressed minimum-connecting-time maximum-connecting-time',
  ],
])('omits %s', (_, about, expected) => {
  expect(
    judge(about)
      .map(({ rule, allowed }) => `${rule}${allowed ? '' : '!'}`)
      .join(' '),
  ).toBe(expected);
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
    figures: { ...times, minimumMinutes: 75, actualMinutes: minutes, record: standard },
  });
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

test('the record of the date of arrival counts, and a suppression has a minimum as well', () => {
  const june = { from: localDate('2026-06-01'), to: localDate('2026-06-30') };
  const inJune = createMctRecord({ status: 'DI', minutes: 120, ...june });
  expect(forbidding({ records: [inJune], arrivesOn: '2026-06-30' })).toEqual(['minimum-connecting-time']);
  expect(forbidding({ records: [inJune], arrivesOn: '2026-07-01' })).toEqual([]);
  expect(forbidding({ records: [suppression], minutes: 10 })).toEqual(['suppressed', 'minimum-connecting-time']);
});
