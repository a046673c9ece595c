import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Explanation, ExplainedConnection, Problem } from '../../../../generated/connections/v1/types.gen.ts';
import { type TinyService } from '../../../support/tiny-world.ts';
import { serveConnections } from './connections-service.ts';

let world: TinyService;
beforeAll(async () => {
  world = await serveConnections();
});
afterAll(() => world.drop());

/** `ZX 1302`, with a suffix `ZX 302A`. */
const legQuery = (leg: 1 | 2, name: string): string => {
  const [, carrier, number, suffix] = /^(..) (\d+)(\w?)$/.exec(name) ?? [];
  const query = `Leg${leg}CarrierCode=${carrier}&Leg${leg}FlightNumber=${number}`;
  return suffix ? `${query}&Leg${leg}ServiceSuffix=${suffix}` : query;
};

const request = (leg1: string, leg2: string, rest: string): Promise<Response> =>
  world.get(`/flight-connections/explain?${legQuery(1, leg1)}&${legQuery(2, leg2)}&DepartureDate=${rest}`);

const explain = async (leg1: string, leg2: string, rest = '2026-06-01'): Promise<Explanation> => {
  const response = await request(leg1, leg2, rest);
  expect([leg1, leg2, response.status]).toEqual([leg1, leg2, 200]);
  const explanation: Explanation = await response.json();
  return explanation;
};

const only = async (leg1: string, leg2: string, rest = '2026-06-01'): Promise<ExplainedConnection> => {
  const { connections } = await explain(leg1, leg2, rest);
  const [one, other] = connections;
  if (!one || other) throw new Error(`${leg1} and ${leg2} have ${connections.length} connections`);
  return one;
};

const wayOf = ({ origin, via, destination }: ExplainedConnection): string =>
  `${origin} ${via.arrivalAirport}/${via.departureAirport} ${destination}`;

