/*
 * Several servers on one database share the limits of subscriptions. A naive judge counts what they admit by window; seeds are fixed, and
 * LIMIT_ROUNDS asks for more of them.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type ReserveRequests,
  type Admission,
  type AdmitRequest,
  createRateLimiter,
  type RequestLimits,
} from '../../../src/http/rate-limit/rate-limiter.ts';
import { computeWindow, type WindowKind } from '../../../src/lib/fixed-window.ts';
import { Problem } from '../../../src/http/response/problem.ts';
import { reserveRequests } from '../../../src/store/access/rate-limit-windows.ts';
import { createKey } from '../../../src/store/access/subscription-keys.ts';
import { createRandom, type SeededRandom } from '../../lib/seeded-random.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';

const rounds = Number(process.env['LIMIT_ROUNDS'] ?? 6);

let fresh: FreshDatabase;
let now = 0;
let subscriptionId = 0;
let subscriptions = 0;
let takings = 0;
const clock = (): Date => new Date(now);
const take: ReserveRequests = (wanted) => {
  takings += 1;
  return reserveRequests(fresh.sql, wanted);
};

const newSubscription = async (): Promise<number> => {
  subscriptions += 1;
  return (await createKey(fresh.sql, { name: `subscriber ${subscriptions}`, products: ['flight-info'] }))
    .subscriptionId;
};

beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());
beforeEach(async () => {
  now = Date.parse('2026-06-01T12:00:00Z');
  takings = 0;
  subscriptionId = await newSubscription();
});

const unlimited: RequestLimits = { perMinute: 0, perMonth: 0, atOnce: 0 };

const serverWith = (limits: Partial<RequestLimits>, taking: ReserveRequests = take): AdmitRequest =>
  createRateLimiter({ reserveRequests: taking, clock, defaults: { ...unlimited, ...limits } });

/** What becomes of a request that is answered at once. */
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
  test('is admitted up to its limit in a minute, and again in the next', async () => {
    const admit = serverWith({ perMinute: 100 });
    now = Date.parse('2026-06-01T12:00:59.999Z');
    expect(await admittedOf(admit, 150)).toBe(100);
    now += 1;
    expect(await admittedOf(admit, 150)).toBe(100);
    expect(await admittedOf(admit, 1)).toBe(0);
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
      message: 'The subscription may ask 2 times in a minute, and has. Try again in 13 seconds.',
      headers: { 'Retry-After': '13', RateLimit: '"minute";r=0;t=13, "month";r=1;t=73' },
    });
    now += 13_000;
    expect(await admittedOf(admit, 2)).toBe(1);
    expect(await outcomeOf(admit)).toMatchObject({
      kind: 'quota-used',
      message: 'The subscription may ask 3 times in a calendar month (UTC), and has. Try again in 60 seconds.',
      headers: { 'Retry-After': '60' },
    });
    now += 60_000;
    expect(await admittedOf(admit, 3)).toBe(2);
  });

  test('without limits causes no query and no headers', async () => {
    const admit = serverWith({});
    expect((await admit({ subscriptionId })).headers).toEqual({});
    expect(takings).toBe(0);
  });

  test('can have its own limits instead of the default', async () => {
    const admit = serverWith({ perMinute: 2, perMonth: 10 });
    const limits = { perMinute: 5, perMonth: 0 };
    const { headers } = await admit({ subscriptionId, limits });
    expect(headers).toEqual({ 'RateLimit-Policy': '"minute";q=5;w=60', RateLimit: '"minute";r=4;t=60' });
  });

  test('is admitted again when its limit is raised, and rejected when it is lowered', async () => {
    const admit = serverWith({ perMinute: 10 });
    expect(await admittedOf(admit, 20)).toBe(10);
    const ask = async (perMinute: number): Promise<string> => {
      try {
        const { headers } = await admit({ subscriptionId, limits: { perMinute } });
        return String(headers['RateLimit']);
      } catch (error) {
        return error instanceof Problem ? error.kind : String(error);
      }
    };
    expect(await ask(12)).toBe('"minute";r=1;t=60');
    expect(await ask(10)).toBe('rate-limited');
    expect(await ask(5)).toBe('rate-limited');
    expect(await ask(30)).toBe('"minute";r=18;t=60');
  });

  test('loses no requests while its keys learn of a new limit at different times', async () => {
    const admit = serverWith({ perMinute: 1000 });
    let told: string | undefined;
    for (let asked = 0; asked < 50; asked += 1) {
      const limits = asked % 2 === 0 ? {} : { perMinute: 2000 };
      told = (await admit({ subscriptionId, limits })).headers['RateLimit'];
    }
    expect([told, takings]).toEqual(['"minute";r=1950;t=60', 2]);
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
    // The first 32 are taken, then more and more, until one taking lasts for a second or longer.
    expect(takings).toBeLessThan(100);
  });

  test('is rejected from memory once a window is used up', async () => {
    const admit = serverWith({ perMinute: 10 });
    expect(await admittedOf(admit, 20)).toBe(10);
    const before = takings;
    expect(await admittedOf(admit, 1000)).toBe(0);
    expect(takings - before).toBe(0);
  });

  test('uses its last block while the database is away, then gets the error', async () => {
    let isAway = false;
    const away = new Error('connect ECONNREFUSED');
    const admit = serverWith({ perMinute: 600 }, (wanted) => (isAway ? Promise.reject(away) : take(wanted)));
    expect(await admittedOf(admit, 1)).toBe(1);
    isAway = true;
    expect(await admittedOf(admit, 31)).toBe(31);
    await expect(Promise.resolve(admit({ subscriptionId }))).rejects.toBe(away);
    isAway = false;
    expect(await admittedOf(admit, 600)).toBe(568);
  });
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
      message:
        'The subscription has 2 requests being answered, which is as many as it can have. Try again in 1 second.',
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

