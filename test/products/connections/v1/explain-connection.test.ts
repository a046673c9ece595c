import { describe, expect, test } from 'vitest';
import type { Connection, ConnectionPage } from '#generated/connections/v1/types.gen.ts';
import type { ExplainedConnection, Explanation, Leg, Problem } from '#generated/connections/v1/types.gen.ts';
import type { SchedulePage } from '#generated/schedules/v1/types.gen.ts';
import { getJson } from '#test/products/responses.ts';
import { serveConnections } from './connections-service.ts';
import { sharedService } from '#test/support/shared-service.ts';

const world = sharedService(serveConnections);

/** `ZX 1302`, with a suffix `ZX 302A`. */
const legQuery = (leg: 1 | 2, name: string): string => {
  const [, carrier, number, suffix] = /^(..) (\d+)(\w?)$/.exec(name) ?? [];
  const query = `Leg${leg}CarrierCode=${carrier}&Leg${leg}FlightNumber=${number}`;
  return suffix ? `${query}&Leg${leg}ServiceSuffix=${suffix}` : query;
};

/** The path that explains `ZX 1302 + ZX 101`; `rest` is the date and other parameters. */
const explainPath = (flights: string, rest: string): string => {
  const [leg1 = '', leg2 = ''] = flights.split(' + ');
  return `/flight-connections/explain?${legQuery(1, leg1)}&${legQuery(2, leg2)}&DepartureDate=${rest}`;
};
const explain = (flights: string, rest = '2026-06-01'): Promise<Explanation> =>
  getJson(world, explainPath(flights, rest));

const only = async (flights: string, rest?: string): Promise<ExplainedConnection> => {
  const { connections } = await explain(flights, rest);
  const [one, other] = connections;
  if (!one || other) throw new Error(`${flights} have ${connections.length} connections`);
  return one;
};

const formatRoute = ({ origin, via, destination }: ExplainedConnection): string =>
  `${origin} ${via.arrivalAirport}/${via.departureAirport} ${destination}`;

test('two connecting flights are allowed by every rule, with reasons and figures', async () => {
  const { legal, set, connections } = await explain('ZX 1302 + ZX 101');
  expect({ legal, set }).toEqual({
    legal: true,
    set: { id: 1, builtAt: '2026-06-01T12:00:00.000Z', startDate: '2026-05-31', endDate: '2027-05-30' },
  });
  const [connection] = connections;
  expect(connection).toMatchObject({
    origin: 'GLA',
    via: { arrivalAirport: 'LHR', departureAirport: 'LHR' },
    destination: 'JFK',
    connectingTime: 155,
    legal: true,
    leg1: { departureDate: '2026-06-01', arrivalDate: '2026-06-01', flightNumber: 1302 },
    leg2: { departureDate: '2026-06-01', arrivalDate: '2026-06-01', flightNumber: 101 },
  });
  expect(connection?.forbiddenBy).toBe(undefined);
  expect(connection?.verdicts.map(({ rule, allowed, text }) => [rule, allowed, text])).toEqual([
    ['service', true, 'Leg 1 is a passenger flight (service type J), leg 2 is a passenger flight (service type J).'],
    ['same-flight', true, 'ZX 1302 and ZX 101 are different flights.'],
    ['connection-point', true, 'Leg 2 departs from LHR, where leg 1 arrives.'],
    ['position', true, 'The positions of all airports are known.'],
    [
      'circuity',
      true,
      'The route is 6094.5 km, 118.1 percent of the direct distance of 5162.2 km. The limit is 250 percent.',
    ],
    ['codeshare', true, 'Both legs are sold under the designator ZX.'],
    ['partners', true, 'No partner list of either carrier excludes the other.'],
    ['traffic-restriction', true, 'No traffic restriction forbids it.'],
    ['suppressed', true, 'No record suppresses it.'],
    [
      'minimum-connecting-time',
      true,
      'Leg 2 departs 155 minutes after leg 1 arrives; the minimum is 65 minutes (DI, the exception in line 3).',
    ],
    ['maximum-connecting-time', true, 'Leg 2 departs no more than 1440 minutes after leg 1 arrives.'],
  ]);
});

