import { expect, test } from 'vitest';
import type { ConnectingFlight } from '#domain/connections/flights/connecting-flight.ts';
import { createCarrierRelations } from '#domain/connections/rules/carrier-relations.ts';
import type { StoredCarrierRelations } from '#domain/connections/rules/carrier-relations.ts';
import { evaluateRules } from '#domain/connections/rules/evaluate-rules.ts';
import { MCT_DEFAULTS, type MctRecord } from '#domain/connections/mct/mct-record.ts';
import { createMctTable } from '../mct/create-mct-table.ts';
import { ruleNames } from '#domain/connections/rules/rule-verdict.ts';
import { localDate } from '#domain/time/dates.ts';
import { createFlight, createMarketingFlight, createMctRecord, createRestriction } from '../sample-flights.ts';
import { createSuppression } from '../sample-flights.ts';

const next = createFlight('BA 2', 'LHR CDG');

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
      flight2: second ?? next,
      minutes,
      arrivesOn: localDate(arrivesOn),
    },
    {
      mct: createMctTable({ records, defaults: MCT_DEFAULTS }),
      relations: createCarrierRelations({ partners: [], alliances: {}, codeshares: [], ...relations }),
    },
  );

/** The names of all rules, those that forbid with `!`. */
const listRules = (about: Case): readonly string[] =>
  judge(about).map(({ rule, allowed }) => (allowed ? rule : `${rule}!`));

const nowhere = createFlight('BA 1', 'XXX LHR');
const without = (...names: readonly string[]) => ruleNames.filter((rule) => !names.includes(rule)).join(' ');

test.each<[string, Case, string]>([
  ['returns all rules in the order in which they apply', {}, without()],
  [
    'returns every rule that forbids, not only the first',
    { second: createMarketingFlight('AA 2', 'AA 9', 'LHR CDG'), minutes: 10 },
    without().replace('codeshare', 'codeshare!').replace('minimum-connecting-time', 'minimum-connecting-time!'),
  ],
  [
    'omits circuity, restrictions and times without a connection point',
    { second: createFlight('BA 2', 'AMS CDG') },
    'service same-flight connection-point! position codeshare partners',
  ],
  ['omits the circuity without a position', { first: nowhere }, without('circuity').replace('position', 'position!')],
  [
    'omits the restrictions without a common service',
    { second: { ...next, serviceType: 'F', restrictions: [createRestriction('A')] } },
    without('traffic-restriction').replace('service', 'service!'),
  ],
])('%s', (_, about, expected) => {
  expect(listRules(about).join(' ')).toBe(expected);
});

const onward = (route: string) => ({ second: createFlight('BA 2', route) });
const soldAs = (of: string, as: string) => ({ second: createMarketingFlight(of, as, 'LHR CDG') });
const operating = { carrier: 'BA', flightNumber: 1, suffix: '' };
const station = { arrivalStation: 'LHR', departureStation: 'LHR' };
const standard = createMctRecord({ ...station, line: 5, status: 'DI', minutes: 75 });
const suppression = createSuppression({ line: 9, status: 'DI' });
const times = { status: 'DI', minimumMinutes: 60, actualMinutes: 90, isInterAirport: false, record: undefined };
const ofStandard = (minutes: number) =>
  [
    { minutes, records: [standard] },
    { ...times, minimumMinutes: 75, actualMinutes: minutes, record: standard },
  ] as const;
const ofMaximum = (minutes: number) => [{ minutes }, { actualMinutes: minutes, maximumMinutes: 1440 }] as const;

const services = { leg1: { serviceType: 'J', classes: ['Passenger'] }, leg2: { serviceType: 'F', classes: ['Cargo'] } };
const flights = {
  leg1: { flight: operating, operating },
  leg2: { flight: { ...operating, flightNumber: 900 }, operating },
};
const airports = { arrivalAirport: 'LHR', arrivalCity: 'LON', departureAirport: 'LGW', departureCity: 'LON' };
const detour = { kilometers: 11_249, directKilometers: 588.1, percent: expect.closeTo(1912.68, 2), maxPercent: 250 };
const back = { kilometers: 485.5, directKilometers: 0, percent: undefined, maxPercent: 250 };
const sellers = { leg1: { carrier: 'BA', isMarketing: false }, leg2: { carrier: 'AA', isMarketing: true } };
const relations = { partners: [{ line: 7, carrier: 'AA', partners: ['IB'] }] };

