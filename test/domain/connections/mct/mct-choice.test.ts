import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ConnectingFlight } from '../../../../src/domain/connections/flights/connecting-flight.ts';
import { toConnectionPoint } from '../../../../src/domain/connections/rules/connection-point.ts';
import { toArrivalEnd, toDepartureEnd } from '../../../../src/domain/connections/mct/mct-end.ts';
import { MCT_DEFAULTS } from '../../../../src/domain/connections/mct/mct-record.ts';
import type { MctRecord, MctSide, MctStatus } from '../../../../src/domain/connections/mct/mct-record.ts';
import { findMctRule } from '../../../../src/domain/connections/mct/mct-rules.ts';
import { getStationMct, createMctTable } from '../../../../src/domain/connections/mct/mct-table.ts';
import { addDays, localDate } from '../../../../src/domain/time/dates.ts';
import { toDesignator, createFlight, createMctRecord } from '../sample-flights.ts';
import type { Flight } from '../worlds/oracle/flights.ts';
import { computeMinimum } from '../worlds/oracle/minimum.ts';

const start = localDate('2026-06-01');
const blankOr = (...values: readonly string[]) => fc.constantFrom('', '', '', ...values);

const side: fc.Arbitrary<MctSide> = fc.record({
  carrier: blankOr('BA', 'AA', 'BA'),
  isCodeshare: fc.constantFrom(false, false, true),
  operator: blankOr('BA', 'AA'),
  flights: fc.constantFrom(undefined, undefined, { from: 1, to: 9999 }, { from: 1, to: 99 }, { from: 50, to: 60 }),
  terminal: blankOr('1', '5'),
  station: blankOr('MAN', 'CDG'),
  stateCode: blankOr('NY'),
  countryCode: blankOr('GB', 'FR', 'US'),
  region: blankOr('EUR', 'SCH', 'NOA'),
  equipment: blankOr('320', '77W'),
  body: fc.constantFrom('', '', '', 'W', 'N'),
});

/** Most records have few criteria, so that several apply to a pair. */
const sparse = side.chain((full) =>
  fc.subarray(Object.keys(full), { maxLength: 2 }).map((names): MctSide => ({
    ...createMctRecord().arrival,
    ...Object.fromEntries(Object.entries(full).filter(([name]) => names.includes(name))),
  })),
);

const date = fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined, freq: 2 });
const kinds = [
  { suppression: '', minutes: 45 },
  { suppression: '', minutes: 50 },
  { suppression: 'N', minutes: 55 },
  { suppression: 'N', minutes: undefined },
  { suppression: 'Y', minutes: undefined },
] as const;

const anyRecord: fc.Arbitrary<MctRecord> = fc
  .record({
    status: fc.constantFrom<MctStatus[]>('DD', 'DI', 'ID', 'II'),
    stations: fc.constantFrom(['', ''], ['LHR', 'LHR'], ['LHR', ''], ['', 'LHR'], ['LHR', 'LGW'], ['LGW', 'LGW']),
    arrival: sparse,
    departure: sparse,
    first: date,
    last: date,
    kind: fc.constantFrom(...kinds),
    suppressionRegion: fc.constantFrom('', '', '', 'EUR', 'SCH'),
    suppressionCountryCode: fc.constantFrom('', '', '', 'GB', 'FR'),
  })
  .map(({ stations: [arrivalStation = '', departureStation = ''], first, last, kind, ...record }) => ({
    ...createMctRecord(),
    ...record,
    ...kind,
    arrivalStation,
    departureStation,
    from: first === undefined ? undefined : addDays(start, first),
    to: last === undefined ? undefined : addDays(start, last + (first ?? 0)),
  }));

const bodies = { '320': 'N', '77W': 'W', TRN: '' } as const;

