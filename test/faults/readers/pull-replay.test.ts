/*
 * Reads events again from any position: concurrently, in pages of any size and as a stream. FAULT_CURSORS is the number of positions.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHttpServer } from '../../../src/http/server/server.ts';
import { insertTestEvents } from '../../products/flight-info-alerts/v1/events/account-events.ts';
import { serveAlerts, type AlertsService } from '../../products/flight-info-alerts/v1/alerts-service.ts';
import { openEventStream } from '../../support/event-stream-reader.ts';
import { TEST_KEY } from '../../support/tiny-world.ts';
import { createDraw } from '../support/random-draw.ts';
import { reportFault } from '../support/report-fault.ts';

const EVENTS = 300;
const CURSORS = Number(process.env['FAULT_CURSORS'] ?? 20);
const now = new Date('2026-06-01T11:59:00.250Z');
const PATH = '/flight-info-alerts/events';

let world: AlertsService;
let accountId = '';
let base = '';
let port = 0;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  world = await serveAlerts({ eventLimits: { maxOpen: 50 } });
  const server = openHttpServer({ fetch: world.app, port: 0, hostname: '127.0.0.1' });
  closing.push(() => server.close(0));
  ({ port } = await server.listening);
  base = `http://127.0.0.1:${port}${PATH}`;
  accountId = await world.createAccount();
  const draw = createDraw(18);
  for (const changes of [true, false])
    for (const seats of [true, false]) {
      const news = Array.from({ length: EVENTS / 4 }, (_, index) => ({
        body: {
          documentType: index % 3 === 0 ? 'ScheduleInstance' : 'FlightStatus',
          note: 'ü\u2028"'.repeat(draw(20)),
          seatingCapacity: { actual: { totalSeats: index } },
          changes: [{ propertyName: 'State' }],
        },
      }));
      await insertTestEvents(world.db, accountId, { events: news, now, parts: { changes, seats } });
    }
});
afterAll(async () => {
  for (const close of closing) await close();
  await world.drop();
});

const headers = (): Record<string, string> => ({ 'subscription-key': TEST_KEY, accountid: accountId });

/** Reads the events after a position page by page; returns the raw text inside `data`, joined by commas. */
const readPages = async (position: number, limit: number): Promise<string> => {
  const pieces: string[] = [];
  for (let after = position; after < EVENTS; after += limit) {
    const text = await (await fetch(`${base}?After=${after}&Limit=${limit}`, { headers: headers() })).text();
    pieces.push(text.slice('{"data":['.length, text.lastIndexOf('],"position":')));
  }
  return pieces.join(',');
};

const readStream = async (position: number): Promise<string> => {
  const source = await openEventStream({
    port,
    path: PATH,
    headers: { ...headers(), 'last-event-id': String(position) },
  });
  await source.until(EVENTS - position);
  source.close();
  return source.events.map(({ data }) => data).join(',');
};

test(
  '18: concurrent reads from any position return the same events in the same order and bytes',
  async () => {
    const draw = createDraw(1800);
    const whole = await readPages(0, 1000);
    const events: readonly { position: number }[] = JSON.parse(`[${whole}]`);
    expect(events.map(({ position }) => position)).toEqual(Array.from({ length: EVENTS }, (_, index) => index + 1));
    const starts = events.map((_, index) => whole.indexOf(`{"messageId":"${Object(events[index]).messageId}"`));
    let [reads, differences] = [0, 0];
    for (let n = 0; n < CURSORS; n += 1) {
      const position = draw(EVENTS);
      const limit = 1 + draw(90);
      const results = await Promise.all([
        readPages(position, limit),
        readPages(position, limit),
        readPages(position, 1000),
        readStream(position),
        readStream(position),
      ]);
      const expected = whole.slice(starts[position]);
      reads += results.length;
      differences += results.filter((text) => text !== expected).length;
    }
    reportFault(18, { positions: CURSORS, reads, differences });
    expect(differences).toBe(0);
  },
  240_000 + CURSORS * 10_000,
);
