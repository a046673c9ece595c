import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildFile, officialCells } from '#test/feeds/bts/bts-file.ts';
import { schedule } from '#test/products/flight-info/v2/example-schedule.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { callCommand } from '../call-command.ts';
import { createEnvironment } from '../run-command.ts';

const fresh = await sharedDatabase();
await saveTinyMasterData(fresh.sql);
await publishText(fresh.sql, schedule);
const { folder, write } = createTemporaryFolder();
const flightdata = (...args: readonly string[]) => callCommand(args, { DATABASE_URL: fresh.url });

const line = (id: string, gate: unknown = 'B1'): string =>
  JSON.stringify({
    messageId: id,
    observedAt: '2026-06-01T09:00:00Z',
    flight: { carrier: 'XX', flightNumber: 101, originDate: '2026-06-01', departureAirport: 'LHR' },
    departure: { gate },
  });

test('flightdata import status imports files, prints the counts and exits with 0', async () => {
  const [first, second] = [write('a.ndjson', line('a')), write('b.ndjson', `${line('a')}\n${line('b')}\n`)];
  const { code, out } = await flightdata('import', 'status', first, second);
  expect(code).toBe(0);
  expect(out).toContain('a.ndjson\n  accepted: 1 messages\n  remarks: 0 quarantined, 0 corrected, 0 notice');
  expect(out).toContain('b.ndjson\n  accepted: 1 duplicate messages, 1 messages\n');
});

test('flightdata import bts loads actual times from an on-time file', async () => {
  const path = write('on-time.csv', buildFile(officialCells, { Dest: 'LAX', CRSElapsedTime: '270' }));
  expect(await flightdata('import', 'bts', path)).toEqual({
    code: 0,
    out: `on-time.csv\n  accepted: 1 messages, 1 messages of unscheduled flights\n  remarks: 0 quarantined, 0 corrected, 0 notice\n`,
    err: '',
  });
});

test('flightdata import status exits with 3 when a line is rejected, and reports line, field and value', async () => {
  const path = write('bad.ndjson', `${line('c')}\n${line('d', 5)}\n`);
  const asText = await flightdata('import', 'status', path);
  expect([asText.code, asText.out]).toEqual([3, expect.stringMatching(/line 2, departure\.gate: .* \[5\]/)]);
  const asJson = await flightdata('import', 'status', path, '--json');
  const entries = [expect.objectContaining({ severity: 'quarantined', line: 2, field: 'departure.gate', value: '5' })];
  const report = { source: 'bad.ndjson', accepted: { 'duplicate messages': 1 }, entries };
  expect([asJson.code, JSON.parse(asJson.out)]).toEqual([3, report]);
});

test('flightdata import status rejects a truncated gzip file, imports the next file and exits with 1', async () => {
  const cut = write('cut.gz', gzipSync(`${line('e')}\n`).subarray(0, 40));
  const { code, err } = await flightdata('import', 'status', cut, write('f.ndjson', line('f')));
  expect([code, err]).toEqual([1, expect.stringContaining('cut.gz: rejected, nothing loaded: ')]);
  const stored = await fresh.sql<{ id: string }[]>`select id from status_message where id in ('e', 'f')`;
  expect(stored.map(({ id }) => id)).toEqual(['f']);
});

test('flightdata import status exits with 1 for a missing file and with 2 without a file', async () => {
  const missing = await flightdata('import', 'status', join(folder, 'nowhere.ndjson'));
  expect(missing).toEqual({ code: 1, out: '', err: expect.stringContaining('nowhere.ndjson: rejected') });
  expect((await flightdata('import', 'status')).code).toBe(2);
});