const flightOver = (...routes: readonly string[]): fc.Arbitrary<ConnectingFlight> =>
  fc
    .record({
      of: fc.constantFrom('BA 55', 'BA 5000', 'AA 55', 'KL 1'),
      as: fc.constantFrom('', '', 'BA 77', 'AA 55'),
      route: fc.constantFrom(...routes),
      terminal: fc.constantFrom('', '1', '5'),
      type: fc.constantFrom('320', '77W', 'TRN'),
      status: fc.constantFrom('', '', 'D', 'I'),
    })
    .map(({ of, as, route, terminal, type, status }) => {
      const sector = { type, body: bodies[type] };
      return {
        ...createFlight(of, route),
        ...(as === '' ? {} : { isMarketing: true, operating: toDesignator(as) }),
        departureTerminal: terminal,
        arrivalTerminal: terminal,
        equipment: route.split(' ').length > 2 ? [sector, sector] : [sector],
        departureStatus: status,
        arrivalStatus: status,
      };
    });

const arrivals = flightOver('MAN LHR', 'CDG LHR', 'JFK LHR', 'JFK MAN LHR', 'XXX LHR');
const departures = flightOver('LHR MAN', 'LHR CDG', 'LHR JFK', 'LHR MAN JFK', 'LGW CDG', 'LGW MAN', 'LHR XXX');

const toOracleFlight = ({ airports, equipment, serviceType, ...flight }: ConnectingFlight): Flight => ({
  ...flight,
  service: serviceType,
  stations: airports.map((airport) => ({ ...airport, zone: undefined })),
  types: equipment.map(({ type }) => type),
  restrictions: [],
});

const numbered = fc
  .array(anyRecord, { minLength: 10, maxLength: 60 })
  .map((records) => records.map((record, index) => ({ ...record, line: index + 1 })));

test('selects the same record as a linear search, on every date', () => {
  let [dated, suppressed] = [0, 0];
  fc.assert(
    fc.property(numbered, arrivals, departures, (records, flight1, flight2) => {
      const { arrival, departure } = toConnectionPoint(flight1, flight2);
      const station = getStationMct(createMctTable({ records, defaults: MCT_DEFAULTS }), arrival, departure);
      const rules = station.computeRules(toArrivalEnd(flight1), toDepartureEnd(flight2));
      if (rules.length > 1) dated += 1;
      if (rules.some(({ suppressedBy }) => suppressedBy)) suppressed += 1;
      const [leg1, leg2] = [toOracleFlight(flight1), toOracleFlight(flight2)];
      for (let day = addDays(start, -1); day < start + 22; day = addDays(day, 1)) {
        const { status, minutes, record, suppressedBy } = findMctRule(rules, day) ?? {};
        expect({ status, minutes, line: record?.line, suppressedBy: suppressedBy?.line }).toEqual(
          computeMinimum({ leg1, leg2, day }, { records, defaults: MCT_DEFAULTS, bodies }),
        );
      }
      expect(rules.map(({ from, to }) => [from, to])).toEqual(
        rules.map((_, index) => [
          index === 0 ? undefined : rules[index]?.from,
          index === rules.length - 1 ? undefined : addDays(rules[index + 1]?.from ?? start, -1),
        ]),
      );
    }),
    { numRuns: 400, seed: 20_261_121 },
  );
  expect(dated).toBeGreaterThan(50);
  expect(suppressed).toBeGreaterThan(20);
});

test('flights of equal keys have equal rules', () => {
  let compared = 0;
  const dozen = (flights: fc.Arbitrary<ConnectingFlight>) => fc.array(flights, { minLength: 12, maxLength: 12 });
  const atLhr = departures.filter(({ airports }) => airports[0].iata === 'LHR');
  const many = fc.tuple(numbered, dozen(arrivals), dozen(atLhr));
  fc.assert(
    fc.property(many, ([records, firsts, seconds]) => {
      const here = (seconds[0] ?? createFlight('BA 1', 'LHR MAN')).airports[0];
      const station = getStationMct(createMctTable({ records, defaults: MCT_DEFAULTS }), here, here);
      const byKeys = new Map<string, unknown>();
      for (const first of firsts.map(toArrivalEnd))
        for (const second of seconds.map(toDepartureEnd)) {
          const key = `${station.computeArrivalKey(first)} ${station.computeDepartureKey(second)}`;
          const rules = station.computeRules(first, second);
          if (byKeys.has(key)) compared += 1;
          expect(rules).toEqual(byKeys.get(key) ?? rules);
          byKeys.set(key, rules);
        }
    }),
    { numRuns: 50, seed: 20_261_121 },
  );
  expect(compared).toBeGreaterThan(500);
});
