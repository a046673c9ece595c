/*
 * Several servers on one database share the limits of subscriptions. A naive checker counts what they admit by window; seeds are fixed, and
 * LIMIT_ROUNDS sets their number.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { createRateLimiter } from '#http/rate-limit/rate-limiter.ts';
import type { Admission, AdmitRequest, RequestLimits } from '#http/rate-limit/rate-limiter.ts';
import type { ReserveRequests } from '#http/rate-limit/rate-limiter.ts';
import { computeWindow, type WindowKind } from '#lib/fixed-window.ts';
import { Problem } from '#http/response/problem.ts';
import { reserveRequests, type ReservationRequest } from '#store/access/rate-limit-windows.ts';
import { createKey } from '#store/access/subscription-keys.ts';
import { openDatabase } from '#store/pool/database.ts';
import { createTestApp } from '#test/support/test-app.ts';
import { createRandom, type SeededRandom } from '#test/lib/seeded-random.ts';
import { freshDatabase } from '#test/support/database.ts';
import { sharedService } from '#test/support/shared-service.ts';

const rounds = Number(process.env['LIMIT_ROUNDS'] ?? 6);

const fresh = sharedService(freshDatabase);
let now = 0;
let subscriptionId = 0;
let createdKeys = 0;
let reservations = 0;
const clock = (): Date => new Date(now);
const reserveCounted = (request: ReservationRequest) => {
  reservations += 1;
  return reserveRequests(fresh.sql, request);
};

const newSubscription = async (): Promise<number> => {
  createdKeys += 1;
  return (await createKey(fresh.sql, { name: `subscriber ${createdKeys}`, products: ['flight-info'] })).subscriptionId;
};

beforeEach(async () => {
  now = Date.parse('2026-06-01T12:00:00Z');
  reservations = 0;
  subscriptionId = await newSubscription();
});

const unlimited: RequestLimits = { perMinute: 0, perMonth: 0, atOnce: 0 };

const serverWith = (limits: Partial<RequestLimits>, reserve: ReserveRequests = reserveCounted): AdmitRequest =>
  createRateLimiter({ reserveRequests: reserve, clock, defaults: { ...unlimited, ...limits } });

/** Returns the outcome of a request that completes immediately. */
const outcomeOf = async (admit: AdmitRequest): Promise<Admission | Problem> => {
  try {
    const admission = await admit({ subscriptionId });
    admission.release();
    return admission;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
};

const isAdmitted = async (admit: AdmitRequest): Promise<boolean> => !((await outcomeOf(admit)) instanceof Problem);

const admittedOf = async (admit: AdmitRequest, count: number): Promise<number> => {
  const outcomes = await Promise.all(Array.from({ length: count }, () => isAdmitted(admit)));
  return outcomes.filter(Boolean).length;
};

describe('a subscription', () => {
  test('is admitted up to its limit in a minute, then rejected from memory, and admitted again in the next', async () => {
    const admit = serverWith({ perMinute: 100 });
    now = Date.parse('2026-06-01T12:00:59.999Z');
    expect(await admittedOf(admit, 150)).toBe(100);
    now += 1;
    expect(await admittedOf(admit, 150)).toBe(100);
    const before = reservations;
    expect([await admittedOf(admit, 1000), reservations - before]).toEqual([0, 0]);
  });

  test('gets its limits, the remaining requests and seconds with every response', async () => {
    const admit = serverWith({ perMinute: 100, perMonth: 5000, atOnce: 7 });
    now = Date.parse('2026-06-30T23:59:47.2Z');
    await admit({ subscriptionId });
    const { headers } = await admit({ subscriptionId });
    expect(headers).toEqual({
      'RateLimit-Policy': '"minute";q=100;w=60, "month";q=5000;w=2592000, "at-once";q=7;qu="concurrent-requests"',
      RateLimit: '"minute";r=98;t=13, "month";r=4998;t=13',
    });
  });

  test('gets a problem with Retry-After when a window is used up', async () => {
    const admit = serverWith({ perMinute: 2, perMonth: 3 });
    now = Date.parse('2026-06-30T23:58:47.2Z');
    expect(await admittedOf(admit, 2)).toBe(2);
    const first = await outcomeOf(admit);
    expect(first).toMatchObject({
      kind: 'rate-limited',
      message: 'The limit of the subscription is 2 requests per minute. Retry in 13 seconds.',
      headers: { 'Retry-After': '13', RateLimit: '"minute";r=0;t=13, "month";r=1;t=73' },
    });
    now += 13_000;
    expect(await admittedOf(admit, 2)).toBe(1);
    expect(await outcomeOf(admit)).toMatchObject({
      kind: 'quota-used',
      message: 'The limit of the subscription is 3 requests per calendar month (UTC). Retry in 60 seconds.',
      headers: { 'Retry-After': '60' },
    });
    now += 60_000;
    expect(await admittedOf(admit, 3)).toBe(2);
  });

  test('without limits causes no query and no headers', async () => {
    const admit = serverWith({});
    expect((await admit({ subscriptionId })).headers).toEqual({});
    expect(reservations).toBe(0);
  });

  test('can have its own limits instead of the default', async () => {
    const admit = serverWith({ perMinute: 2, perMonth: 10 });
    const { headers } = await admit({ subscriptionId, limits: { perMinute: 5, perMonth: 0 } });
    expect(headers).toEqual({ 'RateLimit-Policy': '"minute";q=5;w=60', RateLimit: '"minute";r=4;t=60' });
  });

  test('is admitted again when its limit is raised, and rejected when it is lowered', async () => {
    const admit = serverWith({ perMinute: 10 });
    expect(await admittedOf(admit, 20)).toBe(10);
    const readRemaining = async (perMinute: number): Promise<unknown> => {
      const outcome = await outcomeOf((request) => admit({ ...request, limits: { perMinute } }));
      return outcome instanceof Problem ? outcome.kind : outcome.headers['RateLimit'];
    };
    expect(await readRemaining(12)).toBe('"minute";r=1;t=60');
    expect(await readRemaining(10)).toBe('rate-limited');
    expect(await readRemaining(5)).toBe('rate-limited');
    expect(await readRemaining(30)).toBe('"minute";r=18;t=60');
  });

  test('loses no requests while its keys use a new limit from different times on', async () => {
    const admit = serverWith({ perMinute: 1000 });
    let remaining: string | undefined;
    for (let count = 0; count < 50; count += 1) {
      const limits = count % 2 === 0 ? {} : { perMinute: 2000 };
      remaining = (await admit({ subscriptionId, limits })).headers['RateLimit'];
    }
    expect([remaining, reservations]).toEqual(['"minute";r=1950;t=60', 2]);
  });

  test('gets no extra requests from a clock that goes back, and waits a minute at most', async () => {
    const admit = serverWith({ perMinute: 10, perMonth: 1000 });
    expect(await admittedOf(admit, 20)).toBe(10);
    now += 3_600_000;
    expect(await admittedOf(admit, 20)).toBe(10);
    now -= 3_600_000;
    expect(await admittedOf(admit, 20)).toBe(0);
    now += 60_000;
    expect(await admittedOf(admit, 20)).toBe(10);
    now -= 40 * 86_400_000;
    expect(await admittedOf(admit, 20)).toBe(10);
  });

  test('acquires larger blocks at higher rates', async () => {
    const admit = serverWith({ perMinute: 60_000, perMonth: 100_000_000 });
    for (let second = 0; second < 60; second += 1) {
      expect(await admittedOf(admit, 500)).toBe(500);
      now += 1000;
    }
    // The first block is 32 requests; blocks double until one lasts for a second or longer.
    expect(reservations).toBeLessThan(100);
  });

  test('acquires blocks of the same size while each lasts for about a second, and also after the clock was set back', async () => {
    const requested: number[] = [];
    const admit = serverWith({ perMonth: 100_000_000 }, (request) => {
      requested.push(request.requested);
      return reserveCounted(request);
    });
    for (let block = 0; block < 40; block += 1) {
      expect(await admittedOf(admit, 1)).toBe(1);
      expect(await admittedOf(admit, 31)).toBe(31);
      now += block === 20 ? -500 : 2000;
    }
    expect(new Set(requested)).toEqual(new Set([32]));
  });

  test('uses its last block while the database is unavailable, then gets the error', async () => {
    let isAway = false;
    const away = new Error('connect ECONNREFUSED');
    const admit = serverWith({ perMinute: 600 }, (request) =>
      isAway ? Promise.reject(away) : reserveCounted(request),
    );
    expect(await admittedOf(admit, 1)).toBe(1);
    isAway = true;
    expect(await admittedOf(admit, 31)).toBe(31);
    await expect(Promise.resolve(admit({ subscriptionId }))).rejects.toBe(away);
    isAway = false;
    expect(await admittedOf(admit, 600)).toBe(568);
  });
});

test('requests are counted in memory while the database cannot be written, up to the limit, and recorded later', async () => {
  let isFull = false;
  const reserve: ReserveRequests = (request) => (isFull ? Promise.resolve(undefined) : reserveCounted(request));
  const limits = { perMinute: 200, perMonth: 1000 };
  const servers = [serverWith(limits, reserve), serverWith(limits, reserve)] as const;
  const sendToAll = async (count: number) => Promise.all(servers.map((admit) => admittedOf(admit, count)));
  expect(await sendToAll(10)).toEqual([10, 10]);
  isFull = true;
  // Each server knows of its own requests and of those that were recorded before.
  const [first = 0, second = 0] = await sendToAll(1000);
  expect([first <= 190, second <= 180, first + second > 300]).toEqual([true, true, true]);
  now += 60_000;
  expect(await sendToAll(1000)).toEqual([200, 200]);
  isFull = false;
  now += 60_000;
  expect(await sendToAll(1)).toEqual([1, 1]);
  let admitted = 20 + first + second + 400 + 2;
  for (const admit of servers) for (; await isAdmitted(admit); admitted += 1) if (admitted % 100 === 0) now += 60_000;
  expect(admitted).toBe(1000);
});

test('requests are served while the database is read-only', async () => {
  const { key } = await createKey(fresh.sql, { name: 'reader', products: ['master-data'] });
  const url = new URL(fresh.url);
  url.searchParams.set('default_transaction_read_only', 'on');
  const readOnly = openDatabase({ url: url.href, applicationName: 'test', max: 1 });
  const app = await createTestApp(fresh.sql, { accessSql: readOnly });
  const { status, headers } = await app.request('http://api.test/locations', { headers: { 'Subscription-Key': key } });
  await readOnly.end();
  expect([status, headers.get('RateLimit')]).toEqual([200, '"minute";r=59999;t=60, "month";r=99999999;t=2548800']);
});

describe('concurrent requests', () => {
  test('are limited for each server, and release their slot once, when they are done or only wait', async () => {
    const admit = serverWith({ perMinute: 100, atOnce: 2 });
    const waiting = await admit({ subscriptionId });
    waiting.release();
    waiting.release();
    const first = await admit({ subscriptionId });
    await admit({ subscriptionId });
    expect(await outcomeOf(admit)).toMatchObject({
      kind: 'too-many-at-once',
      message: 'The limit of the subscription is 2 concurrent requests. Retry in 1 second.',
      headers: {
        'Retry-After': '1',
        'RateLimit-Policy': '"minute";q=100;w=60, "at-once";q=2;qu="concurrent-requests"',
        RateLimit: '"minute";r=97;t=60',
      },
    });
    first.release();
    expect(await isAdmitted(admit)).toBe(true);
    expect(await isAdmitted(serverWith({ perMinute: 100, atOnce: 2 }))).toBe(true);
  });

  test('that are rejected hold no slot', async () => {
    const admit = serverWith({ perMinute: 1, atOnce: 1 });
    expect(await admittedOf(admit, 1)).toBe(1);
    expect(await outcomeOf(admit)).toMatchObject({ kind: 'rate-limited' });
    now += 60_000;
    expect(await isAdmitted(admit)).toBe(true);
  });
});

/** Counts admitted requests by window, and records violations of the limits. */
const createUsageChecker = (limits: RequestLimits) => {
  const admitted = new Map<string, number>();
  const violations: string[] = [];
  const nameOf = (kind: WindowKind): string => `${kind} ${computeWindow(kind, now).startsAt}`;
  const limitOf = { minute: limits.perMinute, month: limits.perMonth };
  const count = (kind: WindowKind): number => admitted.get(nameOf(kind)) ?? 0;
  return {
    violations,
    count,
    admit: (): void => {
      for (const kind of ['minute', 'month'] as const) {
        admitted.set(nameOf(kind), count(kind) + 1);
        if (limitOf[kind] > 0 && count(kind) > limitOf[kind])
          violations.push(`${nameOf(kind)}: ${count(kind)} of ${limitOf[kind]}`);
      }
    },
    /** Call when every server has rejected a request: the whole limit must have been admitted. */
    checkDrained: (rejection: Problem): void => {
      const kind = rejection.kind === 'quota-used' ? 'month' : 'minute';
      if (count(kind) < limitOf[kind])
        violations.push(`${nameOf(kind)}: rejected after ${count(kind)} of ${limitOf[kind]}`);
    },
  };
};

type UsageChecker = ReturnType<typeof createUsageChecker>;

const sendRequests = async (admit: AdmitRequest, count: number, checker: UsageChecker): Promise<readonly Problem[]> => {
  const outcomes = await Promise.all(Array.from({ length: count }, () => outcomeOf(admit)));
  return outcomes.flatMap((outcome) => {
    if (outcome instanceof Problem) return [outcome];
    checker.admit();
    return [];
  });
};

/** Sends requests to each server until it rejects one; returns the last rejection. */
const drain = async (servers: readonly AdmitRequest[], checker: UsageChecker): Promise<Problem> => {
  let last: Problem | undefined;
  for (const admit of servers)
    for (last = undefined; last === undefined;) [last] = await sendRequests(admit, 1, checker);
  if (!last) throw new Error('there is no server');
  return last;
};

/** Runs a random scenario: a few servers, small limits, bursts, and a clock that advances, or jumps back if `goesBack`. */
const runScenario = async (
  random: SeededRandom,
  goesBack: boolean,
  reserve: ReserveRequests = reserveCounted,
): Promise<UsageChecker> => {
  subscriptionId = await newSubscription();
  const limits = { perMinute: random.integer(1, 60), perMonth: random.pick([0, random.integer(1, 400)]), atOnce: 0 };
  const servers = random.times(random.integer(1, 4), () => serverWith(limits, reserve));
  const checker = createUsageChecker(limits);
  // Near the end of a month, so that both kinds of windows end.
  now = Date.parse('2026-06-30T23:57:00Z') + random.integer(0, 59_999);
  for (let step = 0; step < 20; step += 1) {
    await sendRequests(random.pick(servers), random.integer(1, 40), checker);
    if (random.chance(60)) now += random.pick([1, 500, 1000, 20_000, 60_000, 60_000 - (now % 60_000)]);
    if (goesBack && random.chance(20)) now -= random.pick([1, 60_000, 100_000]);
    if (goesBack || step % 5 !== 4) continue;
    // Blocks of the month survive a change of minute; only those of the minute are discarded.
    const rejection = await drain(servers, checker);
    checker.checkDrained(rejection);
    now += Number(rejection.headers['Retry-After']) * 1000;
    const again = await outcomeOf(random.pick(servers));
    if (!(again instanceof Problem)) checker.admit();
    else if (again.kind === rejection.kind) checker.violations.push(`rejected after Retry-After: ${again.message}`);
  }
  return checker;
};

describe('several servers on one database', () => {
  const seeds = Array.from({ length: rounds }, (_, seed) => [seed] as const);

  test.each(seeds)(
    'admit all that the limits allow and no more, also when the clock goes back, seed %i',
    async (seed) => {
      expect((await runScenario(createRandom(seed), false)).violations).toEqual([]);
      expect((await runScenario(createRandom(1000 + seed), true)).violations).toEqual([]);
    },
  );
});
