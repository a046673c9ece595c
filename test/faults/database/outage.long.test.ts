import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readProcessUsage } from '../../support/process-usage.ts';
import { assertsTimes, reportFault } from '../support/report-fault.ts';
import { isUnavailable, startSteadyLoad } from '../support/steady-load.ts';
import { startPrivatePostgres, type PrivatePostgres } from './private-postgres.ts';
import { headers, healthPath, sampleRequests, serveWorld, type ServedWorld } from './served-world.ts';

/** How long the database is down: half without requests, half under load. */
const AWAY_SECONDS = Number(process.env['AWAY_SECONDS'] ?? 4);
/** In a few seconds one garbage collection weighs more. */
const MAX_PROCESSOR_SHARE = AWAY_SECONDS >= 30 ? 0.1 : 0.4;
const MAX_GROWTH_MB = 60;

let postgres: PrivatePostgres;
let world: ServedWorld;
beforeAll(async () => {
  postgres = await startPrivatePostgres();
  world = await serveWorld(postgres.url);
});
afterAll(async () => {
  await world?.close();
  await postgres?.remove();
});

test(
  '6: rejects at once while the database is down, without growing or spinning, and stops on SIGTERM',
  { timeout: 600_000 + AWAY_SECONDS * 2000 },
  async () => {
    await postgres.stop('fast');
    const { server } = world;
    const start = () =>
      startSteadyLoad({
        base: server.base,
        paths: [healthPath, sampleRequests.flightInfo, sampleRequests.schedules],
        headers,
        keepAliveConnections: 8,
        pauseMs: 20,
      });
    // Warm-up: one-time allocations are done before the measurement.
    const warmUp = start();
    await warmUp.waitForMore(100, isUnavailable);
    await warmUp.stop();
    const before = readProcessUsage(server.pid);
    await delay(AWAY_SECONDS * 500);
    const idle = readProcessUsage(server.pid);
    const load = start();
    await delay(AWAY_SECONDS * 500);
    const responses = await load.stop();
    const after = readProcessUsage(server.pid);
    const { code, seconds } = await server.stop();
    const slowestMs = Math.round(Math.max(...responses.map(({ ms }) => ms)));
    const share = (idle.processorSeconds - before.processorSeconds) / (AWAY_SECONDS / 2);
    const grownMb = after.megabytes - before.megabytes;
    reportFault(
      6,
      {
        'seconds down': AWAY_SECONDS,
        responses: responses.length,
        rejected: responses.filter(isUnavailable).length,
        slowestMs,
        'MB before': Math.round(before.megabytes),
        'MB after': Math.round(after.megabytes),
        'idle processor share': Number(share.toFixed(3)),
        'stopped after': seconds,
        code,
      },
      'down for long',
    );
    expect([responses.filter((one) => !isUnavailable(one)).slice(0, 3), code]).toEqual([[], 0]);
    expect(grownMb).toBeLessThan(MAX_GROWTH_MB);
    expect(share).toBeLessThan(MAX_PROCESSOR_SHARE);
    expect(slowestMs).toBeLessThan(assertsTimes ? 2000 : Infinity);
    expect(seconds).toBeLessThan(assertsTimes ? 20 : Infinity);
  },
);