test('two connecting flights are allowed by every rule, with reasons and figures', async () => {
  const { legal, set, connections } = await explain('ZX 1302', 'ZX 101');
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
    ['circuity', true, 'The way is 6094.5 km, 118.1 percent of the direct 5162.2 km; at most 250 percent are allowed.'],
    ['codeshare', true, 'Both legs are sold under the designator ZX.'],
    ['partners', true, 'Neither carrier has told that it does not connect with the other.'],
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

describe('a rule that rejects two flights is named with its reason', () => {
  test.each<readonly [string, string, string, string, string]>([
    [
      'ZX 1302',
      'ZX 7001',
      '2026-06-01',
      'service',
      'Leg 1 is a passenger flight (service type J), leg 2 is a cargo flight (service type F): they have no traffic in common.',
    ],
    ['ZX 101', 'ZX 101', '2026-06-01', 'same-flight', 'Both legs are ZX 101.'],
    ['ZX 101', '9Q 5101', '2026-06-01', 'same-flight', 'ZX 101 and 9Q 5101 are both operated as ZX 101.'],
    [
      'ZX 1302',
      '9Q 88',
      '2026-06-01',
      'connection-point',
      'Leg 1 arrives at LHR, leg 2 departs from JFK: these are not airports of one city.',
    ],
    ['ZX 1302', 'ZX 420', '2026-06-01', 'position', 'The position of QQX is not known.'],
    ['ZX 1302', 'ZX 205', '2026-06-01', 'circuity', 'The connection leads back to GLA, where it began.'],
    [
      'ZX 1302',
      'ZX 207',
      '2026-06-01',
      'circuity',
      'The way is 1088.4 km, 1633.3 percent of the direct 66.6 km; at most 250 percent are allowed.',
    ],
    [
      'ZX 1302',
      '9Q 5101',
      '2026-06-01',
      'codeshare',
      'Leg 2 is a marketing flight of 9Q and connects with flights of 9Q only, not of ZX.',
    ],
    [
      '0Z 461',
      '9Q 89',
      '2026-06-01',
      'connection-point',
      'Leg 1 arrives at JFK, leg 2 departs from BOS: these are not airports of one city.',
    ],
    [
      'ZX 901',
      'ZX 101',
      '2026-06-01',
      'traffic-restriction',
      'Restriction A on leg 1 at LHR allows no connection (passenger).',
    ],
    [
      '0Z 902',
      'ZX 101',
      '2026-06-01',
      'traffic-restriction',
      'Restriction Y on leg 1 at LHR allows connections with flights of the same carrier only (passenger).',
    ],
    [
      'ZX 904',
      'ZX 101',
      '2026-06-01',
      'traffic-restriction',
      'Restriction C on leg 1 at LHR allows connections with domestic flights only (passenger).',
    ],
    [
      'ZX 905',
      'ZX 101',
      '2026-06-01',
      'traffic-restriction',
      'Restriction A on leg 1 at GLA allows no local traffic (passenger).',
    ],
    [
      'ZX 906',
      'ZX 908',
      '2026-06-01',
      'traffic-restriction',
      'Restriction G on leg 1 at LHR is qualified, and so is one of the other flight (passenger). Restriction G on leg 2 at LHR is qualified, and so is one of the other flight (passenger).',
    ],
    [
      'ZX 7009',
      'ZX 7001',
      '2026-06-06',
      'traffic-restriction',
      'Restriction M on leg 1 at LHR allows no connection (cargo).',
    ],
    ['0Z 470', '0Z 471', '2026-06-01', 'suppressed', 'The record in line 7 suppresses this connection.'],
    [
      'ZX 15',
      'ZX 101',
      '2026-06-02',
      'minimum-connecting-time',
      'Leg 2 departs 80 minutes after leg 1 arrives; the minimum is 90 minutes (II, the default): 10 minutes too few.',
    ],
    [
      'ZX 1302',
      'ZX 411',
      '2026-06-05',
      'maximum-connecting-time',
      'Leg 2 departs 8915 minutes after leg 1 arrives; more than 1440 are a stopover.',
    ],
  ])('%s with %s on %s: %s', async (leg1, leg2, date, rule, text) => {
    const { legal, forbiddenBy, verdicts } = await only(leg1, leg2, date);
    const verdict = verdicts.find((one) => one.rule === rule);
    expect({ legal, forbiddenBy, allowed: verdict?.allowed, text: verdict?.text }).toEqual({
      legal: false,
      forbiddenBy: rule,
      allowed: false,
      text,
    });
  });

  test('a restriction to international flights, although the connection is too circuitous', async () => {
    const { forbiddenBy, verdicts } = await only('ZX 903', 'ZX 207');
    expect([forbiddenBy, verdicts.find(({ rule }) => rule === 'traffic-restriction')]).toEqual([
      'circuity',
      {
        rule: 'traffic-restriction',
        allowed: false,
        text: 'Restriction N on leg 1 at LHR allows connections with international flights only (passenger).',
        figures: {
          passenger: false,
          cargo: false,
          refusals: [
            {
              leg: 1,
              code: 'N',
              readAs: 'N',
              meaning: 'international connecting traffic only',
              airport: 'LHR',
              service: 'passenger',
              reason: 'not-international',
            },
          ],
        },
      },
    ]);
  });

  test('a list of partners without the other carrier', async () => {
    const { verdicts } = await only('0Z 461', '9Q 88');
    expect(verdicts.find(({ rule }) => rule === 'partners')).toEqual({
      rule: 'partners',
      allowed: false,
      text: '9Q has told with whom it connects (line 8), and not 0Z.',
      figures: { objections: [{ carrier: '9Q', other: '0Z', line: 8 }] },
    });
  });
});

describe('flights of several airports', () => {
  test('are explained for every pair with a common airport', async () => {
    // SYD-SIN-LHR on 1 June, and the SIN-LHR of the aircraft that left Sydney the day before.
    const { legal, connections } = await explain('ZX 15', 'ZX 207', '2026-06-03');
    expect({ legal, ways: connections.map(wayOf) }).toEqual({ legal: true, ways: ['SYD LHR/LHR EDI'] });
    const both = await explain('ZX 15', 'ZX 207', '2026-06-01');
    expect(both.connections.map(wayOf)).toEqual(['SYD LHR/LHR EDI']);
    const explained = await explain('ZX 411', 'ZX 15', '2026-06-04');
    expect(explained.connections.map(wayOf)).toEqual(['LHR SIN/SIN LHR']);
  });

  test('without a common airport are explained as a whole', async () => {
    const { connections } = await explain('ZX 15', '9Q 88');
    expect(connections.map((one) => [wayOf(one), one.forbiddenBy])).toEqual([['SYD LHR/JFK BOS', 'connection-point']]);
  });

  test('can be limited to the airport of the change', async () => {
    const { connections } = await explain('ZX 1302', '0Z 440', '2026-06-01&ViaPoint=lgw');
    expect(connections.map((one) => [wayOf(one), one.legal])).toEqual([['GLA LHR/LGW OPO', true]]);
  });
});

describe('the date of leg 2', () => {
  test('is that of its first departure after the arrival of leg 1', async () => {
    const { leg2, connectingTime } = await only('ZX 1302', 'ZX 411', '2026-06-05');
    expect([leg2.departureDate, leg2.departureIntervalDays, connectingTime]).toEqual(['2026-06-11', 6, 8915]);
  });

  test('is the last departure before the arrival if none follows', async () => {
    const { leg2, connectingTime, forbiddenBy, verdicts } = await only('ZX 1302', 'ZX 411', '2026-09-30');
    expect([leg2.departureDate, leg2.departureIntervalDays, connectingTime, forbiddenBy]).toEqual([
      '2026-09-24',
      -6,
      -8365,
      'minimum-connecting-time',
    ]);
    expect(verdicts.find(({ rule }) => rule === 'minimum-connecting-time')?.text).toBe(
      'Leg 2 departs 8365 minutes before leg 1 arrives; the minimum is 65 minutes (DI, the exception in line 3): 8430 minutes too few.',
    );
  });
});

test.each<readonly [string, string, string, string, string]>([
  ['an unknown flight', 'ZX 9999', 'ZX 101', '2026-06-01', 'No flight ZX 9999 departs on 2026-06-01.'],
  ['a flight of another day', 'ZX 205', 'ZX 101', '2026-06-06', 'No flight ZX 205 departs on 2026-06-06.'],
  ['a flight with another suffix', 'ZX 302', 'ZX 101', '2026-06-01', 'No flight ZX 302 departs on 2026-06-01.'],
  ['a day before the set', 'ZX 1302', 'ZX 101', '2026-05-30', 'No flight ZX 1302 departs on 2026-05-30.'],
  [
    'an unknown second flight',
    'ZX 1302',
    'ZX 102',
    '2026-06-01',
    'No flight ZX 102 departs within 7 days of the arrival of ZX 1302 on 2026-06-01.',
  ],
  [
    'an airport of neither flight',
    'ZX 1302',
    'ZX 101',
    '2026-06-01&ViaPoint=CDG',
    'ZX 1302 does not arrive at CDG, and ZX 101 does not depart from there.',
  ],
])('%s returns 404, and the detail names it', async (_, leg1, leg2, rest, detail) => {
  const response = await request(leg1, leg2, rest);
  const problem: Problem = await response.json();
  expect([response.status, problem.type, problem.detail]).toEqual([
    404,
    '/docs/errors#not-found',
    `${detail} The set holds the flights of 2026-05-31 to 2027-05-30.`,
  ]);
});
