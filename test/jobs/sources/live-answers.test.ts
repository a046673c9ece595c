import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { FlightInstance, FlightInstancePage } from '#generated/flight-info/v2/types.gen.ts';
import type { LiveFollower } from '#jobs/sources/live-follower.ts';
import { assessLiveFeeds, listLiveStatus } from '#jobs/sources/live-status.ts';
import { writeAvinor, writeHkia, type AvinorRow } from '#test/feeds/live/live-inputs.ts';
import { deleteStatuses, listQuarantine } from '#test/jobs/status/messages.ts';
import { deleteEvents, listEventChanges } from '#test/jobs/status/emitted-events.ts';
import { startReplayServer, type ReplayAnswer } from '#test/support/sources/replay-server.ts';
import { serveTinyWorld, type TinyService } from '#test/support/tiny-world.ts';
import {
  createFollower,
  followUntil,
  readIndex,
  saveLiveMasterData,
  TestClock,
  type LiveTestWorld,
} from './live-world.ts';

const START = '2026-10-07T12:00:00.000Z';
const clock = new TestClock(START);
const replay = await startReplayServer(clock.get);
let service: TinyService;
let world: LiveTestWorld;
let follower: LiveFollower;

beforeAll(async () => {
  service = await serveTinyWorld({ today: '2026-10-07' });
  await saveLiveMasterData(service.db);
  await service.refresh();
});
afterAll(() => service.drop());
beforeEach(async () => {
  const { db } = service;
  await deleteStatuses(db);
  await db`truncate live_request, live_row, live_count, flight_codeshare`;
  await db`update live_follower set worker = null, claimed_until = null`;
  clock.set(START);
  replay.requests.length = 0;
  world = { db, clock, replay, masterDataIndex: await readIndex(db) };
  follower = await createFollower(world, 'avinor:OSL');
});

/** WF 555 from OSL to BGO at 14:00, with a gate. */
const departure: AvinorRow = {
  airline: 'WF',
  flight_id: 'WF555',
  dom_int: 'D',
  schedule_time: '2026-10-07T14:00:00Z',
  arr_dep: 'D',
  airport: 'BGO',
  gate: 'A5',
};
/** Ten more departures, WF 601 to 610. */
const others: readonly AvinorRow[] = Array.from({ length: 10 }, (_, index) => ({
  ...departure,
  flight_id: `WF${601 + index}`,
}));

const respondWith = (rows: readonly AvinorRow[], options: { lastUpdate?: string; encoding?: string } = {}): void => {
  replay.respond = (url) => ({
    body: writeAvinor(url.searchParams.get('airport') ?? '', rows, {
      lastUpdate: clock.get().toISOString(),
      ...options,
    }),
  });
};

/** Follows for some minutes. */
const follow = (minutes: number): Promise<void> =>
  followUntil(follower, clock, new Date(clock.get().getTime() + minutes * 60_000));

/** The flights of the day, with what their status shows. */
const listFlights = async (query = 'FlightNumber=555'): Promise<readonly string[]> => {
  await service.refresh();
  const response = await service.get(
    `/flight-instances?DepartureDateTime=2026-10-06/2026-10-08&${query}&Content=Status`,
  );
  expect(response.status).toBe(200);
  const page: FlightInstancePage = await response.json();
  return page.data.map(({ carrier, flightNumber, departure: from, arrival: to, statusDetails }: FlightInstance) => {
    const [status] = statusDetails ?? [];
    const { departure: out } = status ?? {};
    const times = [out?.estimatedTime?.outGate?.utc, out?.actualTime?.outGate?.utc].map(
      (time) => time?.slice(8, 16) ?? '-',
    );
    return `${carrier.iata ?? carrier.icao} ${flightNumber} ${from.airport.iata} ${from.time.utc}-${to.airport.iata} ${status?.state}, estimated ${times[0]}, out ${times[1]}, gate ${out?.gate ?? '-'}`;
  });
};
const known = ['WF 555 OSL 14:00-BGO Scheduled, estimated -, out -, gate A5'];

/** What an operator reads. */
const readOperator = async () => {
  const states = (await listLiveStatus(service.db, clock.get())).filter(({ places }) => places.length > 0);
  const [state] = states;
  const [finding] = assessLiveFeeds(states);
  return {
    error: state?.error,
    stale: state?.stale,
    level: finding?.level,
    rows: state?.rows,
    details: state?.details.map(({ kind, reason, value, count }) =>
      [kind, reason, value, count].join(' ').replace('  ', ' '),
    ),
  };
};

