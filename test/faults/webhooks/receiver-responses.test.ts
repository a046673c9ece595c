import { afterEach, beforeEach, expect, test } from 'vitest';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { createSecret } from '../../../src/delivery/webhook/signing-keys.ts';
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

/** 20 in a full round. */
const ROTATIONS = Number(process.env['PUSH_ROTATIONS'] ?? 6);

let fresh: FreshDatabase;
const stops: (() => Promise<void>)[] = [];
beforeEach(async () => {
  fresh = await freshDatabase();
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
  await fresh.drop();
});

const fail = (error: unknown): void => {
  throw error;
};
const waitUntil = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await delay(5);
};

/** What receivers answer, and how many seconds of patience that asks for; `at` is when they answer. */
type RetryAfterResponse = (at: Date) => readonly [status: number, retryAfter: string, seconds: number];
const retryAfterResponses: ReadonlyMap<string, RetryAfterResponse> = new Map<string, RetryAfterResponse>([
  ['/429', () => [429, '7', 7]],
  ['/503', () => [503, '40', 40]],
  ['/date', (at) => [503, new Date(at.getTime() + 90_000).toUTCString(), 90]],
  ['/absurd', () => [429, '1000000000', 3600]],
  ['/nonsense', () => [429, 'soon', 0]],
]);

test('14: 410 disables an endpoint, and one that asks for patience is left alone as long as it asks, within an hour', async () => {
  const db = fresh.sql;
  let now = new Date('2027-01-01T12:00:00Z');
  let isPatient = false;
  const recorder = await openWebhookReceiver(({ path }, response) => {
    const [status, retryAfter] = path === '/410' ? [410, '0'] : (retryAfterResponses.get(path)?.(now) ?? [200, '0']);
    if (isPatient) response.end();
    else response.writeHead(status, { 'retry-after': retryAfter }).end();
  });
  stops.push(recorder.close);
  const ids = new Map<string, string>();
  const account = await insertAccount(db);
  for (const path of [...retryAfterResponses.keys(), '/410'])
    ids.set(path, await insertEndpoint(db, { account, url: `${recorder.url}${path}` }));
  await addAccountEvents(db, [account], { flights: [1] });
  const begun = now;
  stops.push(
    await startEventDelivery(db, {
      deliverer: createLoopbackDeliverer(() => now),
      clock: () => now,
      onError: fail,
      pollMs: 20,
      lingerMs: 20,
    }),
  );
  await waitUntil(async () => (await db`select from push_attempt`).length === ids.size);
  await waitUntil(async () => (await db`select from push_progress where worker is null`).length === ids.size);
  const kept = await db<{ path: string; rests: number | null; due: number | null; why: string | null }[]>`
    select substring(e.url from '/[^/]*$') as path, extract(epoch from p.rests_until - ${begun})::float8 as rests,
      extract(epoch from r.due_at - ${begun})::float8 as due, e.disabled_for as why
    from push_endpoint e join push_progress p on p.endpoint_id = e.id left join push_retry r on r.endpoint_id = e.id`;
  const deviations = kept.flatMap(({ path, rests }) => {
    const [, , seconds] = retryAfterResponses.get(path)?.(begun) ?? [0, '', 0];
    return seconds > 0 ? [Math.abs((rests ?? NaN) - seconds)] : [];
  });
  const due = kept.map(({ path, due: seconds }) => [path, seconds === null ? null : Math.floor(seconds)] as const);
  isPatient = true;
  let mark = recorder.received.length;
  // When this one is sent something anew, the worker has looked through all endpoints.
  const other = await insertAccount(db);
  const watch = await insertEndpoint(db, { account: other, url: `${recorder.url}/watch` });
  const watched = (): number => recorder.received.filter(({ path }) => path === '/watch').length;
  await addAccountEvents(db, [account, other], { flights: [2] });
  await waitUntil(
    async () => (await db`select from push_progress where endpoint_id = ${watch} and number = 1`).length === 1,
  );
  const look = async (): Promise<void> => {
    const before = watched();
    await db`insert into push_retry values (${watch}, 1, 0, ${now})`;
    await recorder.waitUntil(() => watched() > before);
    await waitUntil(async () => (await db`select from push_retry where endpoint_id = ${watch}`).length === 0);
  };
  /** Where something was sent by so many seconds after the first events. */
  const sentBy = async (seconds: number): Promise<string> => {
    now = new Date(begun.getTime() + seconds * 1000);
    for (let looks = 0; looks < 3; looks += 1) await look();
    const found = new Set(recorder.received.slice(mark).map(({ path }) => path));
    mark = recorder.received.length;
    return [...found]
      .filter((path) => path !== '/watch')
      .toSorted()
      .join(' ');
  };
  const sent: Record<string, string> = {};
  for (const seconds of [0, 4, 6, 6.9, 7, 39.9, 40, 50, 89.9, 90, 100, 3599, 3600])
    sent[seconds] = await sentBy(seconds);
  const figure = { 'rests deviate by at most': `${Math.max(...deviations)} s`, 'sent by time': sent };
  reportFault({ fault: 14, part: 'through the worker', figure, bound: 'as asked for, within the cap; gone is ended' });
  expect(Object.fromEntries(kept.map(({ path, why }) => [path, why]))).toEqual({
    '/410': 'gone',
    '/429': null,
    '/503': null,
    '/date': null,
    '/absurd': null,
    '/nonsense': null,
  });
  expect(deviations).toEqual([0, 0, 0, 0]);
  // A retry waits for what was asked for and up to a tenth more.
  const early = due.filter(([path, seconds]) => {
    const waits = Math.max(5, retryAfterResponses.get(path)?.(begun)[2] ?? 0);
    return path !== '/410' && !(seconds !== null && seconds >= waits && seconds <= waits * 1.1);
  });
  expect([early, due.find(([path]) => path === '/410')]).toEqual([[], ['/410', null]]);
  // The event that failed is due between 5 and 5.5 s, or up to a tenth after the rest that was asked for.
  expect(sent).toEqual({
    '0': '/nonsense',
    '4': '',
    '6': '/nonsense',
    '6.9': '',
    '7': '/429',
    '39.9': '/429',
    '40': '/503',
    '50': '/503',
    '89.9': '',
    '90': '/date',
    '100': '/date',
    '3599': '',
    '3600': '/absurd',
  });
}, 240_000);

