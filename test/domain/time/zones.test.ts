import { describe, expect, test } from 'vitest';
import { parseDate, type LocalMinute, type UtcMinute } from '#domain/time/dates.ts';
import { createRandom } from '#test/lib/seeded-random.ts';
import { readClock } from '../connections/worlds/oracle/clock.ts';
import {
  convertLocalToUtc,
  getUtcOffset,
  isZone,
  isZoneOfCountry,
  listClockChanges,
  listOffsetDifferences,
} from '#domain/time/zones.ts';

/** Minutes since 1970 of `YYYY-MM-DDTHH:mm`, without a zone: the test states which clock it is. */
const minute = (text: string): number => {
  const [date = '', time = ''] = text.split('T');
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return (parseDate(date) ?? Number.NaN) * 1440 + hours * 60 + minutes;
};
const utc = (text: string): UtcMinute => minute(text) as UtcMinute;
const local = (text: string): LocalMinute => minute(text) as LocalMinute;

test.each([
  ['Europe/London', '2026-10-25T00:59', 60],
  ['Europe/London', '2026-10-25T01:00', 0],
  ['America/New_York', '2026-03-08T06:59', -300],
  ['America/New_York', '2026-03-08T07:00', -240],
  ['Australia/Lord_Howe', '2026-04-04T14:59', 660],
  ['Australia/Lord_Howe', '2026-04-04T15:00', 630],
  ['Pacific/Apia', '2026-06-01T12:00', 780],
  ['UTC', '2026-06-01T12:00', 0],
  // The day that Samoa skipped when it moved across the date line.
  ['Pacific/Apia', '2011-12-30T09:59', -600],
  ['Pacific/Apia', '2011-12-30T10:00', 840],
  // Liberia was 44 minutes and 30 seconds behind UTC; offsets are whole minutes.
  ['Africa/Monrovia', '1971-06-01T00:00', -45],
])('the offset of %s at %s UTC is %d minutes, as in the tz database', (zone, instant, offset) => {
  expect(getUtcOffset(zone, utc(instant))).toBe(offset);
});

test('a zone is identified by its IANA name, old names included; offsets, empty and unknown names are not zones', () => {
  const names = ['Europe/London', 'UTC', 'Asia/Calcutta', 'Europe/Kyiv', '', 'Nowhere/Else', '+01:00', '-05', 'LHR'];
  expect(names.filter(isZone)).toEqual(['Europe/London', 'UTC', 'Asia/Calcutta', 'Europe/Kyiv']);
  const unknown = new RangeError("unknown time zone: 'Nowhere/Else'");
  expect(() => getUtcOffset('Nowhere/Else', utc('2026-01-01T00:00'))).toThrow(unknown);
  expect(() => convertLocalToUtc('', local('2026-01-01T00:00'), 0)).toThrow(new RangeError("unknown time zone: ''"));
});

const [paris, newYork, lordHowe] = ['Europe/Paris', 'America/New_York', 'Australia/Lord_Howe'];

test.each([
  // [what, zone, local, filed variation, UTC, offset, mismatch]
  ['an ordinary day', 'Asia/Singapore', '2026-06-02T04:30', 480, '2026-06-01T20:30', 480, false],
  ['the first pass of a repeated hour', paris, '2026-10-25T02:45', 120, '2026-10-25T00:45', 120, false],
  ['the second pass of a repeated hour', paris, '2026-10-25T02:45', 60, '2026-10-25T01:45', 60, false],
  ['a repeated hour filed with neither offset', paris, '2026-10-25T02:45', 0, '2026-10-25T00:45', 120, true],
  ['a repeated half hour, first pass', lordHowe, '2026-04-05T01:45', 660, '2026-04-04T14:45', 660, false],
  ['a repeated half hour, second pass', lordHowe, '2026-04-05T01:45', 630, '2026-04-04T15:15', 630, false],
  ['winter filed with the summer variation', 'Europe/London', '2026-12-01T11:00', 60, '2026-12-01T11:00', 0, true],
  ['summer filed with the winter variation', newYork, '2026-07-01T22:00', -300, '2026-07-02T02:00', -240, true],
  [
    'a skipped hour, filed with the offset before',
    newYork,
    '2026-03-08T02:30',
    -300,
    '2026-03-08T07:30',
    -300,
    false,
    true,
  ],
  [
    'a skipped hour, filed with the offset after',
    newYork,
    '2026-03-08T02:30',
    -240,
    '2026-03-08T07:30',
    -300,
    false,
    true,
  ],
  ['a skipped hour, filed with another offset', newYork, '2026-03-08T02:30', 0, '2026-03-08T07:30', -300, true, true],
  ['the minute a clock jumps to', newYork, '2026-03-08T03:00', -240, '2026-03-08T07:00', -240, false],
  ['the last minute before the jump, filed wrongly', newYork, '2026-03-08T01:59', 0, '2026-03-08T06:59', -300, true],
  ['the first minute after the jump, filed wrongly', newYork, '2026-03-08T03:00', 0, '2026-03-08T07:00', -240, true],
  ['the day Samoa skipped', 'Pacific/Apia', '2011-12-30T12:00', 840, '2011-12-30T22:00', -600, false, true],
] as const)(
  'the instant of a wall-clock time: %s',
  (_, zone = '', wallClock, variation, instant, offset, mismatch, skipped: boolean = false) => {
    expect(convertLocalToUtc(zone, local(wallClock), variation)).toEqual({
      utc: utc(instant),
      offset,
      mismatch,
      skipped,
    });
  },
);