test('rows of an answer become flights with their status, and the operator reads how many', async () => {
  respondWith([departure, ...others]);
  await follow(4);
  expect(await listFlights()).toEqual(known);
  expect(await readOperator()).toEqual({
    error: undefined,
    stale: undefined,
    level: 'ok',
    rows: { taken: 11, unchanged: 11, rejected: 0, quarantined: 0 },
    details: ['remark unverified-id departure 22'],
  });
});

const rejections: readonly (readonly [
  name: string,
  answer: (body: Buffer) => ReplayAnswer,
  error: string,
  reason: string,
])[] = [
  [
    'HTML instead of XML',
    () => ({ body: '<html><body>Maintenance</body></html>' }),
    'OSL: The root must be airport, not html.',
    'not-the-format',
  ],
  [
    'an answer for another airport',
    () => ({ body: writeAvinor('BGO', [departure], { lastUpdate: clock.get().toISOString() }) }),
    "OSL: The answer is for 'BGO', not for OSL.",
    'other-airport',
  ],
  [
    'an answer with the legs of another airport',
    () => ({
      body: writeAvinor(
        'OSL',
        others.map((row) => ({ ...row, airport: 'OSL' })),
        { lastUpdate: clock.get().toISOString() },
      ),
    }),
    'OSL: 10 legs lead from OSL to OSL: the rows are those of another airport.',
    'other-airport',
  ],
  ['half an answer', (body) => ({ body: body.subarray(0, body.length / 2) }), 'OSL: column ', 'bad-xml'],
  ['an answer of 0 bytes', () => ({ body: '' }), 'OSL: ', 'bad-xml'],
  [
    'an answer without rows',
    () => ({ body: writeAvinor('OSL', [], { lastUpdate: clock.get().toISOString() }) }),
    'OSL: the answer has 0 rows; the last full one had 11',
    'short-answer',
  ],
  [
    'a connection that is lost',
    (body) => ({ body, cutAfter: 200 }),
    'OSL: the connection was lost after 200 bytes',
    'no-answer',
  ],
  ['status 403', () => ({ status: 403 }), 'OSL: the server responded with status 403', 'no-answer'],
  [
    'status 429',
    () => ({ status: 429, headers: { 'retry-after': '600' } }),
    'OSL: the server responded with status 429',
    'no-answer',
  ],
  ['status 400', () => ({ status: 400 }), 'OSL: the server responded with status 400', 'bad-answer'],
  [
    'a document type',
    () => ({ body: '<!DOCTYPE airport><airport name="OSL"/>' }),
    'OSL: column 18: a document type declaration is not allowed.',
    'bad-xml',
  ],
  [
    'an answer beyond the size limit',
    () => ({ body: Buffer.alloc(8_000_001, 32) }),
    'OSL: the answer is larger than the limit of 8000000 bytes',
    'bad-answer',
  ],
  [
    'a clock of the source that is ahead',
    () => ({ body: writeAvinor('OSL', others, { lastUpdate: '2026-10-07T14:00:00Z' }) }),
    'OSL: the time of the answer, 2026-10-07T14:00:00.000Z, is ahead of the clock',
    'time-ahead',
  ],
  [
    'an answer older than the last one',
    () => ({ body: writeAvinor('OSL', others, { lastUpdate: '2026-10-07T11:00:00Z' }) }),
    'OSL: the time of the answer, 2026-10-07T11:00:00.000Z, is before',
    'older-answer',
  ],
];

test.each(rejections)('%s changes nothing, and the operator reads the error', async (_name, answer, error, reason) => {
  respondWith([departure, ...others]);
  await follow(1);
  const before = replay.respond;
  clock.advance(3_600_000);
  replay.respond = (url, headers) => answer(Buffer.from(before(url, headers).body ?? ''));
  await follow(1);
  expect(await listFlights()).toEqual(known);
  const { details = [], ...read } = await readOperator();
  expect(read).toMatchObject({
    error: expect.stringContaining(error),
    level: 'warning',
    stale: 'the data of OSL are up to 62 min old',
  });
  expect(details).toContain(`answer ${reason} 1`);
  // The next answer counts again.
  clock.advance(3_600_000);
  respondWith([{ ...departure, gate: 'A6' }, ...others]);
  await follow(1);
  expect(await listFlights()).toEqual([known[0]?.replace('A5', 'A6')]);
  expect(await readOperator()).toMatchObject({ error: undefined, stale: undefined, level: 'ok' });
});

