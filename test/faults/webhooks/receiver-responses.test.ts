import { afterEach, beforeEach, expect, test } from 'vitest';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { createSecret } from '../../../src/delivery/webhook/signatures.ts';
import { replaceEndpointKey } from '../../../src/store/deliveries/endpoints.ts';
import { startEventDelivery } from '../../../src/jobs/deliveries/deliver-events.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import {
  addAccountEvents,
  createLoopbackDeliverer,
  insertAccount,
  insertEndpoint,
  openWebhookReceiver,
  notifyEndpointChange,
} from '../../jobs/deliveries/delivery-fixture.ts';
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
const waitUntil = async (condition: () => Promise<boolean>): Promise<void> => {
  while (!(await condition())) await delay(5);
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
  let now = new Date('2027-01-01T12:00:00Z');
  let isHealthy = false;
  const receiver = await openWebhookReceiver(({ path }, response) => {
    const [status, retryAfter] = responses[path] ?? [200, () => '0'];
    if (isHealthy) response.end();
    else response.writeHead(status, { 'retry-after': retryAfter(now) }).end();
  });
  closers.push(receiver.close);
  const account = await insertAccount(db);
  const paths = Object.keys(responses);
  for (const path of paths) await insertEndpoint(db, { account, url: `${receiver.url}${path}` });
  await addAccountEvents(db, [account], { flights: [1] });
  const startedAt = now;
  const options = { clock: () => now, onError: fail, pollMs: 20, lingerMs: 20 };
  closers.push(await startEventDelivery(db, { deliverer: createLoopbackDeliverer(() => now), ...options }));
  await waitUntil(async () => (await db`select from push_attempt`).length === paths.length);
  await waitUntil(async () => (await db`select from push_progress where worker is null`).length === paths.length);
  const states = await db<{ path: string; rests: number | null; due: number | null; why: string | null }[]>`
    select substring(e.url from '/[^/]*$') as path, extract(epoch from p.rests_until - ${startedAt})::float8 as rests,
      extract(epoch from r.due_at - ${startedAt})::float8 as due, e.disabled_for as why
    from push_endpoint e join push_progress p on p.endpoint_id = e.id left join push_retry r on r.endpoint_id = e.id`;
  // A retry waits for Retry-After plus up to 10 %, at least 5 s.
  const summaries = states.map(({ path, rests, due, why }) => {
    const seconds = responses[path]?.[2] ?? 0;
    const earliest = Math.max(5, seconds);
    const isInTime = due !== null && due >= earliest && Math.floor(due) <= earliest * 1.1;
    return [path, { rests: seconds > 0 ? rests : 0, isInTime, why }];
  });
  isHealthy = true;
  let firstUnread = receiver.received.length;
  // When this endpoint receives a retry, the worker has checked all endpoints.
  const otherAccount = await insertAccount(db);
  const watchEndpoint = await insertEndpoint(db, { account: otherAccount, url: `${receiver.url}/watch` });
  const countWatched = (): number => receiver.received.filter(({ path }) => path === '/watch').length;
  await addAccountEvents(db, [account, otherAccount], { flights: [2] });
  await waitUntil(
    async () => (await db`select from push_progress where endpoint_id = ${watchEndpoint} and number = 1`).length === 1,
  );
  const runWorkerPass = async (): Promise<void> => {
    const before = countWatched();
    await db`insert into push_retry values (${watchEndpoint}, 1, 0, ${now})`;
    await receiver.waitUntil(() => countWatched() > before);
    await waitUntil(async () => (await db`select from push_retry where endpoint_id = ${watchEndpoint}`).length === 0);
  };
  /** Lists the paths that received a request by this time after the first events. */
  const listSentBy = async (seconds: number): Promise<string> => {
    now = new Date(startedAt.getTime() + seconds * 1000);
    for (let passes = 0; passes < 3; passes += 1) await runWorkerPass();
    const sentTo = new Set(receiver.received.slice(firstUnread).map(({ path }) => path));
    firstUnread = receiver.received.length;
    sentTo.delete('/watch');
    return [...sentTo].toSorted().join(' ');
  };
  const sent: Record<string, string> = {};
  for (const seconds of [4, 6, 6.9, 7, 89.9, 90, 3599, 3600]) sent[seconds] = await listSentBy(seconds);
  reportFault(14, { 'sent by time': sent }, 'through the worker');
  expect(Object.fromEntries(summaries)).toEqual({
    '/410': { rests: 0, isInTime: false, why: 'gone' },
    '/429': { rests: 7, isInTime: true, why: null },
    '/503': { rests: 40, isInTime: true, why: null },
    '/date': { rests: 90, isInTime: true, why: null },
    '/absurd': { rests: 3600, isInTime: true, why: null },
    '/nonsense': { rests: 0, isInTime: true, why: null },
  });
  // The failed event is due after 5 to 5.5 s, or up to 10 % after Retry-After; meanwhile nothing else is sent.
  expect(sent).toEqual({
    '4': '/nonsense',
    '6': '/nonsense',
    '6.9': '',
    '7': '/429',
    '89.9': '/429 /503',
    '90': '/date',
    '3599': '/date',
    '3600': '/absurd',
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
          new Webhook(secret).verify(
            body,
            Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
          );
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
        replaceEndpointKey(sql, endpoint, { key: secret, endAt: new Date(Date.now() + 3_600_000), now: new Date() }),
      );
      // After more verified deliveries than can be in flight, the receiver drops the old secret, then the service does.
      while (verifiedByNew <= 8) {
        await load();
        await receiver.waitUntil(({ length }) => length === sent);
      }
      currentSecret = secret;
      await load();
      await db`update push_key set ends_at = now() where endpoint_id = ${endpoint} and ends_at is not null`;
      await notifyEndpointChange(db);
    }
    await receiver.waitUntil(({ length }) => length === sent);
    const figure = { rotations: ROTATIONS, verified, unverified: failures.length };
    reportFault(17, figure, 'through the worker');
    expect([verified, failures]).toEqual([sent, []]);
  },
  240_000 + ROTATIONS * 60_000,
);
