import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { LoadReport } from '#feeds/load-report.ts';
import { openDatabase } from '#store/pool/database.ts';
import {
  createAidxReader,
  createStatusReader,
  createTelegramReader,
  type FeedItem,
} from '#jobs/status/ingest/feed-readers.ts';
import { importStatusFile } from '#jobs/status/ingest/import-file.ts';
import { createStatusIngester } from '#jobs/status/ingest/status-ingester.ts';
import { dumpStatuses, flight, formatLine, listStoredMessages, message, listQuarantine } from '../messages.ts';
import { untilBlocked } from '#test/support/database.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';
import { db, useStatusWorld, world } from '../status-world.ts';

useStatusWorld();
const { write } = createTemporaryFolder();

const load = async (content: string | Buffer): Promise<LoadReport> => {
  const feed = () => createStatusReader(() => new Date('2026-06-01T12:00Z'));
  return importStatusFile({ db, kind: 'status', file: write('feed.ndjson', content), feed });
};

const route = { departureAirport: 'OPO', arrivalAirport: 'LIS' };
const charter = { flight: { carrier: 'ZZJ', flightNumber: 1, originDate: '2026-06-01', ...route } };
const gates = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    formatLine(`m${index}`, { departure: { gate: `${(index * 7919) % 10_007}` } }),
  );
const plan = { flightType: 'GA', departs: { airport: 'OPO', at: '2026-06-01T10:00Z' }, arrives: { airport: 'LIS' } };

test('imports a file and reports the outcomes of its lines', async () => {
  const report = await load(
    [
      formatLine('1', { departure: { gate: 'B1' } }),
      formatLine('1', { departure: { gate: 'B1' } }),
      formatLine('2', { flight: { ...charter.flight, flightNumber: 9 } }),
      formatLine('3', { ...charter, plan }),
      formatLine('4', { departure: { gate: 5 } }),
      formatLine('5', { departure: { actual: { out: '2026-06-01T10:10Z', off: '2026-06-01T10:05Z' } } }),
    ].join('\n'),
  );
  expect(report.accepted).toEqual({ messages: 3, 'duplicate messages': 1, 'messages of unscheduled flights': 1 });
  const entries = report.entries.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  const outOrOff: unknown = expect.stringMatching(/^departure\.actual\.(out|off)$/);
  expect(entries.map((entry) => [entry.severity, entry.line, entry.field, entry.value])).toEqual([
    ['quarantined', 3, undefined, 'ZZJ 9 of 2026-06-01, OPO-LIS'],
    ['notice', 4, 'flight.carrier', 'ZZJ'],
    ['quarantined', 5, 'departure.gate', '5'],
    ['corrected', 6, outOrOff, expect.stringContaining('2026-06-01T10:')],
  ]);
  const messages = ['1: XX101 LHR-JFK 06-01 11:00', '3: ZZJ1 OPO-LIS 06-01 11:00', '5: XX101 LHR-JFK 06-01 11:00'];
  expect([await listStoredMessages(db), await listQuarantine(db)]).toEqual([messages, ['2: no-such-flight']]);
  const [stored] = await db<{ kind: string; source: string; report: LoadReport }[]>`
    select kind, source, report from load order by id desc limit 1`;
  expect(stored).toEqual({ kind: 'status', source: 'feed.ndjson', report });
});

test('a message with the ID of another one of its flight and source is reported and not stored', async () => {
  const report = await load([formatLine('1', { departure: { gate: 'B1' } }), formatLine('1')].join('\n'));
  expect(report.accepted).toEqual({ messages: 1 });
  expect(report.entries.map(({ severity, line, value, reason }) => [severity, line, value, reason])).toEqual([
    ['quarantined', 2, '1', 'message-id-reused'],
  ]);
});

test('reloading a file changes nothing', async () => {
  const text = gates(1100).join('\n');
  expect((await load(text)).accepted).toEqual({ messages: 1100 });
  const before = await dumpStatuses(db);
  expect((await load(gzipSync(text))).accepted).toEqual({ 'duplicate messages': 1100 });
  expect(await dumpStatuses(db)).toBe(before);
});

