import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { FeedReport, FeedResult } from '#generated/status-feed/v1/types.gen.ts';
import { createKey } from '#store/access/subscription-keys.ts';
import { deleteStatuses, listQuarantine } from '#test/jobs/status/messages.ts';
import { serveStatuses, xx101 } from '#test/products/flight-info/v2/status-service.ts';

const world = await serveStatuses();
afterAll(world.drop);

const createSender = async (name: string) => createKey(world.db, { name, products: ['status-feed'] });
const [airline, airport] = [await createSender('airline'), await createSender('airport')];

beforeEach(async () => {
  await deleteStatuses(world.db);
  await world.db`delete from flight_event`;
  world.setToday('2026-06-01');
});

const post = async (key: string, path: string, body: string, type = 'application/x-ndjson'): Promise<FeedReport> => {
  const headers = { 'subscription-key': key, 'content-type': type };
  const response = await world.send(`${path}?version=v1`, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
  const report: FeedReport = await response.json();
  return report;
};

/** A message with the ID `m1`, observed at 09:00. */
const line = (members: object, flight: object = xx101()): string =>
  JSON.stringify({ messageId: 'm1', observedAt: '2026-06-01T09:00:00Z', flight, ...members });

const send = async (key: string, ...lines: readonly string[]): Promise<readonly FeedResult['result'][]> =>
  (await post(key, '/status-messages', lines.join('\n'))).results.map(({ result }) => result);

const getStatus = async () => {
  const query = 'DepartureDateTime=2026-06-01&CarrierCode=XX&FlightNumber=101&Content=Status';
  return (await world.getOnly(query)).statusDetails?.[0];
};

const unknown = (flightNumber: number) => ({ ...xx101(), flightNumber });

describe('an ID', () => {
  test('belongs to its sender: the same ID of another sender is another message', async () => {
    expect(await send(airport.key, line({ departure: { gate: 'B1' } }))).toEqual(['stored']);
    expect(await send(airline.key, line({ cancelled: true }))).toEqual(['stored']);
    const status = await getStatus();
    expect([status?.state, status?.departure?.gate]).toEqual(['Canceled', 'B1']);
  });

  test('belongs to the subscription and not to the key', async () => {
    const rotated = await createSender('airline');
    expect(await send(airline.key, line({ departure: { gate: 'B1' } }))).toEqual(['stored']);
    expect(await send(rotated.key, line({ departure: { gate: 'B1' } }))).toEqual(['duplicate']);
  });

  test('belongs to a source of its sender', async () => {
    expect(await send(airline.key, line({ departure: { gate: 'B1' } }))).toEqual(['stored']);
    expect(await send(airline.key, line({ source: 'ops', departure: { gate: 'B2' } }))).toEqual(['stored']);
  });

  test('that is repeated with another content is a conflict, and that message is not stored', async () => {
    await send(airline.key, line({ departure: { gate: 'B1' } }));
    expect(await post(airline.key, '/status-messages', line({ cancelled: true }))).toEqual({
      stored: 0,
      duplicates: 0,
      conflicts: 1,
      quarantined: 0,
      rejected: 0,
      results: [{ line: 1, messageId: 'm1', result: 'conflict' }],
      remarks: [
        {
          severity: 'quarantined',
          line: 1,
          field: 'messageId',
          value: 'm1',
          reason: 'message-id-reused',
          message:
            'the flight has a message with this ID and another content; this one is not stored: send it with an ID of its own',
        },
      ],
    });
    expect((await getStatus())?.state).not.toBe('Canceled');
  });

  test('that is repeated within a request with another content is a conflict', async () => {
    const [first, second] = [line({ departure: { gate: 'B1' } }), line({ departure: { gate: 'B2' } })];
    expect(await send(airline.key, first, second, first)).toEqual(['stored', 'conflict', 'duplicate']);
    expect((await getStatus())?.departure?.gate).toBe('B1');
  });

  test('that is repeated with the same content is a duplicate, whatever the order of its members and the white space', async () => {
    const members = { messageId: 'm1', observedAt: '2026-06-01T09:00:00Z', departure: { gate: 'B1', terminal: '5' } };
    await send(airline.key, JSON.stringify({ ...members, flight: xx101() }));
    const reordered = { flight: xx101(), departure: { terminal: '5', gate: 'B1' }, observedAt: members.observedAt };
    const repeated = JSON.stringify({ ...reordered, messageId: 'm1' }).replaceAll(':{', ' : { ');
    expect(await send(airline.key, repeated)).toEqual(['duplicate']);
  });

  test('of a message that the previous version stored, without a digest of its content, makes duplicates', async () => {
    await send(airline.key, line({ departure: { gate: 'B1' } }));
    await world.db`update status_message set content = '00000000-0000-0000-0000-000000000000'`;
    expect(await send(airline.key, line({ departure: { gate: 'B2' } }))).toEqual(['duplicate']);
  });
});

test('facts of two senders at the same time apply in an order that does not depend on their arrival', async () => {
  const messages = [
    [airline.key, line({ departure: { gate: 'A' } })],
    [airport.key, line({ departure: { gate: 'B' } })],
  ] as const;
  const gates: unknown[] = [];
  for (const order of [messages, messages.toReversed()]) {
    await deleteStatuses(world.db);
    for (const [key, text] of order) await send(key, text);
    gates.push((await getStatus())?.departure?.gate);
  }
  expect(gates).toEqual(['B', 'B']);
});

describe('the quarantine', () => {
  test('keeps every message that is reported as quarantined, also with one ID and source', async () => {
    const lines = [line({}, unknown(901)), line({}, unknown(902)), line({ cancelled: true }, unknown(901))];
    expect(await send(airline.key, ...lines)).toEqual(['quarantined', 'quarantined', 'quarantined']);
    expect(await send(airport.key, line({}, unknown(901)))).toEqual(['quarantined']);
    expect(await listQuarantine(world.db)).toEqual(Array.from({ length: 4 }, () => 'm1: no-such-flight'));
    expect(await send(airline.key, ...lines)).toEqual(['quarantined', 'quarantined', 'quarantined']);
    expect(await listQuarantine(world.db)).toHaveLength(4);
  });

  test('keeps the message of a sender when another one stores a message with its ID', async () => {
    expect(await send(airline.key, line({}, unknown(901)))).toEqual(['quarantined']);
    expect(await send(airport.key, line({ departure: { gate: 'B1' } }))).toEqual(['stored']);
    expect(await send(airline.key, line({ departure: { gate: 'B2' } }))).toEqual(['stored']);
    expect(await listQuarantine(world.db)).toEqual(['m1: no-such-flight']);
  });

  const describing = (flightNumber: number) => {
    const flight = { ...xx101(), flightNumber };
    const plan = {
      flightType: 'Unscheduled',
      departs: { airport: 'LHR', at: '2026-06-01T15:00:00Z' },
      arrives: { airport: 'JFK' },
    };
    return line({ messageId: 'plan', plan }, flight);
  };

  test('releases each message once its flight exists, to the sender that it is of', async () => {
    await send(airline.key, line({ departure: { gate: 'B1' } }, unknown(9001)));
    await send(airport.key, line({ arrival: { gate: 'C1' } }, unknown(9001)));
    expect(await send(airport.key, describing(9001))).toEqual(['stored']);
    expect(await listQuarantine(world.db)).toEqual([]);
    const stored = await world.db`select id, sender from status_message order by id, sender`;
    expect(stored.map(({ id, sender }) => [id, sender])).toEqual([
      ['m1', airline.subscriptionId],
      ['m1', airport.subscriptionId],
      ['plan', airport.subscriptionId],
    ]);
    expect(await send(airline.key, line({ departure: { gate: 'B1' } }, unknown(9001)))).toEqual(['duplicate']);
  });

  test('keeps a message whose ID is in use when its flight exists, with the reason', async () => {
    await send(airline.key, line({ departure: { gate: 'B1' } }, unknown(9002)));
    await send(airline.key, line({ departure: { gate: 'B2' } }, unknown(9002)));
    expect(await send(airport.key, describing(9002))).toEqual(['stored']);
    expect(await listQuarantine(world.db)).toEqual(['m1: message-id-reused']);
    const [stored] = await world.db`select count(*)::int as messages from status_message where id = 'm1'`;
    expect(stored).toEqual({ messages: 1 });
  });
});

describe('a message without a time of its own', () => {
  const expecting = (time: string): string => `MVT\nXX101/01.GABCD.LHR\nEA${time} JFK\n`;

  const sendAt = async (now: string, body: string, path: '/movement-telegrams' | '/aidx' = '/movement-telegrams') => {
    world.setNow(`2026-06-01T${now}Z`);
    const type = path === '/aidx' ? 'application/xml' : 'text/plain';
    const { results } = await post(airline.key, path, body, type);
    return results.map(({ result, messageId = '' }) => [result, messageId.replace(/:[0-9a-f]{64}/, '')]);
  };
  const getEstimate = async () => (await getStatus())?.arrival?.estimatedTime?.onGround?.utc?.slice(11, 16);

  test.each([
    ['telegram', '/movement-telegrams', expecting],
    [
      'AIDX leg',
      '/aidx',
      (time: string) => `<IATA_AIDX_FlightLegNotifRQ xmlns="http://www.iata.org/IATA/2007/00" Version="22.1"><FlightLeg>
<LegIdentifier><Airline>XX</Airline><FlightNumber>101</FlightNumber><DepartureAirport>LHR</DepartureAirport><ArrivalAirport>JFK</ArrivalAirport>
<OriginDate>2026-06-01</OriginDate></LegIdentifier><LegData><OperationTime OperationQualifier="TDN" TimeType="EST">2026-06-01T${time.slice(0, 2)}:${time.slice(2)}:00Z</OperationTime></LegData>
</FlightLeg></IATA_AIDX_FlightLegNotifRQ>`,
    ],
  ] as const)('%s: received again after another one, it counts again', async (_, path, format) => {
    const prefix = path === '/aidx' ? 'aidx' : 'mvt';
    expect(await sendAt('10:00:00', format('1810'), path)).toEqual([['stored', prefix]]);
    expect(await sendAt('10:05:00', format('1840'), path)).toEqual([['stored', prefix]]);
    expect(await getEstimate()).toBe('18:40');
    expect(await sendAt('10:10:00', format('1810'), path)).toEqual([['stored', `${prefix}@2026-06-01T10:10:00.000Z`]]);
    expect(await getEstimate()).toBe('18:10');
  });

  test('received again within two minutes, it is a duplicate of the first', async () => {
    await sendAt('10:00:00', expecting('1810'));
    expect(await sendAt('10:01:59', expecting('1810'))).toEqual([['duplicate', 'mvt']]);
    expect(await sendAt('10:02:00', expecting('1810'))).toEqual([['stored', 'mvt@2026-06-01T10:02:00.000Z']]);
    expect(await sendAt('10:02:30', expecting('1810'))).toEqual([['duplicate', 'mvt@2026-06-01T10:02:00.000Z']]);
  });

  test('marked as a possible duplicate, it counts once', async () => {
    await sendAt('10:00:00', expecting('1810'));
    await sendAt('10:05:00', expecting('1840'));
    expect(await sendAt('10:10:00', `PDM ${expecting('1810')}`)).toEqual([['duplicate', 'mvt']]);
    expect(await getEstimate()).toBe('18:40');
  });

  test('twice in one request, it counts once, and of two the later one', async () => {
    const body = [expecting('1810'), expecting('1840'), expecting('1810')].join('\n');
    expect((await sendAt('10:00:00', body)).map(([result]) => result)).toEqual(['stored', 'stored', 'duplicate']);
    expect(await getEstimate()).toBe('18:40');
  });

  test('without a known flight, it is in quarantine each time, and released like the others', async () => {
    const ofUnknown = (time: string): string => expecting(time).replace('XX101', 'XX9003');
    for (const [now, time] of [
      ['10:00:00', '1810'],
      ['10:00:30', '1810'],
      ['10:05:00', '1840'],
      ['10:10:00', '1810'],
    ] as const)
      expect(await sendAt(now, ofUnknown(time))).toEqual([['quarantined', `mvt@2026-06-01T${now}.000Z`]]);
    expect(await listQuarantine(world.db)).toHaveLength(4);
    const plan = {
      flightType: 'Unscheduled',
      departs: { airport: 'LHR', at: '2026-06-01T11:00:00Z' },
      arrives: { airport: 'JFK' },
    };
    expect(await send(airline.key, line({ messageId: 'plan', plan }, unknown(9003)))).toEqual(['stored']);
    expect(await listQuarantine(world.db)).toEqual([]);
    const rows = await world.db<{ at: string; id: string }[]>`
      select to_char(observed_at at time zone 'UTC', 'HH24:MI:SS') as at, id from status_message where source = 'mvt' order by observed_at`;
    expect(rows.map(({ at }) => at)).toEqual(['10:00:00', '10:05:00', '10:10:00']);
    // The IDs of the reports.
    for (const { at, id } of rows) expect(id.slice(-25)).toBe(`@2026-06-01T${at}.000Z`);
    expect(await sendAt('10:11:00', ofUnknown('1810'))).toEqual([['duplicate', 'mvt@2026-06-01T10:10:00.000Z']]);
  });
});