/** Starts `flightdata import status -` with an open input. */
const startStream = () => {
  const main = fileURLToPath(new URL('../../../src/server/cli/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, 'import', 'status', '-'], {
    env: createEnvironment({ DATABASE_URL: fresh.url }),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errorText = '';
  child.stderr.on('data', (piece: Buffer) => void (errorText += piece.toString()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const readLine = async (): Promise<unknown> => JSON.parse(String((await lines.next()).value));
  return { child, readLine, errorText: () => errorText };
};

test('flightdata import status - acknowledges while its input stays open, prints remarks first, and exits with 3 when the input ends', async () => {
  const { child, readLine, errorText } = startStream();
  child.stdin.write(`${line('s1')}\n`);
  const none = { stored: 0, duplicates: 0, quarantined: 0, rejected: 0 };
  expect(await readLine()).toEqual({ acknowledged: { ...none, line: 1, stored: 1 } });
  child.stdin.write(`${line('s2', 5)}\n`);
  expect(await readLine()).toEqual({
    remark: expect.objectContaining({ line: 2, field: 'departure.gate', value: '5' }),
  });
  expect(await readLine()).toEqual({ acknowledged: { ...none, line: 2, rejected: 1 } });
  child.stdin.end(line('s1'));
  expect(await readLine()).toEqual({ acknowledged: { ...none, line: 3, duplicates: 1 } });
  const [code] = await once(child, 'close');
  expect([code, errorText()]).toEqual([
    3,
    'stream ended: 1 messages stored, 1 duplicates, 0 quarantined, 1 lines rejected\n',
  ]);
});

test('flightdata import status - exits with 1 when the database rejects a message, although its input stays open', async () => {
  await fresh.sql`alter table status_message add constraint planted check (id <> 'bad')`;
  const { child, errorText } = startStream();
  child.stdin.write(`${line('bad')}\n`);
  const [code] = await once(child, 'close');
  expect([code, errorText()]).toEqual([1, expect.stringContaining('planted')]);
  await fresh.sql`alter table status_message drop constraint planted`;
});

test.each(['mvt', 'schedule-messages'])(
  'flightdata import %s counts telegrams of other types by type and exits with 0',
  async (kind) => {
    const path = write(
      'mailbox.txt',
      'QU LONXXXX\n.PARXXXX 011400\nLDM\nXX101/01.GABCD.Y150\n-CDG.120/2/1\n\nPTM\nXX101/01 LHRCDG\n\nCOR LDM\nXX101/01\n',
    );
    const { code, out } = await flightdata('import', kind, path);
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(
        'accepted: 2 LDM telegrams left out, 1 PTM telegrams left out\n  remarks: 0 quarantined, 0 corrected, 0 notice',
      ),
    ]);
  },
);

test('flightdata import aidx stores the legs of a document, and rejects one that is cut with line and column', async () => {
  const leg = `<FlightLeg><LegIdentifier><Airline>XX</Airline><FlightNumber>101</FlightNumber><DepartureAirport>LHR</DepartureAirport>
<ArrivalAirport>JFK</ArrivalAirport><OriginDate>2026-06-01</OriginDate></LegIdentifier><LegData><ServiceType>J</ServiceType></LegData></FlightLeg>`;
  const document = `<IATA_AIDX_FlightLegNotifRQ xmlns="http://www.iata.org/IATA/2007/00" Version="22.1" TimeStamp="2026-06-01T09:00:00Z">${leg}</IATA_AIDX_FlightLegNotifRQ>`;
  const { code, out } = await flightdata('import', 'aidx', write('legs.xml', document));
  expect([code, out]).toEqual([
    0,
    expect.stringContaining(
      'legs.xml\n  accepted: 1 messages\n  remarks: 0 quarantined, 0 corrected, 1 notice\nnotice\n  not-taken: 1\n    line 2, FlightLeg/LegData/ServiceType: ',
    ),
  ]);
  const cut = await flightdata('import', 'aidx', write('cut.xml', document.slice(0, -9)));
  expect([cut.code, cut.err]).toEqual([
    1,
    expect.stringMatching(/cut\.xml: rejected, nothing loaded: line 2: column \d+: unclosed tag/),
  ]);
});