test(
  '17: every delivery verifies by the secret that the receiver holds, while it is replaced again and again',
  async () => {
    const db = fresh.sql;
    const account = await insertAccount(db);
    let held = createSecret();
    let coming: string | undefined;
    let [verified, underNew] = [0, 0];
    const failures: unknown[] = [];
    const recorder = await openWebhookReceiver(({ headers, body }, response) => {
      const verifies = (secret: string): boolean => {
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
      if (coming !== undefined && verifies(coming)) underNew += 1;
      if (verifies(held)) verified += 1;
      else failures.push(headers['webhook-signature']);
      response.end();
    });
    stops.push(recorder.close);
    const endpoint = await insertEndpoint(db, { account, url: recorder.url, key: held });
    stops.push(
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
      coming = secret;
      underNew = 0;
      await db.begin((sql) =>
        replaceEndpointKey(sql, endpoint, { key: secret, endAt: new Date(Date.now() + 3_600_000), now: new Date() }),
      );
      // Once more than can be under way verify by the new secret, the receiver forgets the old one, and then the service does.
      while (underNew <= 8) {
        await load();
        await recorder.waitUntil(({ length }) => length === sent);
      }
      held = secret;
      await load();
      await db`update push_key set ends_at = now() where endpoint_id = ${endpoint} and ends_at is not null`;
      await notifyEndpointChange(db);
    }
    await recorder.waitUntil(({ length }) => length === sent);
    const figure = { rotations: ROTATIONS, verified, not: failures.length };
    reportFault({ fault: 17, part: 'through the worker', figure, bound: 'not verified 0' });
    expect([verified, failures]).toEqual([sent, []]);
  },
  240_000 + ROTATIONS * 60_000,
);
