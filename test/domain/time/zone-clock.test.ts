import { expect, test } from 'vitest';
import type { UtcMinute } from '#domain/time/dates.ts';
import { getZoneClock } from '#domain/time/zone-clock.ts';
import { getUtcOffset } from '#domain/time/zones.ts';

const at = (text: string): UtcMinute => (Date.parse(`${text}Z`) / 60_000) as UtcMinute;
const text = (minute: UtcMinute): string => new Date(minute * 60_000).toISOString().slice(0, 16);

/** Standard and current offset in minutes at noon or another time, the one of daylight saving, and its periods. */
const describeClock = (zone: string, now: string): string => {
  const clock = getZoneClock(zone, at(now.padEnd(16, 'T12:00')));
  const periods = clock?.daylightPeriods.map(({ from, to }) => `${text(from)} ${text(to)}`) ?? [];
  const offsets = [clock?.standardOffset, clock?.currentOffset, clock?.daylightPeriods[0]?.offset ?? 'none'];
  return [offsets.join(' '), ...periods].join(', ');
};

const british2027 = '2027-03-28T01:00 2027-10-31T01:00';
const british2028 = '2028-03-26T01:00 2028-10-29T01:00';
const lordHowe2026 = '2026-10-03T15:30 2027-04-03T15:00';
const sydney2026 = '2026-10-03T16:00 2027-04-03T16:00';
const stJohns2026 = '2026-03-08T05:30 2026-11-01T04:30';
const irish2026 = '2026-03-29T01:00 2026-10-25T01:00';

test.each([
  ['Europe/London', '2027-03-01', `0 0 60, ${british2027}, ${british2028}`],
  ['Europe/London', '2027-03-28T00:59', `0 0 60, ${british2027}, ${british2028}`],
  ['Europe/London', '2027-03-28T01:00', `0 60 60, ${british2027}, ${british2028}`],
  ['Europe/London', '2027-10-31T01:00', `0 0 60, ${british2028}, 2029-03-25T01:00 2029-10-28T01:00`],
  // By law Ireland has it the other way round: winter is the exception. Schedules are filed by this form.
  ['Europe/Dublin', '2026-07-01', `0 60 60, ${irish2026}, ${british2027}`],
  ['Australia/Lord_Howe', '2026-06-01', `630 630 660, ${lordHowe2026}, 2027-10-02T15:30 2028-04-01T15:00`],
  ['Australia/Sydney', '2026-12-31', `600 660 660, ${sydney2026}, 2027-10-02T16:00 2028-04-01T16:00`],
  // Between two Ramadans, and in one. The years are past ones, because the rule is sometimes abandoned.
  ['Africa/Casablanca', '2023-06-01', '0 60 60, 2023-04-23T02:00 2024-03-10T02:00, 2024-04-14T02:00 2025-02-23T02:00'],
  ['Africa/Casablanca', '2024-04-01', '0 0 60, 2024-04-14T02:00 2025-02-23T02:00, 2025-04-06T02:00 2026-02-15T02:00'],
  ['Antarctica/Troll', '2026-06-01', `0 120 120, ${irish2026}, ${british2027}`],
  ['America/St_Johns', '2026-06-01', `-210 -150 -150, ${stJohns2026}, 2027-03-14T05:30 2027-11-07T04:30`],
  ['Asia/Tokyo', '2026-06-01', '540 540 none'],
  // Kazakhstan moved to +05:00 permanently on 1 March 2024; the offset before was no daylight saving.
  ['Asia/Almaty', '2024-02-01', '360 360 none'],
  ['Asia/Almaty', '2024-06-01', '300 300 none'],
  // Mexico abolished it: its last summer time ended on 30 October 2022.
  ['America/Mexico_City', '2022-07-01', '-360 -300 -300, 2022-04-03T08:00 2022-10-30T07:00'],
  ['America/Mexico_City', '2023-07-01', '-360 -360 none'],
])('the clock of %s at %s UTC', (zone, now, expected) => {
  expect(describeClock(zone, now)).toBe(expected);
});

test('returns the time of its last offset change', () => {
  const since = (now: string): string => text(getZoneClock('Europe/London', at(now))?.since ?? at('1970-01-01T00:00'));
  const times = ['2027-03-28T00:59', '2027-03-28T01:00', '2027-07-01T00:00'].map(since);
  expect(times).toEqual(['2026-10-25T01:00', '2027-03-28T01:00', '2027-03-28T01:00']);
});

test('a cached clock is not returned after its change or before its time', () => {
  const minutes = ['2027-10-31T00:59', '2027-10-31T01:00', '2027-10-30T12:00', '2027-10-31T00:30', '2028-10-29T01:00'];
  const offsets = minutes.map((now) => getZoneClock('Europe/Paris', at(now))?.currentOffset);
  expect(offsets).toEqual(minutes.map((now) => getUtcOffset('Europe/Paris', at(now))));
});

test('an unknown zone has no clock', () => {
  expect(getZoneClock('Nowhere/Else', at('2026-06-01T12:00'))).toBeUndefined();
});
