/* A feed writes continuously while clients read from two servers: no response may be older than the last commit before the request. MEANWHILE_WRITES sets the number of writes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveStatuses, xx101, type StatusService } from '../v2/status-service.ts';
import { startServer, type Server } from './caching-servers.ts';

const WRITES = Number(process.env['MEANWHILE_WRITES'] ?? 15);
const READERS = 4;
const path = '/flight-instances?version=v2&DepartureDateTime=2026-06-01&DepartureAirport=LHR&Content=Status';

let world: StatusService;
let servers: readonly Server[];
beforeAll(async () => {
  world = await serveStatuses();
  servers = [await startServer(world, 1 << 20), await startServer(world, 1 << 20)];
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  await world.drop();
});

const gateIn = (text: string): number => Number(/"gate":"G(\d+)"/.exec(text)?.[1] ?? -1);

test('a response contains at least the statuses committed before the request', { timeout: 600_000 }, async () => {
  let committed = -1;
  let isWriting = true;
  const outcome = { reads: 0, stale: 0, writes: 0 };
  const read = async ({ get }: Server): Promise<void> => {
    while (isWriting) {
      const atLeast = committed;
      const response = await get(path);
      outcome.reads += 1;
      if (gateIn(await response.text()) < atLeast) outcome.stale += 1;
    }
  };
  const readers = servers.flatMap((server) => Array.from({ length: READERS }, () => read(server)));
  for (let written = 0; written < WRITES; written += 1) {
    await world.report(xx101(), [
      new Date(Date.UTC(2026, 4, 31, 0, 0, written)).toISOString(),
      { departure: { gate: `G${written}` } },
    ]);
    committed = written;
    outcome.writes += 1;
  }
  isWriting = false;
  await Promise.all(readers);
  const hits = servers.reduce((sum, { counts }) => sum + counts.hit, 0);
  console.log(
    `reads while a feed wrote: ${outcome.reads}, of them given from memory ${hits}, stale ${outcome.stale}, writes ${outcome.writes}`,
  );
  expect(outcome.stale).toBe(0);
  expect(hits).toBeGreaterThan(0);
});

test('a server that cannot read page changes returns 503 and no cached page', async () => {
  const [server] = servers;
  for (let times = 0; times < 3; times += 1) await server?.get(path);
  const hitsBefore = server?.counts.hit;
  await server?.changesDb.end({ timeout: 1 });
  const response = await server?.get(path);
  expect([response?.status, response?.headers.get('retry-after'), server?.counts.hit]).toEqual([503, '5', hitsBefore]);
});