/** Flights that a rule does not allow to connect, on 1 June unless they have a date. */
const rejected: readonly (readonly [flights: string, rule: string, text: string])[] = [
  [
    'ZX 1302 + ZX 7001',
    'service',
    'Leg 1 is a passenger flight (service type J), leg 2 is a cargo flight (service type F): they have no traffic in common.',
  ],
  ['ZX 101 + ZX 101', 'same-flight', 'Both legs are ZX 101.'],
  ['ZX 101 + 9Q 5101', 'same-flight', 'ZX 101 and 9Q 5101 are both operated as ZX 101.'],
  [
    'ZX 1302 + 9Q 88',
    'connection-point',
    'Leg 1 arrives at LHR, leg 2 departs from JFK: these are not airports of one city.',
  ],
  ['ZX 1302 + ZX 420', 'position', 'The position of QQX is unknown.'],
  ['ZX 1302 + ZX 205', 'circuity', 'The connection leads back to its origin GLA.'],
  [
    'ZX 1302 + ZX 207',
    'circuity',
    'The route is 1088.4 km, 1633.3 percent of the direct distance of 66.6 km. The limit is 250 percent.',
  ],
  [
    'ZX 1302 + 9Q 5101',
    'codeshare',
    'Leg 2 is a marketing flight of 9Q and connects with flights of 9Q only, not of ZX.',
  ],
  ['0Z 470 + 0Z 471', 'suppressed', 'The record in line 7 suppresses this connection.'],
  [
    'ZX 15 + ZX 101 on 2026-06-02',
    'minimum-connecting-time',
    'Leg 2 departs 80 minutes after leg 1 arrives; the minimum is 90 minutes (II, the default): 10 minutes too few.',
  ],
  [
    'ZX 1302 + ZX 411 on 2026-06-05',
    'maximum-connecting-time',
    'Leg 2 departs 8915 minutes after leg 1 arrives; more than 1440 minutes are a stopover.',
  ],
  ...(
    [
      ['ZX 901 + ZX 101', 'A on leg 1 at LHR allows no connection (passenger).'],
      ['0Z 902 + ZX 101', 'Y on leg 1 at LHR allows connections with flights of the same carrier only (passenger).'],
      ['ZX 904 + ZX 101', 'C on leg 1 at LHR allows connections with domestic flights only (passenger).'],
      ['ZX 905 + ZX 101', 'A on leg 1 at GLA allows no local traffic (passenger).'],
      [
        'ZX 906 + ZX 908',
        'G on leg 1 at LHR is qualified, and so is one of the other flight (passenger). Restriction G on leg 2 at LHR is qualified, and so is one of the other flight (passenger).',
      ],
      ['ZX 7009 + ZX 7001 on 2026-06-06', 'M on leg 1 at LHR allows no connection (cargo).'],
    ] as const
  ).map(([flights, text]) => [flights, 'traffic-restriction', `Restriction ${text}`] as const),
];

describe('a rule that rejects two flights is named with its reason', () => {
  test.each(rejected)('%s: %s', async (dated, rule, text) => {
    const [flights = '', date] = dated.split(' on ');
    const { legal, forbiddenBy, verdicts } = await only(flights, date);
    const verdict = verdicts.find((one) => one.rule === rule);
    const seen = { legal, forbiddenBy, allowed: verdict?.allowed, text: verdict?.text };
    expect(seen).toEqual({ legal: false, forbiddenBy: rule, allowed: false, text });
  });

  test('a restriction to international flights, although the connection is too circuitous', async () => {
    const { forbiddenBy, verdicts } = await only('ZX 903 + ZX 207');
    expect(forbiddenBy).toBe('circuity');
    const kind = { leg: 1, code: 'N', readAs: 'N', meaning: 'international connecting traffic only' };
    const refusal = { ...kind, airport: 'LHR', service: 'passenger', reason: 'not-international' };
    expect(verdicts.find(({ rule }) => rule === 'traffic-restriction')).toEqual({
      rule: 'traffic-restriction',
      allowed: false,
      text: 'Restriction N on leg 1 at LHR allows connections with international flights only (passenger).',
      figures: { passenger: false, cargo: false, refusals: [refusal] },
    });
  });

  test('a list of partners without the other carrier', async () => {
    const { verdicts } = await only('0Z 461 + 9Q 88');
    expect(verdicts.find(({ rule }) => rule === 'partners')).toEqual({
      rule: 'partners',
      allowed: false,
      text: '9Q has filed a list of partners (line 8), and 0Z is not on it.',
      figures: { objections: [{ carrier: '9Q', other: '0Z', line: 8 }] },
    });
  });
});

test.each([
  // SYD-SIN-LHR on 1 June, and the SIN-LHR of the aircraft that left Sydney the day before.
  ['ZX 15 + ZX 207', '2026-06-03', 'SYD LHR/LHR EDI', undefined],
  ['ZX 15 + ZX 207', '2026-06-01', 'SYD LHR/LHR EDI', undefined],
  ['ZX 411 + ZX 15', '2026-06-04', 'LHR SIN/SIN LHR', 'circuity'],
  // Without a common airport, the flights are explained as a whole.
  ['ZX 15 + 9Q 88', '2026-06-01', 'SYD LHR/JFK BOS', 'connection-point'],
  ['9Q 88 + ZX 15', '2026-06-01', 'JFK BOS/SYD LHR', 'connection-point'],
  ['ZX 1302 + 0Z 440', '2026-06-01&ViaPoint=lgw', 'GLA LHR/LGW OPO', undefined],
  ['ZX 1302 + 0Z 440', '2026-06-01&ViaPoint=LHR', 'GLA LHR/LGW OPO', undefined],
])('%s of several airports on %s connect: %s', async (flights, rest, route, forbiddenBy) => {
  const { legal, connections } = await explain(flights, rest);
  const seen = connections.map((one) => [formatRoute(one), one.forbiddenBy]);
  expect([legal, seen]).toEqual([forbiddenBy === undefined, [[route, forbiddenBy]]]);
});

