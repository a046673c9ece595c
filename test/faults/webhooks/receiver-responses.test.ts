import { afterEach, beforeEach, expect, test } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { plainSecretBox } from '#lib/secret-box.ts';
import { createSecret } from '#delivery/webhook/signatures.ts';
import { PUSH_CHANNEL } from '#store/deliveries/endpoint-claims.ts';
import { replaceEndpointKey } from '#store/deliveries/endpoints.ts';
import { startEventDelivery } from '#jobs/deliveries/deliver-events.ts';
import { freshDatabase, type FreshDatabase } from '#test/support/database.ts';
import { addAccountEvents, createLoopbackDeliverer, insertAccount } from '#test/jobs/deliveries/delivery-fixture.ts';
import { insertEndpoint, openWebhookReceiver } from '#test/jobs/deliveries/delivery-fixture.ts';
import { reportFault } from '../support/report-fault.ts';

/** 20 in the full length. */
const ROTATIONS = Number(process.env['PUSH_ROTATIONS'] ?? 2);

let fresh: FreshDatabase;
const closers: (() => Promise<void>)[] = [];
beforeEach(async () => {
  fresh = await freshDatabase();
});
afterEach(async () => {
  for (const stop of closers.splice(0).toReversed()) await stop();
  await fresh.drop();
});

const fail = (error: unknown): void => {
  throw error;
};

/** Responses by path: status, Retry-After at the time of the response, and the seconds to wait. */
const responses: Readonly<
  Record<string, readonly [status: number, retryAfter: (at: Date) => string, seconds: number]>
> = {
  '/410': [410, () => '0', 0],
  '/429': [429, () => '7', 7],
  '/503': [503, () => '40', 40],
  '/date': [503, (at) => new Date(at.getTime() + 90_000).toUTCString(), 90],
  '/absurd': [429, () => '1000000000', 3600],
  '/nonsense': [429, () => 'soon', 0],
};

test('14: disables an endpoint on 410 and waits for Retry-After, up to an hour', async () => {
  const db = fresh.sql;
  const now = new Date('2027-01-01T12:00:00Z');
  const receiver = await openWebhookReceiver(({ path }, response) => {
    const [status, retryAfter] = responses[path] ?? [200, () => '0'];
    response.writeHead(status, { 'retry-after': retryAfter(now) }).end();
  });
  closers.push(receiver.close);
  const account = await insertAccount(db);
  const paths = Object.keys(responses);
  for (const path of paths) await insertEndpoint(db, { account, url: `${receiver.url}${path}` });
  await addAccountEvents(db, [account], { flights: [1] });
  const options = { clock: () => now, onError: fail, pollMs: 20, lingerMs: 20 };
  closers.push(await startEventDelivery(db, { deliverer: createLoopbackDeliverer(() => now), ...options }));
  await expect.poll(() => db`select from push_attempt`).toHaveLength(paths.length);
  await expect.poll(() => db`select from push_progress where worker is null`).toHaveLength(paths.length);
  const states = await db<{ path: string; rests: number | null; due: number | null; why: string | null }[]>`
    select substring(e.url from '/[^/]*$') as path, extract(epoch from p.rests_until - ${now})::float8 as rests,
      extract(epoch from r.due_at - ${now})::float8 as due, e.disabled_for as why
    from push_endpoint e join push_progress p on p.endpoint_id = e.id left join push_retry r on r.endpoint_id = e.id`;
  // A retry waits for Retry-After plus up to 10 %, at least 5 s.
  const summaries = states.map(({ path, rests, due, why }) => {
    const seconds = responses[path]?.[2] ?? 0;
    const earliest = Math.max(5, seconds);
    const isInTime = due !== null && due >= earliest && Math.floor(due) <= earliest * 1.1;
    return [path, { rests: seconds > 0 ? rests : 0, isInTime, why }];
  });
  reportFault(14, Object.fromEntries(states.map(({ path, due }) => [path, due])), 'through the worker');
  expect(Object.fromEntries(summaries)).toEqual({
    '/410': { rests: 0, isInTime: false, why: 'gone' },
    '/429': { rests: 7, isInTime: true, why: null },
    '/503': { rests: 40, isInTime: true, why: null },
    '/date': { rests: 90, isInTime: true, why: null },
    '/absurd': { rests: 3600, isInTime: true, why: null },
    '/nonsense': { rests: 0, isInTime: true, why: null },
  });
});

test(
  '17: every delivery verifies with the current secret of the receiver during repeated rotations',
  async () => {
    const db = fresh.sql;
    const account = await insertAccount(db);
    let currentSecret = createSecret();
    let nextSecret: string | undefined;
    let [verified, verifiedByNew] = [0, 0];
    const failures: unknown[] = [];
    const receiver = await openWebhookReceiver(({ headers, body }, response) => {
      const isVerifiedBy = (secret: string): boolean => {
        try {
          new Webhook(secret).verify(body, headers as Record<string, string>);
          return true;
        } catch {
          return false;
        }
      };
      if (nextSecret !== undefined && isVerifiedBy(nextSecret)) verifiedByNew += 1;
      if (isVerifiedBy(currentSecret)) verified += 1;
      else failures.push(headers['webhook-signature']);
      response.end();
    });
    closers.push(receiver.close);
    const endpoint = await insertEndpoint(db, { account, url: receiver.url, key: currentSecret });
    closers.push(
      await startEventDelivery(db, { deliverer: createLoopbackDeliverer(), clock: () => new Date(), onError: fail }),
    );
    let sent = 0;
    const load = async (): Promise<void> => {
      await addAccountEvents(db, [account], { flights: Array.from({ length: 20 }, (_, flight) => flight) });
      sent += 20;
    };
    for (let rotation = 0; rotation < ROTATIONS; rotation += 1) {
      await load();
      const secret = createSecret();
      nextSecret = secret;
      verifiedByNew = 0;
      await db.begin((sql) =>
        replaceEndpointKey(sql, endpoint, {
          key: secret,
          endAt: new Date(Date.now() + 3_600_000),
          now: new Date(),
          secrets: plainSecretBox,
        }),
      );
      // After more verified deliveries than can be in flight, the receiver drops the old secret, then the service does.
      while (verifiedByNew <= 8) {
        await load();
        await receiver.waitUntil(({ length }) => length === sent);
      }
      currentSecret = secret;
      await load();
      await db`update push_key set ends_at = now() where endpoint_id = ${endpoint} and ends_at is not null`;
      await db`select pg_notify(${PUSH_CHANNEL}, '')`;
    }
    await receiver.waitUntil(({ length }) => length === sent);
    const figure = { rotations: ROTATIONS, verified, unverified: failures.length };
    reportFault(17, figure, 'through the worker');
    expect([verified, failures]).toEqual([sent, []]);
  },
  240_000 + ROTATIONS * 60_000,
);