/** A naive account of what was admitted, by window; what it finds wrong is kept. */
const openJudge = (limits: RequestLimits) => {
  const admitted = new Map<string, number>();
  const faults: string[] = [];
  const nameOf = (kind: WindowKind): string => `${kind} ${computeWindow(kind, now).startsAt}`;
  const most = { minute: limits.perMinute, month: limits.perMonth };
  const count = (kind: WindowKind): number => admitted.get(nameOf(kind)) ?? 0;
  return {
    faults,
    count,
    admit: (): void => {
      for (const kind of ['minute', 'month'] as const) {
        admitted.set(nameOf(kind), count(kind) + 1);
        if (most[kind] > 0 && count(kind) > most[kind]) faults.push(`${nameOf(kind)}: ${count(kind)} of ${most[kind]}`);
      }
    },
    /** Once every server has nothing left: all that there was has been handed out, if nothing was lost. */
    drained: (refusal: Problem): void => {
      const kind = refusal.kind === 'quota-used' ? 'month' : 'minute';
      if (count(kind) < most[kind]) faults.push(`${nameOf(kind)}: refused after ${count(kind)} of ${most[kind]}`);
    },
  };
};

type Judge = ReturnType<typeof openJudge>;

const askOften = async (admit: AdmitRequest, count: number, judge: Judge): Promise<readonly Problem[]> => {
  const outcomes = await Promise.all(Array.from({ length: count }, () => outcomeOf(admit)));
  return outcomes.flatMap((outcome) => {
    if (outcome instanceof Problem) return [outcome];
    judge.admit();
    return [];
  });
};

/** Asks each server until it refuses; the last refusal. */
const drain = async (servers: readonly AdmitRequest[], judge: Judge): Promise<Problem> => {
  let last: Problem | undefined;
  for (const admit of servers) for (last = undefined; last === undefined;) [last] = await askOften(admit, 1, judge);
  if (!last) throw new Error('there is no server');
  return last;
};

/** One world of chance: a few servers, small limits, bursts, and a clock that goes on, and back if `goesBack`. */
const play = async (chance: SeededRandom, goesBack: boolean, taking: ReserveRequests = take): Promise<Judge> => {
  subscriptionId = await newSubscription();
  const limits = { perMinute: chance.integer(1, 60), perMonth: chance.pick([0, chance.integer(1, 400)]), atOnce: 0 };
  const servers = chance.times(chance.integer(1, 4), () => serverWith(limits, taking));
  const judge = openJudge(limits);
  // Near the end of a month, so that both kinds of windows end.
  now = Date.parse('2026-06-30T23:57:00Z') + chance.integer(0, 59_999);
  for (let step = 0; step < 20; step += 1) {
    await askOften(chance.pick(servers), chance.integer(1, 40), judge);
    if (chance.chance(60)) now += chance.pick([1, 500, 1000, 20_000, 60_000, 60_000 - (now % 60_000)]);
    if (goesBack && chance.chance(20)) now -= chance.pick([1, 60_000, 100_000]);
    if (goesBack || step % 5 !== 4) continue;
    // What a month lost with the blocks of other minutes is nothing: only minutes forget.
    const refusal = await drain(servers, judge);
    judge.drained(refusal);
    now += Number(refusal.headers['Retry-After']) * 1000;
    const again = await outcomeOf(chance.pick(servers));
    if (!(again instanceof Problem)) judge.admit();
    else if (again.kind === refusal.kind) judge.faults.push(`refused after Retry-After: ${again.message}`);
  }
  return judge;
};

describe('several servers on one database', () => {
  const seeds = Array.from({ length: rounds }, (_, seed) => [seed] as const);

  test.each(seeds)('admit all that the limits allow and nothing more, seed %i', async (seed) => {
    const { faults } = await play(createRandom(seed), false);
    expect(faults).toEqual([]);
  });

  test.each(seeds)('admit no more when the clock goes back, seed %i', async (seed) => {
    const { faults } = await play(createRandom(1000 + seed), true);
    expect(faults).toEqual([]);
  });

  test('the test detects a server that admits one request too many or too few', async () => {
    const faulty =
      (more: number): ReserveRequests =>
      async (wanted) =>
        (await take(wanted)).map((one) => ({ ...one, granted: Math.max(0, one.reserved + more) }));
    const generous = await play(createRandom(1), false, faulty(1));
    expect(generous.faults).toContainEqual(expect.stringMatching(/^minute \d+: \d+ of \d+$/));
    const mean = await play(createRandom(1), false, faulty(-1));
    expect(mean.faults).toContainEqual(expect.stringMatching(/: refused after \d+ of \d+$/));
  });
});
