/*
 * Streams and long-polling requests that are cut at any byte and resumed after the last received event, and events that are read again
 * from any position. FAULT_EVENTS is the number of events that are cut, FAULT_CURSORS the number of positions.
 */
import { afterAll, expect, test } from 'vitest';
import { openHttpServer } from '#http/server/server.ts';
import { serveAlerts } from '#test/products/flight-info-alerts/v1/alerts-service.ts';
import { insertTestEvents } from '#test/products/flight-info-alerts/v1/events/account-events.ts';
import { openCuttingProxy } from '#test/support/cutting-proxy.ts';
import { openEventStream } from '#test/support/event-stream-reader.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { createDraw } from '../support/random-draw.ts';
import { reportFault } from '../support/report-fault.ts';

const EVENTS = Number(process.env['FAULT_EVENTS'] ?? 200);
const CURSORS = Number(process.env['FAULT_CURSORS'] ?? 10);
const SEED = 20_260_601;
/** About ten events: most connections are cut after a few, in the headers or within an event. */
const MAX_BYTES = 6000;
const now = new Date('2026-06-01T11:59:00.250Z');
const PATH = '/flight-info-alerts/events';

const world = await serveAlerts({ eventLimits: { maxWaitMs: 2000, heartbeatMs: 500, maxOpen: 50 } });
const server = openHttpServer({ fetch: world.app.fetch, port: 0, hostname: '127.0.0.1' });
const { port } = await server.listening;
const closing: (() => unknown)[] = [() => server.close(0)];
afterAll(async () => {
  for (const close of closing) await close();
  await world.drop();
});

const headersOf = (accountId: string) => ({ 'subscription-key': TEST_KEY, accountid: accountId });

/** Reads the events after a position page by page; returns the raw text inside `data`, joined by commas. */
const readPages = async (
  accountId: string,
  { after: first, limit, events }: { readonly after: number; readonly limit: number; readonly events: number },
): Promise<string> => {
  const pieces: string[] = [];
  for (let after = first; after < events; after += limit) {
    const url = `http://127.0.0.1:${port}${PATH}?After=${after}&Limit=${limit}`;
    const text = await (await fetch(url, { headers: headersOf(accountId) })).text();
    pieces.push(text.slice('{"data":['.length, text.lastIndexOf('],"position":')));
  }
  return pieces.join(',');
};

const writeEvents = async (accountId: string): Promise<void> => {
  const draw = createDraw(SEED);
  for (let written = 0; written < EVENTS;) {
    const count = Math.min(EVENTS - written, 1 + draw(12));
    const batch = Array.from({ length: count }, (_, index) => ({
      body: { documentType: 'FlightStatus', note: 'é'.repeat(draw(300)), number: written + index },
    }));
    await insertTestEvents(world.db, accountId, { events: batch, now });
    written += count;
  }
};

/** Compares the received events with the stored ones: lost, duplicated or reordered positions, and changed bytes. */
const findErrors = async (accountId: string, received: readonly string[]): Promise<object> => {
  const stored = JSON.parse(`[${await readPages(accountId, { after: 0, limit: 1000, events: EVENTS })}]`);
  const data: readonly { readonly position: number }[] = stored;
  const positions = received.map((text): number => JSON.parse(text).position);
  const expected = new Set(data.map((event) => JSON.stringify(event)));
  return {
    events: data.length,
    lost: data.filter(({ position }) => !positions.includes(position)).length,
    duplicated: positions.length - new Set(positions).size,
    disordered: positions.filter((position, index) => position !== index + 1).length,
    otherBytes: received.filter((text) => !expected.has(text)).length,
  };
};

const noErrors = { events: EVENTS, lost: 0, duplicated: 0, disordered: 0, otherBytes: 0 };

