import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ConnectingFlight } from '../../../../src/domain/connections/flights/connecting-flight.ts';
import { toConnectionPoint } from '../../../../src/domain/connections/rules/connection-point.ts';
import { toArrivalEnd, toDepartureEnd } from '../../../../src/domain/connections/mct/mct-end.ts';
import {
  MCT_DEFAULTS,
  type MctRecord,
  type MctSide,
  type MctStatus,
} from '../../../../src/domain/connections/mct/mct-record.ts';
import { findMctRule } from '../../../../src/domain/connections/mct/mct-rules.ts';
import { getStationMct, createMctTable } from '../../../../src/domain/connections/mct/mct-table.ts';
import { addDays, localDate, type LocalDate } from '../../../../src/domain/time/dates.ts';
import { toDesignator, createFlight, createMctRecord } from '../sample-flights.ts';

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
  .map(({ stations, first, last, kind, ...record }) => ({
    ...createMctRecord(),
    ...record,
    ...kind,
    arrivalStation: stations[0] ?? '',
    departureStation: stations[1] ?? '',
    from: first === undefined ? undefined : addDays(start, first),
    to: last === undefined ? undefined : addDays(start, last + (first ?? 0)),
  }));

const flightOver = (...ways: readonly string[]): fc.Arbitrary<ConnectingFlight> =>
  fc
    .record({
      of: fc.constantFrom('BA 55', 'BA 5000', 'AA 55', 'KL 1'),
      as: fc.constantFrom('', '', 'BA 77', 'AA 55'),
      way: fc.constantFrom(...ways),
      terminals: fc.constantFrom('', '1', '5'),
      equipment: fc.constantFrom(
        { type: '320', body: 'N' } as const,
        { type: '77W', body: 'W' } as const,
        { type: 'TRN', body: '' } as const,
      ),
      status: fc.constantFrom('', '', 'D', 'I'),
    })
    .map(({ of, as, way: route, terminals, equipment, status }) => ({
      ...createFlight(of, route),
      ...(as === '' ? {} : { isMarketing: true, operating: toDesignator(as) }),
      departureTerminal: terminals,
      arrivalTerminal: terminals,
      equipment: route.split(' ').length > 2 ? [equipment, equipment] : [equipment],
      departureStatus: status,
      arrivalStatus: status,
    }));

const arrivals = flightOver('MAN LHR', 'CDG LHR', 'JFK LHR', 'JFK MAN LHR', 'XXX LHR');
const departures = flightOver('LHR MAN', 'LHR CDG', 'LHR JFK', 'LHR MAN JFK', 'LGW CDG', 'LGW MAN', 'LHR XXX');

const inRegion: Readonly<Record<string, string>> = { EUR: 'GB FR NL', SCH: 'FR NL', NOA: 'US' };
const isIn = (country: string, region: string) => country !== '' && (inRegion[region] ?? '').includes(country);

