import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildLocalMinute, localDate, type UtcMinute } from '#domain/time/dates.ts';
import { secondToMinute } from '#domain/status/instants.ts';
import { findFirstInstant, findInstants, findLastInstant, isClockTimeAt } from '#feeds/bts/clock-times.ts';
import { toSecond } from './bts-file.ts';

const newYork = 'America/New_York';
const utc = (text: string): UtcMinute => secondToMinute(toSecond(text));

test.each([
  ['on an ordinary day', '2014-11-01', ['2014-11-01T05:30Z']],
  ['in an hour that is repeated', '2014-11-02', ['2014-11-02T05:30Z', '2014-11-02T06:30Z']],
  ['the day after', '2014-11-03', ['2014-11-03T06:30Z']],
])('0130 in New York %s', (_when, date, instants) => {
  expect(findInstants(newYork, buildLocalMinute(localDate(date), 90))).toEqual(instants.map(utc));
});

test('a skipped time counts from the clock before the change', () => {
  expect(findInstants(newYork, buildLocalMinute(localDate('2014-03-09'), 150))).toEqual([utc('2014-03-09T07:30Z')]);
});

test.each([
  ['the same minute', '2014-11-01T05:30Z', '2014-11-01T05:30Z'],
  ['later that day', '2014-11-01T04:00Z', '2014-11-01T05:30Z'],
  ['the next day', '2014-10-31T05:31Z', '2014-11-01T05:30Z'],
  ['the second pass of a repeated hour', '2014-11-02T05:50Z', '2014-11-02T06:30Z'],
])('the first 0130 may be %s', (_when, start, instant) => {
  expect(findFirstInstant(utc(start), { minutes: 90, zone: newYork })).toBe(utc(instant));
});

test.each([
  ['the same minute', '2014-11-01T05:30Z', '2014-11-01T05:30Z'],
  ['the day before', '2014-11-01T05:29Z', '2014-10-31T05:30Z'],
  ['the first pass of a repeated hour', '2014-11-02T06:10Z', '2014-11-02T05:30Z'],
])('the last 0130 may be %s', (_when, end, instant) => {
  expect(findLastInstant(utc(end), { minutes: 90, zone: newYork })).toBe(utc(instant));
});

test('a time of day without a clock change is found within 25 hours either way', () => {
  const instant = fc.integer({ min: utc('2010-01-01T00:00Z'), max: utc('2020-01-01T00:00Z') });
  const minutes = fc.integer({ min: 180, max: 1440 });
  const zone = fc.constantFrom(newYork, 'America/Chicago', 'America/Phoenix', 'Pacific/Honolulu', 'America/Anchorage');
  const property = fc.property(instant, minutes, zone, (from, clock, name) => {
    const reading = { minutes: clock, zone: name };
    const [first, last] = [findFirstInstant(from as UtcMinute, reading), findLastInstant(from as UtcMinute, reading)];
    expect([isClockTimeAt(first, reading), isClockTimeAt(last, reading)]).toEqual([true, true]);
    expect(first - from).toBeGreaterThanOrEqual(0);
    expect(from - last).toBeGreaterThanOrEqual(0);
    expect(Math.max(first - from, from - last)).toBeLessThan(25 * 60);
  });
  fc.assert(property);
});