test(
  '19: a stream cut at any byte and resumed by Last-Event-ID loses and repeats nothing',
  async () => {
    const accountId = await world.createAccount();
    const proxy = await openCuttingProxy(port, { draw: createDraw(SEED), maxBytes: MAX_BYTES });
    closing.push(proxy.close);
    const writing = writeEvents(accountId);
    const received: string[] = [];
    let lastId = '0';
    while (received.length < EVENTS) {
      const headers = { ...headersOf(accountId), 'last-event-id': lastId };
      const onEvent = ({ id, data }: { id: string; data: string }): void => {
        lastId = id;
        received.push(data);
      };
      const source = await openEventStream({ port: proxy.port, path: PATH, headers, onEvent }).catch(() => undefined);
      await source?.until(EVENTS - received.length + source.events.length);
      source?.close();
    }
    await writing;
    const errors = await findErrors(accountId, received);
    reportFault(19, { cuts: proxy.countCuts(), ...errors }, 'stream');
    expect(errors).toEqual(noErrors);
    expect(proxy.countCuts()).toBeGreaterThan(EVENTS / 30);
  },
  240_000 + EVENTS * 1000,
);

const fetchBody = (at: number, path: string, accountId: string): Promise<string | undefined> =>
  // Each request has its own connection; compressed bodies are too short to be cut often.
  fetch(`http://127.0.0.1:${at}${path}`, {
    headers: { ...headersOf(accountId), connection: 'close', 'accept-encoding': 'identity' },
  })
    .then((response) => response.text())
    .catch(() => undefined);

test(
  '19: long polling cut at any byte and repeated loses and repeats nothing',
  async () => {
    const accountId = await world.createAccount();
    const proxy = await openCuttingProxy(port, { draw: createDraw(SEED + 1), maxBytes: 2 * MAX_BYTES });
    closing.push(proxy.close);
    const writing = writeEvents(accountId);
    const received: string[] = [];
    let position = 0;
    while (received.length < EVENTS) {
      const text = await fetchBody(proxy.port, `${PATH}?After=${position}&Wait=30&Limit=8`, accountId);
      if (text === undefined) continue;
      const page: { data: readonly object[]; position: number } = JSON.parse(text);
      received.push(...page.data.map((event) => JSON.stringify(event)));
      ({ position } = page);
    }
    await writing;
    const errors = await findErrors(accountId, received);
    reportFault(19, { cuts: proxy.countCuts(), ...errors }, 'long polling');
    expect(errors).toEqual(noErrors);
    expect(proxy.countCuts()).toBeGreaterThan(EVENTS / 50);
  },
  240_000 + EVENTS * 1000,
);

/** Events of each form: with and without changes and seats. */
const REPLAYED = 200;

const writeReplayedEvents = async (accountId: string): Promise<void> => {
  const draw = createDraw(18);
  for (let n = 0; n < 4; n += 1) {
    const events = Array.from({ length: REPLAYED / 4 }, (_, index) => ({
      body: {
        documentType: index % 3 === 0 ? 'ScheduleInstance' : 'FlightStatus',
        note: 'ü\u2028"'.repeat(draw(20)),
        seatingCapacity: { actual: { totalSeats: index } },
        changes: [{ propertyName: 'State' }],
      },
    }));
    await insertTestEvents(world.db, accountId, { events, now, parts: { changes: n < 2, seats: n % 2 === 0 } });
  }
};

test(
  '18: concurrent reads from any position return the same events in the same order and bytes',
  async () => {
    const accountId = await world.createAccount();
    await writeReplayedEvents(accountId);
    const read = (after: number, limit: number) => readPages(accountId, { after, limit, events: REPLAYED });
    const readStream = async (position: number): Promise<string> => {
      const headers = { ...headersOf(accountId), 'last-event-id': String(position) };
      const source = await openEventStream({ port, path: PATH, headers });
      await source.until(REPLAYED - position);
      source.close();
      return source.events.map(({ data }) => data).join(',');
    };
    const draw = createDraw(1800);
    const whole = await read(0, 1000);
    const events: readonly { position: number; messageId: string }[] = JSON.parse(`[${whole}]`);
    expect(events.map(({ position }) => position)).toEqual(Array.from({ length: REPLAYED }, (_, index) => index + 1));
    const starts = events.map(({ messageId }) => whole.indexOf(`{"messageId":"${messageId}"`));
    let [reads, differences] = [0, 0];
    for (let n = 0; n < CURSORS; n += 1) {
      const position = draw(REPLAYED);
      const limit = 1 + draw(90);
      const results = await Promise.all([
        ...[limit, limit, 1000].map((size) => read(position, size)),
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
