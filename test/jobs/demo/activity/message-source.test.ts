import { describe, expect, test } from 'vitest';
import { localDate } from '../../../../src/domain/time/dates.ts';
import type { UtcMillisecond } from '../../../../src/domain/status/instants.ts';
import type { StatusMessage } from '../../../../src/domain/status/message.ts';
import { DemoMessageSource } from '../../../../src/jobs/demo/activity/message-source.ts';
import { createSeededRandom } from '../../../../src/lib/seeded-random.ts';
import { listDemoFlights } from '../../../../src/jobs/demo/activity/list-demo-flights.ts';
import { selectFlightsAround } from './sample-flights.ts';

const HOUR = 3_600_000;
const today = localDate('2026-11-21');
const flights = listDemoFlights(today, 9);
const from = (today * 24 * HOUR + 30 * HOUR) as UtcMillisecond;
const to = (from + 48 * HOUR) as UtcMillisecond;

const listMessages = (
  start: UtcMillisecond,
  end: UtcMillisecond,
  source = new DemoMessageSource(),
): readonly StatusMessage[] => source.listMessages(start, end, selectFlightsAround(flights, start, end));

describe('from call to call', () => {
  const all = listMessages(from, to);

  test('two days have tens of thousands of messages of that time in ascending order, with unique IDs', () => {
    expect(all.length).toBeGreaterThan(30_000);
    expect(all.map(({ observedAt }) => observedAt)).toEqual(
      all.map(({ observedAt }) => observedAt).toSorted((a, b) => a - b),
    );
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.filter(({ observedAt }) => observedAt <= from || observedAt > to)).toEqual([]);
  });

  test.each([
    { sources: 'one source', hours: 2 },
    { sources: 'a new source each time, as after a restart', hours: 12 },
  ])('calls for up to $hours hours return every message exactly once, with $sources', ({ sources, hours }) => {
    const source = new DemoMessageSource();
    const random = createSeededRandom('ticks');
    const returned: StatusMessage[] = [];
    let [now, number] = [from, 0];
    while (now < to) {
      const next = Math.min(to, now + Math.ceil(random(String(number++)) * hours * HOUR)) as UtcMillisecond;
      returned.push(...listMessages(now, next, sources === 'one source' ? source : new DemoMessageSource()));
      now = next;
    }
    expect(returned.length).toBe(all.length);
    expect(new Map(returned.map((message) => [message.id, message]))).toEqual(
      new Map(all.map((message) => [message.id, message])),
    );
  });
});

test('every flight that departs in the middle of the interval has all its messages', () => {
  // Two days before the first of them departs, at the date line, to a day and a half after the last.
  const start = (today * 24 * HOUR - 14 * HOUR) as UtcMillisecond;
  const messages = listMessages(start, (start + 134 * HOUR) as UtcMillisecond);
  const numbers = Map.groupBy(
    messages.filter(({ flight }) => flight.by === 'designator' && flight.originDate === today + 2),
    ({ id }) => id.replace(/\/\d+$/, ''),
  );
  expect(numbers.size).toBeGreaterThan(1500);
  const broken = [...numbers].filter(([, messages]) => messages.some(({ id }, index) => !id.endsWith(`/${index + 1}`)));
  expect(broken.map(([flight]) => flight)).toEqual([]);
});

test('an empty interval has no messages, and without scheduled flights only unscheduled ones have messages', () => {
  const source = new DemoMessageSource();
  expect(source.listMessages(from, from, flights)).toEqual([]);
  const alone = source.listMessages(from, (from + HOUR) as UtcMillisecond, []);
  expect(new Set(alone.map(({ plan }) => plan?.flightType))).toEqual(new Set(['GA', 'Unscheduled']));
});