/** The naive chooser, from the page of the rules: compares every record with the pair, one date at a time. */
const naive = (
  records: readonly MctRecord[],
  [flight1, flight2]: readonly [ConnectingFlight, ConnectingFlight],
  day: LocalDate,
) => {
  const { arrival: arrivesAt, departure: leavesFrom } = toConnectionPoint(flight1, flight2);
  const changes = arrivesAt.iata !== leavesFrom.iata;
  const sides = [
    {
      of: flight1,
      beyond: flight1.airports.at(-2),
      here: arrivesAt,
      filed: flight1.arrivalStatus,
      terminal: flight1.arrivalTerminal,
    },
    {
      of: flight2,
      beyond: flight2.airports[1],
      here: leavesFrom,
      filed: flight2.departureStatus,
      terminal: flight2.departureTerminal,
    },
  ];
  const status = sides
    .map(
      ({ filed, here, beyond }) => filed || (here.countryCode && here.countryCode === beyond?.countryCode ? 'D' : 'I'),
    )
    .join('');
  const sideApplies = (side: MctSide, index: 0 | 1): boolean => {
    const { of, beyond, terminal } = sides[index] ?? { of: flight1, beyond: undefined, terminal: '' };
    const criteria: readonly (readonly [string, string | undefined])[] = [
      [side.carrier, side.isCodeshare ? of.carrier : of.operating.carrier],
      [side.operator, of.operating.carrier],
      [side.terminal, terminal],
      [side.station, beyond?.iata],
      [side.stateCode, beyond?.stateCode],
      [side.countryCode, beyond?.countryCode],
      [side.equipment, of.equipment[0].type],
      [side.body, of.equipment[0].body],
    ];
    const number = side.isCodeshare && side.carrier ? of.flightNumber : of.operating.flightNumber;
    if (side.isCodeshare && !of.isMarketing) return false;
    if (side.flights && (number < side.flights.from || number > side.flights.to)) return false;
    if (side.region && !isIn(beyond?.countryCode ?? '', side.region)) return false;
    return criteria.every(([one, other]) => one === '' || one === other);
  };
  const applying = records.filter(
    (record) =>
      record.status === status &&
      (changes
        ? record.arrivalStation === arrivesAt.iata && record.departureStation === leavesFrom.iata
        : ['', arrivesAt.iata].includes(record.arrivalStation) &&
          ['', leavesFrom.iata].includes(record.departureStation)) &&
      (record.suppressionCountryCode === '' || record.suppressionCountryCode === arrivesAt.countryCode) &&
      (record.suppressionRegion === '' || isIn(arrivesAt.countryCode, record.suppressionRegion)) &&
      (record.from === undefined || day >= record.from) &&
      (record.to === undefined || day <= record.to) &&
      sideApplies(record.arrival, 0) &&
      sideApplies(record.departure, 1),
  );
  const weights = ({ arrival: a, departure: d, ...r }: MctRecord): readonly (boolean | number)[] => [
    ...[d, a].flatMap((one) => [one.isCodeshare, one.carrier !== '', one.operator !== '']),
    ...[d, a].map(({ flights }) => flights !== undefined),
    ...(['terminal', 'station', 'stateCode', 'countryCode', 'region', 'equipment', 'body'] as const).flatMap((name) =>
      [d, a].map((one) => one[name] !== ''),
    ),
    r.from !== undefined,
    r.to !== undefined,
    r.departureStation !== '',
    r.arrivalStation !== '',
    r.suppressionStateCode !== '',
    r.suppressionCountryCode !== '',
    r.suppressionRegion !== '',
    ...[d, a].map(({ flights }) => (flights ? flights.from - flights.to : 0)),
    ...[d.region, a.region, r.suppressionRegion].map((region) => region === 'SCH'),
    r.line,
  ];
  const better = (one: MctRecord, other: MctRecord): number => {
    const [first, second] = [weights(one), weights(other)];
    const at = first.findIndex((weight, index) => weight !== second[index]);
    return at < 0 ? 0 : Number(second[at]) - Number(first[at]);
  };
  const sorted = applying.toSorted(better);
  const record = sorted.find(({ minutes }) => minutes !== undefined);
  const suppression = sorted.find((one) => one.suppression !== '');
  return {
    status,
    minutes: record?.minutes ?? (changes ? 240 : { DD: 30, DI: 60, ID: 90, II: 90 }[status]),
    record,
    suppressedBy: suppression?.suppression === 'Y' ? suppression : undefined,
  };
};

const numbered = fc
  .array(anyRecord, { minLength: 10, maxLength: 60 })
  .map((records) => records.map((record, index) => ({ ...record, line: index + 1 })));

test('selects the same record as a linear search, on every date', () => {
  let dated = 0;
  let suppressed = 0;
  fc.assert(
    fc.property(numbered, arrivals, departures, (records, flight1, flight2) => {
      const { arrival, departure } = toConnectionPoint(flight1, flight2);
      const station = getStationMct(createMctTable({ records, defaults: MCT_DEFAULTS }), arrival, departure);
      const rules = station.computeRules(toArrivalEnd(flight1), toDepartureEnd(flight2));
      if (rules.length > 1) dated += 1;
      if (rules.some(({ suppressedBy }) => suppressedBy)) suppressed += 1;
      for (let day = addDays(start, -1); day < start + 22; day = addDays(day, 1)) {
        const { status, minutes, record, suppressedBy } = findMctRule(rules, day) ?? {};
        expect({ status, minutes, record, suppressedBy }).toEqual(naive(records, [flight1, flight2], day));
      }
      expect(rules.map(({ from, to }) => [from, to])).toEqual(
        rules.map((_, index) => [
          index === 0 ? undefined : rules[index]?.from,
          index === rules.length - 1 ? undefined : addDays(rules[index + 1]?.from ?? start, -1),
        ]),
      );
    }),
    { numRuns: 800, seed: 20_261_121 },
  );
  expect(dated).toBeGreaterThan(100);
  expect(suppressed).toBeGreaterThan(40);
});

test('flights of equal keys have equal rules', () => {
  let compared = 0;
  const many = fc.tuple(
    numbered,
    fc.array(
      arrivals.filter(({ airports }) => airports.at(-1)?.iata === 'LHR'),
      { minLength: 12, maxLength: 12 },
    ),
    fc.array(
      departures.filter(({ airports }) => airports[0].iata === 'LHR'),
      { minLength: 12, maxLength: 12 },
    ),
  );
  fc.assert(
    fc.property(many, ([records, firsts, seconds]) => {
      const [{ airports }] = [firsts[0] ?? createFlight('BA 1', 'MAN LHR')];
      const here = airports.at(-1) ?? airports[1];
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
    { numRuns: 100, seed: 20_261_121 },
  );
  expect(compared).toBeGreaterThan(1000);
});