test.each([
  [403, {}, 6],
  [429, {}, 6],
  [429, { 'retry-after': '600' }, 10],
])('after status %i with %j, the operator reads until when the source pauses', async (status, headers, minutes) => {
  respondWith([departure, ...others]);
  await follow(1);
  clock.advance(3_600_000);
  replay.respond = () => ({ status, headers });
  await follow(1);
  const until = new Date(Date.parse(START) + (61 + minutes) * 60_000).toISOString();
  const [finding] = assessLiveFeeds(await listLiveStatus(service.db, clock.get()));
  expect(finding?.text).toBe(
    `avinor: 1 airport; the data of OSL are up to 62 min old; OSL: the server responded with status ${status}; not requested before ${until}; 11 rows taken, 0 rejected`,
  );
  expect(await listFlights()).toEqual(known);
});

test('without an answer for 24 hours, the feed is stale, its flights stay, and the first answer counts', async () => {
  respondWith([departure, ...others]);
  await follow(1);
  replay.respond = () => ({ status: 503 });
  await follow(24 * 60);
  expect(replay.requests.length).toBeLessThan(32);
  expect(await listFlights()).toEqual(known);
  expect(await readOperator()).toMatchObject({
    stale: 'the data of OSL are up to 24 h old',
    error: 'OSL: the server responded with status 503',
    level: 'warning',
  });
  respondWith([{ ...departure, schedule_time: '2026-10-08T14:00:00Z' }]);
  clock.advance(3_600_000);
  await follow(1);
  expect(await readOperator()).toMatchObject({ stale: undefined, error: undefined, rows: { taken: 12 } });
  expect(await listFlights()).toEqual([...known, ...known]);
});

test('health has no sources without a feed', async () => {
  expect(await (await service.get('/status-feed/health')).json()).toEqual({ statusFeed: 'healthy' });
});

test.each([
  ['2026-10-07T11:58:00Z', 120, false],
  ['2026-10-07T11:29:00Z', 1860, true],
])('health has the age of a feed whose data are of %s', async (lastUpdate, ageSeconds, stale) => {
  respondWith([departure], { lastUpdate });
  await follow(1);
  expect(await (await service.get('/status-feed/health')).json()).toEqual({
    statusFeed: 'healthy',
    sources: [{ name: 'avinor', ageSeconds, stale }],
  });
});

test('after the clock of the server was wrong, requests go on', async () => {
  clock.set('2027-10-07T12:00:00Z');
  respondWith([departure, ...others], { lastUpdate: START });
  await follow(1);
  expect(await readOperator()).toMatchObject({ level: 'warning', rows: { taken: 11 } });
  clock.set('2026-10-07T12:03:00Z');
  respondWith([{ ...departure, gate: 'A6' }, ...others]);
  await follow(4);
  expect(replay.requests.map(({ url }) => url.searchParams.has('lastUpdate'))).toEqual([false, false, true]);
  expect(await listFlights()).toEqual([known[0]?.replace('A5', 'A6')]);
  expect(await readOperator()).toMatchObject({ level: 'ok', error: undefined });
});

test('a status that was never seen gives no fact and is counted with its text', async () => {
  respondWith([{ ...departure, status: 'code="Q" time="2026-10-07T14:10:00Z"' }]);
  await follow(1);
  expect(await listFlights()).toEqual(known);
  expect((await readOperator()).details).toContain('remark unknown-status Q of a departure 1');
});

test('a carrier by its ICAO code, and one that the master data lack', async () => {
  respondWith([
    { ...departure, airline: 'WIF', flight_id: 'WIF555' },
    { ...departure, airline: 'ZZZ', flight_id: 'ZZZ9' },
  ]);
  await follow(1);
  expect(await listFlights()).toEqual(known);
  expect(await listFlights('FlightNumber=9')).toEqual([known[0]?.replace('WF 555', 'ZZZ 9')]);
  expect(await readOperator()).toMatchObject({ rows: { taken: 2, quarantined: 0 }, level: 'ok' });
});

test('an airport that the master data lack: the row is in quarantine with its code', async () => {
  respondWith([
    { ...departure, airport: 'QQQ' },
    { ...departure, flight_id: 'WF556' },
  ]);
  await follow(1);
  expect(await listFlights()).toEqual([]);
  expect(await listFlights('FlightNumber=556')).toEqual([known[0]?.replace('555', '556')]);
  const { rows, details } = await readOperator();
  expect(rows).toMatchObject({ taken: 1, quarantined: 1 });
  expect(details).toContain('quarantined airport-unknown QQQ 1');
  expect(await listQuarantine(service.db)).toHaveLength(1);
});

