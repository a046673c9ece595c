import { expect, test } from 'vitest';
import type { RuleVerdict } from '#domain/connections/rules/rule-verdict.ts';
import { toMinimumConnectingTime } from '#products/connections/v1/to-minimum-connecting-time.ts';
import { toVerdict } from '#products/connections/v1/to-verdict.ts';
import { createMctRecord, type MctRecordFields } from '#test/domain/connections/sample-flights.ts';

const stations = { arrivalStation: 'LHR', departureStation: 'LHR' };

test.each<[string, MctRecordFields, object]>([
  ['StationStandard', stations, stations],
  ['StationStandard', { arrivalStation: 'LHR' }, { arrivalStation: 'LHR' }],
  ['StationStandard', { departureStation: 'LHR' }, { departureStation: 'LHR' }],
  ['Exception', {}, {}],
  ['Exception', { ...stations, arrival: { terminal: '5' } }, { ...stations, arrival: { terminal: '5' } }],
  ['Exception', { ...stations, departure: { body: 'W' } }, { ...stations, departure: { aircraftBody: 'W' } }],
  [
    'Exception',
    { arrival: { carrier: 'ZX' }, departure: { isCodeshare: true } },
    { arrival: { carrier: 'ZX', codeshare: false }, departure: { codeshare: true } },
  ],
])('the source of a minimum connecting time is %s for a record with the criteria %j', (source, fields, criteria) => {
  const record = createMctRecord({ ...fields, line: 7 });
  const expected = { minutes: 45, status: 'II', source, record: { line: 7, ...criteria } };
  expect(toMinimumConnectingTime({ minutes: 45, status: 'II', record })).toEqual(expected);
});

const between = { arrivalAirport: 'LHR', departureAirport: 'LGW', isInterAirport: true };
const route = { origin: 'GLA', destination: 'EDI', kilometers: 166.5, directKilometers: 66.6, maxPercent: 250 };
const { maxPercent: maximumPercent, ...wireRoute } = route;
const explainRoute = (percent: string): string =>
  `The route is 166.5 km, ${percent} percent of the direct distance of 66.6 km. The limit is 250 percent.`;

test.each<[string, RuleVerdict, string, object]>([
  [
    'airports of a city',
    { rule: 'connection-point', allowed: true, figures: { ...between, arrivalCity: 'LON', departureCity: 'LON' } },
    'Leg 1 arrives at LHR, leg 2 departs from LGW, another airport of LON.',
    { arrivalAirport: 'LHR', arrivalCity: 'LON', departureAirport: 'LGW', departureCity: 'LON', interAirport: true },
  ],
  [
    'airports without a city',
    { rule: 'connection-point', allowed: false, figures: { ...between, arrivalCity: '', departureCity: '' } },
    'Leg 1 arrives at LHR, leg 2 departs from LGW: these are not airports of one city.',
    { arrivalAirport: 'LHR', departureAirport: 'LGW', interAirport: true },
  ],
  [
    'a route at the limit',
    { rule: 'circuity', allowed: true, figures: { ...route, percent: 250 } },
    explainRoute('250.0'),
    { ...wireRoute, percent: 250, maximumPercent },
  ],
  [
    'a route that exceeds the limit by less than a tenth of a percent',
    { rule: 'circuity', allowed: false, figures: { ...route, percent: 250.000_4 } },
    explainRoute('250.000400'),
    { ...wireRoute, percent: 250, maximumPercent },
  ],
  [
    'a route that exceeds the limit clearly',
    { rule: 'circuity', allowed: false, figures: { ...route, percent: 251.26 } },
    explainRoute('251.3'),
    { ...wireRoute, percent: 251.3, maximumPercent },
  ],
])('the verdict on %s has a sentence and its figures', (_, verdict, text, figures) => {
  // `toStrictEqual` distinguishes an absent member from an undefined one.
  expect(toVerdict(verdict)).toStrictEqual({ rule: verdict.rule, allowed: verdict.allowed, text, figures });
});