test('the date of leg 2 is that of its first departure after the arrival of leg 1', async () => {
  const { leg2, connectingTime } = await only('ZX 1302 + ZX 411', '2026-06-05');
  expect([leg2.departureDate, leg2.departureIntervalDays, connectingTime]).toEqual(['2026-06-11', 6, 8915]);
});

test('the date of leg 2 is the last departure before the arrival if none follows', async () => {
  const { leg2, connectingTime, verdicts } = await only('ZX 1302 + ZX 411', '2026-09-30');
  expect([leg2.departureDate, leg2.departureIntervalDays, connectingTime]).toEqual(['2026-09-24', -6, -8365]);
  expect(verdicts.find(({ rule }) => rule === 'minimum-connecting-time')?.text).toBe(
    'Leg 2 departs 8365 minutes before leg 1 arrives; the minimum is 65 minutes (DI, the exception in line 3): 8430 minutes too few.',
  );
});

test.each([
  ['ZX 9999 + ZX 101', '2026-06-01', 'No flight ZX 9999 departs on 2026-06-01.'],
  ['ZX 205 + ZX 101', '2026-06-06', 'No flight ZX 205 departs on 2026-06-06.'],
  ['ZX 302 + ZX 101', '2026-06-01', 'No flight ZX 302 departs on 2026-06-01.'],
  ['ZX 1302 + ZX 101', '2026-05-30', 'No flight ZX 1302 departs on 2026-05-30.'],
  ['ZX 1302 + ZX 101', '2027-05-31', 'No flight ZX 1302 departs on 2027-05-31.'],
  ['ZX 1302 + ZX 102', '2026-06-01', 'No flight ZX 102 departs within 7 days of the arrival of ZX 1302 on 2026-06-01.'],
  [
    'ZX 1302 + ZX 101',
    '2026-06-01&ViaPoint=CDG',
    'ZX 1302 does not arrive at CDG, and ZX 101 does not depart from there.',
  ],
])('%s on %s returns 404: %s', async (flights, rest, detail) => {
  const problem = await getJson<Problem>(world, explainPath(flights, rest), 404);
  const expected = ['/docs/errors#not-found', `${detail} The set contains the flights of 2026-05-31 to 2027-05-30.`];
  expect([problem.type, problem.detail]).toEqual(expected);
});

describe('a search and explanations agree', () => {
  type Named = Pick<Leg, 'flightNumber'> & { carrierCode: { iata?: string | null }; serviceSuffix?: string | null };
  const formatFlight = ({ carrierCode, flightNumber, serviceSuffix }: Named): string =>
    `${carrierCode.iata} ${flightNumber}${serviceSuffix ?? ''}`;
  const formatMatch = ({ DepartureAirport, leg1, leg2, ArrivalAirport }: Connection): string => {
    const via = `${leg1.arrival.airport.iata}/${leg2.departure.airport.iata}`;
    const route = `${DepartureAirport} ${via} ${ArrivalAirport}`;
    return `${formatFlight(leg1)} + ${formatFlight(leg2)}: ${route} after ${leg1.connectionTime}`;
  };
  const search = async (query: string): Promise<readonly Connection[]> => {
    const path = `/flight-connections?ViaPoint=LHR,LGW,JFK,CDG,SIN,GLA,OPO,BOS&MaxConnectingTime=1440&Limit=1000${query}`;
    return (await getJson<ConnectionPage>(world, path)).data;
  };

  test.each(['2026-06-01', '2026-06-06'])(
    'of all pairs of flights on %s, those that a search finds are exactly those that every rule allows',
    { timeout: 240_000 },
    async (date) => {
      const found = await search(`&DepartureDate=${date}`);
      const { data } = await getJson<SchedulePage>(world, '/flights?Limit=1000');
      const names = [...new Set(data.map(formatFlight))];
      const allowed: string[] = [];
      for (const flights of names.flatMap((leg1) => names.map((leg2) => `${leg1} + ${leg2}`))) {
        // 404 if one of the flights does not depart then.
        const { connections = [] }: Partial<Explanation> = await (await world.get(explainPath(flights, date))).json();
        for (const one of connections.filter(({ legal }) => legal))
          allowed.push(`${flights}: ${formatRoute(one)} after ${one.connectingTime}`);
      }
      expect(allowed.toSorted()).toEqual(found.map(formatMatch).toSorted());
      expect(found.length).toBeGreaterThan(20);
    },
  );
});