test('a flight that is late by a day keeps its date', async () => {
  respondWith([{ ...departure, status: 'code="E" time="2026-10-08T17:00:00Z"', delayed: 'Y' }]);
  await follow(1);
  expect(await listFlights()).toEqual(['WF 555 OSL 14:00-BGO Scheduled, estimated 08T17:00, out -, gate A5']);
});

test('a flight that the feed moves to another date is a flight of that date; the former one is not confirmed any more', async () => {
  respondWith([departure, ...others]);
  await follow(1);
  clock.advance(3_600_000);
  respondWith([{ ...departure, schedule_time: '2026-10-08T14:00:00Z' }, ...others]);
  await follow(1);
  expect(await listFlights()).toEqual([...known, ...known]);
  expect(await readConfirmation(555)).toMatchObject({ sources: [{ confirmedAt: '2026-10-07T12:00:00.000Z' }] });
  expect((await readOperator()).rows).toMatchObject({ taken: 12, rejected: 0, quarantined: 0 });
});

test('two rows for one leg that disagree: the rest is taken, and the operator reads which facts differ', async () => {
  respondWith([
    { ...departure, status: 'code="E" time="2026-10-07T14:20:00Z"' },
    { ...departure, gate: 'A9' },
  ]);
  await follow(1);
  expect(await listFlights()).toEqual(['WF 555 OSL 14:00-BGO Scheduled, estimated 07T14:20, out -, gate -']);
  expect(await readOperator()).toMatchObject({
    rows: { taken: 1, rejected: 1 },
    details: expect.arrayContaining(['rejected contradicts-another-row OSL D WF555 BGO 2026-10-07T14:00:00Z: gate 1']),
  });
});

/** When the feed last had a flight, and the events of it. */
const readConfirmation = async (flightNumber: number) => {
  const query = `DepartureDateTime=2026-10-07&FlightNumber=${flightNumber}&Content=Status`;
  const page: FlightInstancePage = await (await service.get(`/flight-instances?${query}`)).json();
  const events = (await listEventChanges(service.db)).filter(([name]) => name === `WF${flightNumber}`);
  return { sources: page.data[0]?.statusDetails?.[0]?.sources, events: events.length };
};

test('a row that is no longer in the answer is not a cancellation: its flight is not confirmed since then', async () => {
  await deleteEvents(service.db);
  respondWith([departure, ...others]);
  await follow(1);
  respondWith(others);
  await follow(70);
  expect(await listFlights()).toEqual(known);
  expect(await readConfirmation(555)).toEqual({
    sources: [{ name: 'avinor', confirmedAt: '2026-10-07T12:00:00.000Z' }],
    events: 1,
  });
  // A flight that is in the feed is confirmed every hour, without an event.
  expect(await readConfirmation(601)).toEqual({
    sources: [{ name: 'avinor', confirmedAt: '2026-10-07T13:00:00.000Z' }],
    events: 1,
  });
  expect((await readOperator()).rows).toMatchObject({ taken: 11, quarantined: 0, rejected: 0 });
});

test('a row without a flight is not confirmed: nothing more is in quarantine', async () => {
  respondWith([{ ...departure, airport: 'QQQ' }]);
  await follow(130);
  expect(await listQuarantine(service.db)).toHaveLength(1);
});

test('a restart and a server that is killed lose nothing, and send nothing twice', async () => {
  respondWith([departure, ...others]);
  await follow(1);
  await follower.close();
  follower = await createFollower(world, 'avinor:OSL');
  await follow(3);
  expect((await readOperator()).rows).toMatchObject({ taken: 11, unchanged: 11 });
  // Killed: its lease ends by time.
  await service.db`update live_follower set claimed_until = clock_timestamp()`;
  follower = await createFollower(world, 'avinor:OSL');
  respondWith([{ ...departure, gate: 'A6' }, ...others]);
  await follow(3);
  expect((await readOperator()).rows).toMatchObject({ taken: 12, unchanged: 21 });
  expect(await listFlights()).toEqual([known[0]?.replace('A5', 'A6')]);
});