const restrictedBy = (code: string, at: object = {}) => ({ restrictions: [createRestriction(code, at)] });
const by9AtOff = restrictedBy('9', { boardPoint: false });
const onlyCargo = createFlight('BA 1', 'MAN LHR', { serviceType: 'Q', ...restrictedBy('A', { passenger: false }) });
const none = { passenger: false, cargo: false };
const byA = { service: 'Passenger', code: 'A', readAs: 'A', meaning: 'no local traffic', reason: 'never' };
const hereByA = { ...byA, holdsHere: true, airport: 'LHR' };
const byK = { ...byA, code: 'K', readAs: 'K', meaning: 'connecting traffic only', reason: 'no-local-sale' };
const atBoardByK = { ...byK, leg: 1, holdsHere: false, airport: 'MAN' };
const atOffBy9 = { ...byA, leg: 2, code: '9', readAs: '9', meaning: '', holdsHere: false, airport: 'CDG' };
const kAndA = {
  first: createFlight('BA 1', 'MAN LHR', restrictedBy('K', { offPoint: false })),
  second: { ...next, ...restrictedBy('A') },
};

/** Rules, those that forbid with `!`, and the figures of their verdicts. */
test.each<readonly [string, Case, object]>([
  ['service!', { second: { ...next, serviceType: 'F' } }, services],
  ['same-flight!', soldAs('BA 900', 'BA 1'), flights],
  ['connection-point', onward('LGW CDG'), { ...airports, isInterAirport: true }],
  ['position!', { first: nowhere, ...onward('LHR XXX') }, { unknown: ['XXX'] }],
  ['circuity!', { first: createFlight('BA 1', 'MAN JFK LHR') }, { origin: 'MAN', destination: 'CDG', ...detour }],
  ['circuity!', onward('LHR MAN'), { origin: 'MAN', destination: 'MAN', ...back }],
  ['codeshare!', soldAs('AA 2', 'BA 2'), sellers],
  [
    'partners!',
    { second: createFlight('AA 2', 'LHR CDG'), relations },
    { rejections: [{ carrier: 'AA', other: 'BA', line: 7 }] },
  ],
  ['traffic-restriction!', kAndA, { ...none, rejections: [atBoardByK, { ...hereByA, leg: 2 }] }],
  ['traffic-restriction!', { second: { ...next, ...by9AtOff } }, { ...none, rejections: [atOffBy9] }],
  [
    'traffic-restriction',
    { first: onlyCargo, second: { ...next, serviceType: 'Q' } },
    { passenger: true, cargo: false, rejections: [{ ...hereByA, leg: 1, service: 'Cargo' }] },
  ],
  ['suppressed!', { records: [suppression] }, { record: suppression }],
  ['minimum-connecting-time', {}, times],
  ['minimum-connecting-time!', onward('LGW CDG'), { ...times, minimumMinutes: 240, isInterAirport: true }],
  ['minimum-connecting-time!', ...ofStandard(-30)],
  ['minimum-connecting-time!', ...ofStandard(74)],
  ['minimum-connecting-time', ...ofStandard(75)],
  ['minimum-connecting-time', ...ofStandard(76)],
  ['maximum-connecting-time', ...ofMaximum(1440)],
  ['maximum-connecting-time!', ...ofMaximum(1441)],
])('the verdict of %s has all its figures', (text, about, figures) => {
  const rule = text.replace('!', '');
  const verdict = judge(about).find((each) => each.rule === rule);
  expect(verdict).toEqual({ rule, allowed: rule === text, figures });
});

test('uses the record of the date of arrival, and returns a minimum for a suppression, too', () => {
  const june = { from: localDate('2026-06-01'), to: localDate('2026-06-30') };
  const inJune = createMctRecord({ status: 'DI', minutes: 120, ...june });
  const forbidding = (about: Case) => listRules(about).filter((rule) => rule.endsWith('!'));
  expect(forbidding({ records: [inJune], arrivesOn: '2026-06-30' })).toEqual(['minimum-connecting-time!']);
  expect(forbidding({ records: [inJune], arrivesOn: '2026-07-01' })).toEqual([]);
  expect(forbidding({ records: [suppression], minutes: 10 })).toEqual(['suppressed!', 'minimum-connecting-time!']);
});
