import { EventSource } from 'eventsource';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openHttpServer } from '#http/server/server.ts';
import { serveAlerts } from '#test/products/flight-info-alerts/v1/alerts-service.ts';
import { insertTestEvents } from '#test/products/flight-info-alerts/v1/events/account-events.ts';
import { hasNginx, startNginx } from '#test/support/nginx.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';

const world = await serveAlerts();
const server = openHttpServer({ fetch: world.app.fetch, port: 0, hostname: '127.0.0.1' });
const accountId = await world.createAccount();
const headers = { 'subscription-key': TEST_KEY, accountid: accountId, 'content-type': 'application/json' };
afterAll(async () => {
  await server.close(0);
  await world.drop();
});

describe.skipIf(!hasNginx)('behind nginx, which compresses', () => {
  const folder = createTemporaryFolder();
  let base = '';
  beforeAll(async () => {
    const nginx = await startNginx((await server.listening).port, folder);
    base = `http://127.0.0.1:${nginx.port}/flight-info-alerts`;
    return nginx.stop;
  });

  test('an alert can be changed with the weak tag of its compressed response', async () => {
    const alertId = await world.createAlert(accountId, { alertType: 'Global' });
    const read = await fetch(`${base}/alerts/${alertId}`, { headers: { ...headers, 'accept-encoding': 'gzip' } });
    const tag = read.headers.get('etag') ?? '';
    expect([read.headers.get('content-encoding'), tag.slice(0, 3)]).toEqual(['gzip', 'W/"']);
    const patch = async (name: string): Promise<number> => {
      const body = JSON.stringify({ alertId, name });
      return (await fetch(`${base}/alerts`, { method: 'PATCH', headers: { ...headers, 'if-match': tag }, body }))
        .status;
    };
    expect([await patch('first'), await patch('late')]).toEqual([200, 412]);
  });

  test('an event stream delivers events while it is open', async () => {
    const source = new EventSource(`${base}/events?After=end`, {
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...headers } }),
    });
    const next = (name: string): Promise<MessageEvent<string>> =>
      new Promise((resolve) => source.addEventListener(name, resolve, { once: true }));
    const received = next('FlightStatus');
    expect((await next('position')).data).toBe('{"position":0}');
    const events = [{ body: { documentType: 'FlightStatus', note: 'x' } }];
    await insertTestEvents(world.db, accountId, { events, now: new Date('2026-06-01T11:59:00Z') });
    expect((await received).lastEventId).toBe('1');
    source.close();
  });
});
