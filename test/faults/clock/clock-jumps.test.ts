/*
 * The clock of a server jumps: across a sunset, years ahead, and back. Decisions follow the current clock; nothing runs twice, and
 * nothing waits for a time that was skipped.
 */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { catalog } from '../../../generated/catalog.ts';
import { toJsonObject } from '../../../src/lib/openapi-document.ts';
import { insertKeyIfMissing } from '../../../src/store/access/subscription-keys.ts';
import { extendHorizon } from '../../../src/jobs/expand/extend-horizon.ts';
import { toUtcDate } from '../../../src/domain/time/dates.ts';
import { buildFile, buildLeg } from '../../feeds/ssim/build-file.ts';
import { serveAlerts, profile, type AlertsService } from '../../products/flight-info-alerts/v1/alerts-service.ts';
import { reportFault } from '../support/report-fault.ts';
import { freshDatabase } from '../../support/database.ts';
import { publishText, saveTinyMasterData, TEST_KEY } from '../../support/tiny-world.ts';
import { clockJumps, EARLIER, LATER, MID } from './clock-instants.ts';

let world: AlertsService;
beforeAll(async () => {
  world = await serveAlerts();
});
afterAll(() => world.drop());

/** The bound of each part. */
const bounds = {
  versions: '200 with Sunset before the instant, 404 from it on',
  keys: '403 after the last day only',
  'revoked keys': 'always 401',
  idempotency: 'executed once, and again after a day',
  cursors: 'always 200',
  limits: 'always 200, no wait below zero or longer than a month',
  horizon: 'the days from yesterday to tomorrow of each visited day, with one flight each',
} as const;
type Part = keyof typeof bounds;

/** Observes one instant after another and reports the observations. */
const observeAt = async (
  part: Part,
  instants: readonly string[],
  observe: (now: Date) => Promise<string>,
): Promise<readonly string[]> => {
  const observations: string[] = [];
  for (const instant of instants) {
    world.setNow(instant);
    observations.push(await observe(new Date(instant)));
  }
  const figure = instants.map((instant, index) => `${instant} ${observations[index]}`).join(' | ');
  reportFault(20, figure, part);
  return observations;
};

test('ends a version at its sunset and serves it again when the clock goes back', async () => {
  const sunsetVersion = catalog.flatMap(({ versions }) => versions).find(({ sunsetOn }) => sunsetOn !== undefined);
  const sunset = Date.parse(`${sunsetVersion?.sunsetOn}T00:00:00Z`);
  const instants = [-1, 0, 1, 86_400_000, -1, 0].map((ms) => new Date(sunset + ms).toISOString());
  const observations = await observeAt('versions', instants, async () => {
    const response = await world.get(`/flight-instances?version=${sunsetVersion?.version}&DepartureDate=2024-06-02`);
    const { type } = toJsonObject(await response.json());
    return `${response.status} ${response.headers.has('sunset') ? 'sunset' : String(type).split('#')[1]}`;
  });
  expect(observations).toEqual([
    '200 sunset',
    '404 version-removed',
    '404 version-removed',
    '404 version-removed',
    '200 sunset',
    '404 version-removed',
  ]);
});

test('accepts a key until its last day; a revoked key stays revoked', async () => {
  const { db } = world;
  await insertKeyIfMissing(db, { name: 'short', products: ['flight-info'], key: 'short-lived-key-of-a-test' });
  await db`update subscription_key set expires_on = '2026-06-30' where subscription_id = (select id from subscription where name = 'short')`;
  const requestStatus = async () =>
    String(
      (
        await world.get('/flight-instances?DepartureDateTime=2026-06-01', {
          'subscription-key': 'short-lived-key-of-a-test',
        })
      ).status,
    );
  expect(await observeAt('keys', clockJumps, requestStatus)).toEqual(['200', '403', '200', '200', '200']);
  await db`update subscription_key set revoked_at = now() where expires_on is not null`;
  // After the key cache has expired.
  expect(await observeAt('revoked keys', ['2026-06-01T12:01:00Z', LATER, MID, EARLIER], requestStatus)).toEqual([
    '401',
    '401',
    '401',
    '401',
  ]);
});

test('executes a request with an idempotency key once, again after its day, and never a third time', async () => {
  const ids: string[] = [];
  const observations = await observeAt('idempotency', clockJumps, async () => {
    const response = await world.sendJson('POST', '/profile', {
      body: profile,
      headers: { 'idempotency-key': 'clock' },
    });
    ids.push(String(toJsonObject(await response.json())['accountId']));
    return `${response.status} account ${new Set(ids).size}`;
  });
  expect(observations).toEqual(['201 account 1', '201 account 2', '201 account 2', '201 account 2', '201 account 2']);
});

test('cursors and accounts do not depend on the clock', async () => {
  world.setNow(MID);
  const accountId = await world.createAccount();
  const observations = await observeAt('cursors', clockJumps, async () => {
    const response = await world.sendJson('GET', '/events?After=0&Wait=0', { headers: { accountId } });
    return `${response.status}`;
  });
  expect(new Set(observations)).toEqual(new Set(['200']));
});

test('a per-minute limit neither blocks for years nor becomes unlimited', async () => {
  const observations = await observeAt('limits', clockJumps, async () => {
    const response = await world.get('/flight-instances?DepartureDateTime=2026-06-01', {
      'subscription-key': TEST_KEY,
    });
    await response.arrayBuffer();
    const resetSeconds = [...(response.headers.get('ratelimit') ?? '').matchAll(/t=(-?\d+)/g)].map(([, seconds]) =>
      Number(seconds),
    );
    const validSeconds = resetSeconds.filter((seconds) => seconds >= 0 && seconds <= 31 * 86_400);
    return `${response.status} ${validSeconds.length === resetSeconds.length ? `${resetSeconds.length} waits in bounds` : `waits ${resetSeconds.join(', ')}`}`;
  });
  expect(new Set(observations)).toEqual(new Set(['200 2 waits in bounds']));
});

test('expands the days after the current day once each', async () => {
  const { sql: db, drop } = await freshDatabase();
  onTestFinished(drop);
  await saveTinyMasterData(db);
  await publishText(db, buildFile(buildLeg({ 15: '01JAN26', 22: '31DEC27' })), { horizonDays: 3 });
  const listDays = async (): Promise<string> =>
    (
      await db<{ day: string; flights: number }[]>`
        select day::text as day, (
          select count(*)::int from flight_instance where departs_at >= day and departs_at < day + 1
        ) as flights from expanded_day order by day`
    )
      .map(({ day, flights }) => `${day} ${flights}`)
      .join(', ');
  const observations = await observeAt('horizon', [MID, '2027-06-01T12:00:00Z', MID, EARLIER], async (now) => {
    await extendHorizon(db, { today: toUtcDate(now), horizonDays: 3 });
    return listDays();
  });
  const now = '2026-05-31 1, 2026-06-01 1, 2026-06-02 1';
  const later = '2027-05-31 1, 2027-06-01 1, 2027-06-02 1';
  expect(observations).toEqual([now, `${now}, ${later}`, `${now}, ${later}`, `2026-05-30 1, ${now}, ${later}`]);
});
