import { describe, expect, test } from 'vitest';
import { localDate } from '../../../../src/domain/time/dates.ts';
import type { UtcMillisecond } from '../../../../src/domain/status/instants.ts';
import type { StatusMessage } from '../../../../src/domain/status/message.ts';
import { DemoMessageSource } from '../../../../src/jobs/demo/activity/message-source.ts';
import { createSeededRandom } from '../../../../src/lib/seeded-random.ts';
import { listDemoFlights } from '../../../../src/jobs/demo/activity/list-demo-flights.ts';
import { flightsAround } from './sample-flights.ts';

const HOUR = 3_600_000;
const today = localDate('2026-11-21');
const flights = listDemoFlights(today, 9);
const from = (today * 24 * HOUR + 30 * HOUR) as UtcMillisecond;
const to = (from + 48 * HOUR) as UtcMillisecond;

const between = (
  start: UtcMillisecond,
  end: UtcMillisecond,
  source = new DemoMessageSource(),
): readonly StatusMessage[] => source.listMessages(start, end, flightsAround(flights, start, end));

describe('from tick to tick', () => {
  const whole = between(from, to);

  test('two days have some ten thousands of messages, ascending, each with an id of its own, all of that time', () => {
    expect(whole.length).toBeGreaterThan(30_000);
    expect(whole.map(({ observedAt }) => observedAt)).toEqual(
      whole.map(({ observedAt }) => observedAt).toSorted((a, b) => a - b),
    );
    expect(new Set(whole.map(({ id }) => id)).size).toBe(whole.length);
    expect(whole.filter(({ observedAt }) => observedAt <= from || observedAt > to)).toEqual([]);
  });

  test.each([
    { memory: 'one memory', hours: 2 },
    { memory: 'a new memory each time, as after a restart', hours: 12 },
  ])('ticks of up to $hours hours give every message exactly once, with $memory', ({ memory, hours }) => {
    const source = new DemoMessageSource();
    const chance = createSeededRandom('ticks');
    const told: StatusMessage[] = [];
    let [now, number] = [from, 0];
    while (now < to) {
      const next = Math.min(to, now + Math.ceil(chance(String(number++)) * hours * HOUR)) as UtcMillisecond;
      told.push(...between(now, next, memory === 'one memory' ? source : new DemoMessageSource()));
      now = next;
    }
    expect(told.length).toBe(whole.length);
    expect(new Map(told.map((message) => [message.id, message]))).toEqual(
      new Map(whole.map((message) => [message.id, message])),
    );
  });
});

test('the life of every flight that departs in the middle is whole', () => {
  // Two days before the first of them departs, at the date line, to a day and a half after the last.
  const start = (today * 24 * HOUR - 14 * HOUR) as UtcMillisecond;
  const messages = between(start, (start + 134 * HOUR) as UtcMillisecond);
  const numbers = Map.groupBy(
    messages.filter(({ flight }) => flight.by === 'designator' && flight.originDate === today + 2),
    ({ id }) => id.replace(/\/\d+$/, ''),
  );
  expect(numbers.size).toBeGreaterThan(1500);
  const broken = [...numbers].filter(([, life]) => life.some(({ id }, index) => !id.endsWith(`/${index + 1}`)));
  expect(broken.map(([flight]) => flight)).toEqual([]);
});

test('nothing is due in no time, and nothing without flights but what needs none', () => {
  const source = new DemoMessageSource();
  expect(source.listMessages(from, from, flights)).toEqual([]);
  const alone = source.listMessages(from, (from + HOUR) as UtcMillisecond, []);
  expect(new Set(alone.map(({ plan }) => plan?.flightType))).toEqual(new Set(['GA', 'Unscheduled']));
});
