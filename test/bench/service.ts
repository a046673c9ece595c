import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/free-port.ts';
import { readProcessUsage } from '../support/process-usage.ts';

/** The command of the service. */
const COMMAND = fileURLToPath(new URL('../../src/server/cli/main.ts', import.meta.url));

/** The service in its own process. */
export type Service = Awaited<ReturnType<typeof startService>>;

/** A server first builds the connections of a store without any; measurements start after that. */
const signs = ['/flights/health', '/flight-connections/health'];
const LONGEST_MS = 600_000;
const LOOK_MS = 200;

const untilHealthy = async (base: string, hasEnded: () => boolean): Promise<void> => {
  const startedAt = performance.now();
  for (const path of signs)
    for (;;) {
      if (hasEnded()) throw new Error('the service ended before it was healthy');
      const response = await fetch(`${base}${path}`).catch(() => undefined);
      await response?.arrayBuffer();
      if (response?.ok) break;
      if (performance.now() - startedAt > LONGEST_MS) throw new Error(`${path} was not healthy within ten minutes`);
      await delay(LOOK_MS);
    }
};

/** Starts `flightdata serve` without request limits; discards its log. The expanded days do not change. */
export const startService = async (url: string, environment: Readonly<Record<string, string>> = {}) => {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [COMMAND, 'serve'], {
    env: {
      ...process.env,
      DATABASE_URL: url,
      SECRETS_KEY: 'none',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      HORIZON_DAYS: '1',
      LIMIT_PER_MINUTE: '0',
      LIMIT_PER_MONTH: '0',
      LIMIT_AT_ONCE: '0',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const base = `http://127.0.0.1:${port}`;
  // A part that fails leaves no server behind.
  const kill = (): boolean => child.kill();
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  };
  try {
    await untilHealthy(base, () => child.exitCode !== null);
  } catch (error) {
    await stop();
    throw error;
  }
  /** Resident memory of the process. */
  const megabytes = (): number => readProcessUsage(child.pid ?? 0).megabytes;
  return { base, pid: child.pid, metrics: `http://127.0.0.1:${metricsPort}/metrics`, megabytes, stop };
};