test('Hong Kong is stale by content: its newest actual time is old in opening hours', async () => {
  follower = await createFollower(world, 'hkia');
  replay.respond = (url) => {
    const [arrival, cargo] = [url.searchParams.get('arrival') === 'true', url.searchParams.get('cargo') === 'true'];
    const date = url.searchParams.get('date') ?? '';
    const row = {
      time: '18:00',
      flight: [{ no: 'CX 450', airline: 'CPA' }],
      status: 'Dep 18:10',
      destination: ['TPE'],
      terminal: 'T1',
      aisle: 'C',
      gate: '63',
    };
    return {
      headers: { age: '20' },
      body: writeHkia({ [date]: arrival || cargo || date !== '2026-10-07' ? [] : [row] }, { arrival, cargo }),
    };
  };
  // 20:00 in Hong Kong.
  await follow(1);
  expect(await listFlights('FlightNumber=450')).toEqual([
    'CX 450 HKG 10:00-TPE OutGate, estimated -, out 07T10:10, gate 63',
  ]);
  expect(await readOperator()).toMatchObject({ stale: 'its newest actual time is 111 min old', level: 'warning' });
});

test('the two airports of a leg describe one flight, and its marketing flights are found', async () => {
  follower = await createFollower(world, 'avinor:OSL,BGO');
  const codeshare = {
    codeshareAirlineDesignators: 'SK',
    codeshareFlightNumbers: '4555',
    codeshareOperationalSuffixs: '',
    codeshareAirlineNames: '',
  };
  const arrival = {
    ...departure,
    arr_dep: 'A',
    airport: 'OSL',
    schedule_time: '2026-10-07T14:55:00Z',
    gate: '',
    belt: '2',
    status: 'code="E" time="2026-10-07T15:01:00Z"',
  };
  replay.respond = (url) => {
    const airport = url.searchParams.get('airport') ?? '';
    const rows = airport === 'OSL' ? [{ ...departure, ...codeshare }] : [arrival];
    return { body: writeAvinor(airport, rows, { lastUpdate: clock.get().toISOString() }) };
  };
  await follow(1);
  expect(await listFlights()).toEqual(known);
  expect(await listFlights('FlightNumber=4555&CarrierCode=SK')).toEqual([known[0]?.replace('WF 555', 'SK 4555')]);
  const response = await service.get('/flight-instances?DepartureDateTime=2026-10-07&FlightNumber=555&Content=Status');
  const { data }: FlightInstancePage = await response.json();
  expect(data).toMatchObject([
    {
      departure: { time: { utc: '14:00' } },
      arrival: { time: { utc: '14:55' } },
      statusDetails: [{ arrival: { baggage: '2', estimatedTime: { inGateVariation: '00:06:00' } } }],
    },
  ]);
  expect(data[0]?.arrival.isEstimated).toBe(undefined);
});

test('states of a day, one after the other, are the changes that alerts and streams get', async () => {
  await deleteEvents(service.db);
  const states: readonly AvinorRow[] = [
    departure,
    { ...departure, status: 'code="E" time="2026-10-07T14:25:00Z"' },
    { ...departure, gate: 'A6', status: 'code="E" time="2026-10-07T14:25:00Z"' },
    { ...departure, gate: 'A6', status: 'code="C"' },
    { ...departure, gate: '', status: 'code="E" time="2026-10-07T14:25:00Z"' },
    { ...departure, gate: '', status: 'code="D" time="2026-10-07T14:27:00Z"' },
  ];
  const changes: (readonly (readonly string[])[])[] = [];
  for (const state of states) {
    respondWith([state, ...others]);
    await follow(3);
    changes.push(await listEventChanges(service.db));
    await deleteEvents(service.db);
  }
  const own = changes.map((events) => events.filter(([name]) => name === 'WF555').map(([, ...names]) => names));
  expect(own[0]).toEqual([expect.arrayContaining(['+State', '+Departure.Gate'])]);
  expect(own.slice(1)).toEqual([
    [
      [
        '+Departure.Times.Estimated.OutGateTimeliness',
        '+Departure.Times.Estimated.OutGateVariation',
        '+Departure.Times.Estimated.OutGate.Local',
        '+Departure.Times.Estimated.OutGate.UTC',
      ],
    ],
    [['Departure.Gate: "A5"']],
    [['State: "Scheduled"']],
    [['State: "Canceled"']],
    [expect.arrayContaining(['State: "Scheduled"', '+Departure.Times.Actual.OutGate.UTC'])],
  ]);
});
