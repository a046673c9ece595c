/*
 * Streams and long-polling requests that are cut at any byte and resumed after the last received event. FAULT_EVENTS is the number of
 * events, up to 1000.
 */
import { get } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHttpServer } from '../../../src/http/server/server.ts';
import { insertTestEvents } from '../../products/flight-info-alerts/v1/events/account-events.ts';
import { serveAlerts, type AlertsService } from '../../products/flight-info-alerts/v1/alerts-service.ts';
import { openEventStream } from '../../support/event-stream-reader.ts';
import { TEST_KEY } from '../../support/tiny-world.ts';
import { openCuttingProxy } from './cutting-proxy.ts';
import { createDraw } from '../support/random-draw.ts';
import { reportFault } from '../support/report-fault.ts';

const EVENTS = Number(process.env['FAULT_EVENTS'] ?? 300);
const SEED = 20_260_601;
/** About ten events: most connections are cut after a few, in the headers or within an event. */
const MAX_BYTES = 6000;
const now = new Date('2026-06-01T11:59:00.250Z');
const PATH = '/flight-info-alerts/events';

let world: AlertsService;
const closing: (() => unknown)[] = [];
let port = 0;
beforeAll(async () => {
  world = await serveAlerts({ eventLimits: { maxWaitMs: 2000, heartbeatMs: 500 } });
  const server = openHttpServer({ fetch: world.app, port: 0, hostname: '127.0.0.1' });
  closing.push(() => server.close(0));
  ({ port } = await server.listening);
});
afterAll(async () => {
  for (const close of closing) await close();
  await world.drop();
});

/** Writes all events of an account, a few at a time. */
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

type PositionedEvent = { readonly position: number };

/** Lists every event of an account with the largest pages. */
const listEvents = async (accountId: string): Promise<readonly PositionedEvent[]> => {
  const events: PositionedEvent[] = [];
  for (;;) {
    const after = events.at(-1)?.position ?? 0;
    const headers = { accountid: accountId };
    const response = await world.sendJson('GET', `/events?Limit=1000&After=${after}`, { headers });
    const { data }: { data: readonly PositionedEvent[] } = await response.json();
    if (data.length === 0) return events;
    events.push(...data);
  }
};

/** Compares the received events with the stored ones: lost, duplicated or reordered positions, and changed bytes. */
const findErrors = async (accountId: string, received: readonly string[]): Promise<object> => {
  const data = await listEvents(accountId);
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
      const headers = { 'subscription-key': TEST_KEY, accountid: accountId, 'last-event-id': lastId };
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

/** Fetches a body; undefined when the connection was cut. */
const fetchBody = (port: number, path: string, accountId: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const headers = { 'subscription-key': TEST_KEY, accountid: accountId };
    const request = get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('error', () => resolve(undefined));
      response.on('end', () => resolve(response.complete ? text : undefined));
    });
    request.on('error', () => resolve(undefined));
  });

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
