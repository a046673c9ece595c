/* A feed writes as fast as it can while readers of two servers ask: none may see less than was committed before it asked. MEANWHILE_WRITES=1000 writes so often. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveObserved, xx101, type Observed } from '../v2/observed-world.ts';
import { serveAgain, type Server } from './caching-servers.ts';

const WRITES = Number(process.env['MEANWHILE_WRITES'] ?? 15);
const READERS = 4;
const path = '/flight-instances?version=v2&DepartureDateTime=2026-06-01&DepartureAirport=LHR&Content=Status';

let world: Observed;
let servers: readonly Server[];
beforeAll(async () => {
  world = await serveObserved();
  servers = [await serveAgain(world, 1 << 20), await serveAgain(world, 1 << 20)];
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  await world.drop();
});

const gateIn = (text: string): number => Number(/"gate":"G(\d+)"/.exec(text)?.[1] ?? -1);

test('who asks while statuses change sees at least what was committed before', { timeout: 600_000 }, async () => {
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
    await world.tell(xx101(), [
      new Date(Date.UTC(2026, 4, 31, 0, 0, written)).toISOString(),
      { departure: { gate: `G${written}` } },
    ]);
    committed = written;
    outcome.writes += 1;
  }
  isWriting = false;
  await Promise.all(readers);
  const kept = servers.reduce((sum, { counts }) => sum + counts.hit, 0);
  console.log(
    `reads while a feed wrote: ${outcome.reads}, of them given from memory ${kept}, stale ${outcome.stale}, writes ${outcome.writes}`,
  );
  expect(outcome.stale).toBe(0);
  expect(kept).toBeGreaterThan(0);
});

test('a server that cannot ask what changed says so, and gives no page from memory', async () => {
  const [server] = servers;
  for (let times = 0; times < 3; times += 1) await server?.get(path);
  const given = server?.counts.hit;
  await server?.changesDb.end({ timeout: 1 });
  const response = await server?.get(path);
  expect([response?.status, response?.headers.get('retry-after'), server?.counts.hit]).toEqual([503, '5', given]);
});
