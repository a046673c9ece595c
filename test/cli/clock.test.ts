import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClock } from '../../src/cli/shared/clock.ts';
import { localDate } from '../../src/domain/time/dates.ts';
import { runCommand, waitForOutput, startCommand } from './run-command.ts';
import { createScratchFolder } from '../support/scratch-folder.ts';

describe('the clock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-11-21T23:59:30.250Z') });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is the system clock when no date is set', () => {
    const clock = createClock();
    vi.advanceTimersByTime(1000);
    expect(clock()).toEqual(new Date('2026-11-21T23:59:31.250Z'));
  });

  test.each([
    ['2024-06-01', '2024-06-01T23:59:30.250Z', '2024-06-02T00:00:30.250Z'],
    ['2026-11-21', '2026-11-21T23:59:30.250Z', '2026-11-22T00:00:30.250Z'],
    ['2030-02-28', '2030-02-28T23:59:30.250Z', '2030-03-01T00:00:30.250Z'],
  ])('starts on %s at the present time of day and runs past midnight', (today, first, aMinuteLater) => {
    const clock = createClock(localDate(today));
    expect(clock()).toEqual(new Date(first));
    vi.advanceTimersByTime(60_000);
    expect(clock()).toEqual(new Date(aMinuteLater));
  });
});

describe('a clock override', () => {
  const env = { FLIGHTDATA_TODAY: '2025-04-14', PORT: '0' };

  test('serves a version in its last days and prints a warning', { timeout: 240_000 }, async () => {
    const dataDir = await createScratchFolder();
    const server = startCommand(['serve', '--today', '2024-06-01'], { ...env, DATA_DIR: dataDir });
    let err = '';
    server.stderr?.on('data', (piece: Buffer) => {
      err += piece.toString();
    });
    try {
      const [out, base] = await waitForOutput(server, /^[^]*listening on (http:\/\/127\.0\.0\.1:\d+)/);
      expect(err).toContain('THE CLOCK IS SET: today is 2024-06-01; this is a rehearsal.');
      expect(out).toContain('Flight Info v1, v2\n');
      const response = await fetch(`${base}/flights/health?version=1.0`);
      const { headers } = response;
      expect([response.status, headers.get('api-version'), headers.get('deprecation'), headers.get('sunset')]).toEqual([
        200,
        'v1',
        'true',
        'Mon, 14 Apr 2025 00:00:00 GMT',
      ]);
    } finally {
      server.kill('SIGTERM');
      await once(server, 'close');
      await rm(dataDir, { recursive: true });
    }
  });

  test('is rejected for an invalid date', async () => {
    const invalid = await runCommand(['keys', 'list'], { FLIGHTDATA_TODAY: '2024-02-30' });
    expect([invalid.code, invalid.err]).toEqual([
      1,
      "flightdata: FLIGHTDATA_TODAY must be a date of the form YYYY-MM-DD, not '2024-02-30'\n",
    ]);
    const option = await runCommand(['serve', '--today', 'tomorrow'], {});
    expect(option.code).toBe(2);
    expect(option.err).toContain("'tomorrow' is not a date of the form YYYY-MM-DD");
  });
});