test.each([
  [
    'telegrams without a header',
    'mvt',
    createTelegramReader,
    'MVT\nXX101/01.GABCD.LHR\nEA1810 JFK\n\nMVT\nXX101/01.GABCD.LHR\nEA1840 JFK\n',
  ],
  [
    'AIDX without a time',
    'aidx',
    createAidxReader,
    `<IATA_AIDX_FlightLegNotifRQ xmlns="http://www.iata.org/IATA/2007/00" Version="22.1"><FlightLeg><LegIdentifier><Airline>XX</Airline>
<FlightNumber>101</FlightNumber><DepartureAirport>LHR</DepartureAirport><ArrivalAirport>JFK</ArrivalAirport><OriginDate>2026-06-01</OriginDate>
</LegIdentifier><LegData><OperationTime OperationQualifier="TDN" TimeType="EST">2026-06-01T18:10:00Z</OperationTime></LegData></FlightLeg>
</IATA_AIDX_FlightLegNotifRQ>`,
  ],
] as const)('reloading a file of %s an hour later changes nothing', async (_, kind, createReader, text) => {
  const loadAt = (now: string) => {
    const reader = createReader(() => new Date(now), 'file');
    return importStatusFile({ db, kind, file: write('feed', text), feed: () => reader });
  };
  const { accepted } = await loadAt('2026-06-01T12:00Z');
  const before = await dumpStatuses(db);
  expect((await loadAt('2026-06-01T13:00Z')).accepted).toEqual({ 'duplicate messages': accepted['messages'] });
  expect(await dumpStatuses(db)).toBe(before);
});

test('a truncated gzip file stores nothing, not even a carrier or a day', async () => {
  const first = formatLine('plan', {
    flight: { ...charter.flight, carrier: 'ZZK', originDate: '2026-07-01' },
    plan: { ...plan, departs: { airport: 'OPO', at: '2026-07-01T10:00Z' } },
  });
  const packed = gzipSync([first, ...gates(5000)].join('\n'));
  const loads = async () => [
    ...(await db`select count(*) from load`),
    ...(await db`select count(*) from carrier`),
    ...(await db`select count(*) from expanded_day`),
  ];
  const before = await loads();
  await expect(load(packed.subarray(0, packed.length / 2))).rejects.toThrow('feed.ndjson is not a complete gzip file');
  expect([await listStoredMessages(db), await loads()]).toEqual([[], before]);
});

test('an empty file is an empty load', async () => {
  expect(await load('')).toEqual({ source: 'feed.ndjson', accepted: {}, entries: [] });
});

test('imports a file and a stream with the same flights in opposite orders', async () => {
  const [row] = await db<{ name: string }[]>`select current_database() as name`;
  await db.unsafe(`alter database ${row?.name} set deadlock_timeout = '20ms'`);
  const impatient = openDatabase({ url: world.url, applicationName: 'flightdata-test', max: 6 });
  const watcher = await db.reserve();
  const ingester = await createStatusIngester(impatient);
  const of = (id: string, date: string) => message({ id, flight: flight({ date }) });
  let streaming: Promise<unknown> = Promise.resolve();
  const feed = async function* (): AsyncGenerator<FeedItem> {
    for (let index = 1000; index < 2000; index += 1)
      yield { line: index, message: of(`f${index}`, '2026-06-02'), entries: [] };
    streaming = ingester.ingest([of('s1', '2026-06-01'), of('s2', '2026-06-02')]);
    await untilBlocked(watcher);
    // A transaction that waits longer than this has checked for a deadlock without finding one.
    await watcher`select pg_sleep(0.1)`;
    yield { line: 2000, message: of('f2000', '2026-06-01'), entries: [] };
  };
  const file = write('own.ndjson', '');
  const report = await importStatusFile({ db: impatient, kind: 'status', file, feed: () => feed });
  expect(report.accepted).toEqual({ messages: 1001 });
  expect(await streaming).toMatchObject([{ kind: 'stored' }, { kind: 'stored' }]);
  watcher.release();
  await impatient.end();
});