describe('the instants of clock changes', () => {
  const changes = (zone: string, from: string, to: string): readonly string[] =>
    listClockChanges(zone, { from: utc(from), to: utc(to) }).map((at) =>
      new Date(at * 60_000).toISOString().slice(0, 16),
    );

  test('are those of the zone after the first moment and up to the last', () => {
    const dates = ['2026-03-29T01:00', '2026-10-25T01:00', '2027-03-28T01:00', '2027-10-31T01:00'];
    expect(changes('Europe/London', '2026-01-01T00:00', '2027-12-31T00:00')).toEqual(dates);
    expect(changes('Australia/Lord_Howe', '2026-04-04T14:59', '2026-04-04T15:00')).toEqual(['2026-04-04T15:00']);
    expect(changes('Australia/Lord_Howe', '2026-04-04T15:00', '2026-04-05T15:00')).toEqual([]);
    expect(changes('Asia/Singapore', '2020-01-01T00:00', '2030-01-01T00:00')).toEqual([]);
    expect(() => changes('Nowhere/Else', '2026-01-01T00:00', '2026-01-02T00:00')).toThrow(RangeError);
  });

  test.each(['Europe/London', 'America/Santiago', 'Africa/Casablanca', 'Antarctica/Troll', 'Pacific/Apia'])(
    'are exactly those at which the offset differs from a minute before: %s',
    (zone) => {
      const [from, to] = [utc('2009-01-01T00:00'), utc('2019-01-01T00:00')];
      const expected: number[] = [];
      // Clocks change on quarters of an hour.
      for (let at = from + 15; at <= to; at += 15)
        if (getUtcOffset(zone, at as UtcMinute) !== getUtcOffset(zone, (at - 1) as UtcMinute)) expected.push(at);
      expect(listClockChanges(zone, { from, to })).toEqual(expected);
      expect(expected.length).toBeGreaterThan(5);
    },
  );
});

const seed = Number(process.env['ZONES_SEED'] ?? 20_260_601);

test('for random instants of every zone the offset matches the clock, and the reverse conversion gives the instant', () => {
  const random = createRandom(seed);
  const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC'];
  const wrong: string[] = [];
  for (const zone of zones)
    for (let run = 0; run < 15; run++) {
      const instant = random.integer(minute('1990-01-01T00:00'), minute('2060-01-01T00:00')) as UtcMinute;
      const [offset, expected] = [getUtcOffset(zone, instant), readClock(zone, instant)];
      const back = convertLocalToUtc(zone, (instant + offset) as LocalMinute, offset);
      const isRight = offset === expected && back.utc === instant && back.offset === offset && !back.mismatch;
      if (!isRight) wrong.push(`${zone} ${new Date(instant * 60_000).toISOString()}: ${offset}, not ${expected}`);
    }
  expect(zones.length).toBeGreaterThan(400);
  expect(wrong).toEqual([]);
});

test.each([
  ['one zone under two names', 'Asia/Calcutta', 'Asia/Kolkata', []],
  ['clocks that always agree', 'Europe/Paris', 'Europe/Berlin', []],
  ['a difference all year', 'Asia/Dubai', 'Asia/Karachi', [['2027-01-01T00:00', '2028-01-01T00:00', -60]]],
  ['summer time in one of two', 'America/Mazatlan', 'America/Denver', [['2027-03-14T09:00', '2027-11-07T08:00', -60]]],
  [
    'clock changes an hour apart',
    'America/New_York',
    'America/Chicago',
    [
      ['2027-01-01T00:00', '2027-03-14T07:00', 60],
      ['2027-03-14T07:00', '2027-03-14T08:00', 120],
      ['2027-03-14T08:00', '2027-11-07T06:00', 60],
      ['2027-11-07T07:00', '2028-01-01T00:00', 60],
    ],
  ],
] as const)('lists the periods in which two clocks differ: %s', (_, one, other, expected) => {
  const span = { from: utc('2027-01-01T00:00'), to: utc('2028-01-01T00:00') };
  const periods = expected.map(([from, to, minutes]) => ({ from: utc(from), to: utc(to), minutes }));
  expect(listOffsetDifferences(one, other, span)).toEqual(periods);
});

test('a country has its zones under all their names; one whose zones are unknown to the runtime has all', () => {
  expect(isZoneOfCountry('Asia/Kolkata', 'IN')).toBe(true);
  expect(isZoneOfCountry('Asia/Calcutta', 'IN')).toBe(true);
  expect(isZoneOfCountry('America/Atikokan', 'CA')).toBe(true);
  expect(isZoneOfCountry('America/Denver', 'MX')).toBe(false);
  expect(['XK', 'ZZ', '', 'x-1'].map((country) => isZoneOfCountry('Europe/Belgrade', country))).toEqual(
    Array(4).fill(true),
  );
  expect(() => isZoneOfCountry('Nowhere/Else', 'MX')).toThrow(new RangeError("unknown time zone: 'Nowhere/Else'"));
});
