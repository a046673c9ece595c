import { beforeEach, expect, test } from 'vitest';
import { matchAlert } from '#domain/alerts/alert-match.ts';
import type { FlightFacts } from '#domain/status/message.ts';
import { parseNewAlert } from '#products/flight-info-alerts/v1/alerts/parse-alert.ts';
import { decodeEventFacts } from '#store/events/event-outbox.ts';
import { guides } from '#test/docs/guide.ts';
import { deleteEvents } from './emitted-events.ts';
import { ingest, message, second } from './messages.ts';
import { db, useStatusWorld } from './status-world.ts';

useStatusWorld();
beforeEach(() => deleteEvents(db));

const page = guides.find(({ name }) => name.endsWith('/alert-rules.md'))?.text ?? '';
const [, recipe = ''] = /more than 30 minutes late.*?```json\n(.*?)```/s.exec(page) ?? [];
const { accountId: _, ...body } = JSON.parse(recipe);

const estimate = (time: string): FlightFacts => ({ estimatedOut: second(`2026-06-01T${time}Z`) });

/** The life of XX101, scheduled to depart at 10:00 UTC: each update, and whether the recipe notifies about it. */
const updates: readonly (readonly [facts: FlightFacts, notifies: boolean])[] = [
  [{ departureGate: 'A1' }, false],
  [estimate('10:30'), false],
  [{ ...estimate('10:31'), departureGate: 'A2' }, true],
  [estimate('10:45'), false],
  [{ departureGate: 'A3' }, false],
  [estimate('11:10'), false],
  [estimate('10:20'), false],
  [estimate('10:40'), true],
  [{ cancelled: true }, true],
];

test('the documented alert selects a flight that was late within a batch, whose event has the newest estimate', async () => {
  const alert = { ...parseNewAlert({ ...body, iataCarrierCode: 'XX' }), active: true };
  const chain = ['10:05', '10:40', '10:20', '10:50', '10:10'].map((time, index) =>
    message({ id: `chain ${index}`, at: `2026-06-01T09:3${index}Z`, facts: estimate(time) }),
  );
  await ingest(db, chain.toReversed());
  const events = await db<{ facts: string }[]>`select facts from flight_event order by seq`;
  const [event, ...others] = events.map((one) => decodeEventFacts(one.facts));
  expect([others.length, event]).toEqual([
    1,
    expect.objectContaining({ outGateVariationMinutes: 10, outGateVariationSteps: [5, 40, 20, 50] }),
  ]);
  expect(event && matchAlert(alert, event)).toBe('matched');
  const [status] = await db<{ messages: string }[]>`select count(*) as messages from status_message`;
  expect(Number(status?.messages)).toBe(chain.length);
});

test('the documented alert selects a flight that was late between two estimates which are older than another fact', async () => {
  const alert = { ...parseNewAlert({ ...body, iataCarrierCode: 'XX' }), active: true };
  const at = (time: string, facts: FlightFacts) => message({ id: time, at: `2026-06-01T${time}Z`, facts });
  await ingest(db, [at('09:00', estimate('10:05')), at('09:40', { departureGate: 'A1' })]);
  await deleteEvents(db);
  await ingest(db, [at('09:20', estimate('10:40')), at('09:10', estimate('10:35')), at('09:30', estimate('10:10'))]);
  const events = await db<{ facts: string }[]>`select facts from flight_event order by seq`;
  const [event] = events.map((one) => decodeEventFacts(one.facts));
  expect(event).toMatchObject({
    previousOutGateVariationMinutes: 5,
    outGateVariationSteps: [35, 40],
    outGateVariationMinutes: 10,
  });
  expect(event && matchAlert(alert, event)).toBe('matched');
});

test('an estimate that is older than the known one is none between', async () => {
  const at = (time: string, facts: FlightFacts) => message({ id: time, at: `2026-06-01T${time}Z`, facts });
  await ingest(db, [at('09:20', estimate('10:05'))]);
  await deleteEvents(db);
  await ingest(db, [at('09:10', estimate('10:40')), at('09:30', { departureGate: 'A1' })]);
  const events = await db<{ facts: string }[]>`select facts from flight_event order by seq`;
  expect(decodeEventFacts(events[0]?.facts ?? '')).not.toHaveProperty('outGateVariationSteps');
});

test('the documented alert for late flights selects each crossing once, and the cancellation', async () => {
  const alert = { ...parseNewAlert({ ...body, iataCarrierCode: 'XX' }), active: true };
  const selected: boolean[] = [];
  for (const [index, [facts]] of updates.entries()) {
    await ingest(db, [message({ id: `m${index}`, at: `2026-06-01T09:1${index}Z`, facts })]);
    const events = await db<{ facts: string }[]>`select facts from flight_event order by seq`;
    await db`truncate event_outbox, event_log, flight_event`;
    const matches = events.filter((event) => matchAlert(alert, decodeEventFacts(event.facts)) === 'matched');
    expect([index, events.length]).toEqual([index, 2]);
    selected.push(matches.length === 1);
  }
  expect(selected).toEqual(updates.map(([, notifies]) => notifies));
});
