import fc from 'fast-check';
import { expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { toKeyOrder, computeRecordFingerprint, computeScheduleKey } from '#domain/schedule/keys.ts';
import { compareVariations, computeStatusKey } from '#domain/schedule/keys.ts';
import { toDaySet, EVERY_DAY } from '#domain/time/period.ts';

const designator = { carrier: 'ZX', flightNumber: 101, suffix: '' };
const identity = { designator, date: localDate('2027-03-01'), board: 'LHR', off: 'JFK', occurrence: 1 };

test('a key equals the one in the contract for that flight', () => {
  const keys = [computeScheduleKey(identity), computeStatusKey(identity)].map((key) => key.toString('hex'));
  expect(keys).toEqual([
    'd9b59ed4e0a47b651cc524aaa2272a9b9d4089355a45cccb4bf7e3d056c1e1a7',
    '9535cd15b450e61dad6f3aeed1f127256fdcb366878f614abc34a653d033254b',
  ]);
});

test.each([
  ['another suffix', { designator: { carrier: 'ZX', flightNumber: 101, suffix: 'A' } }],
  ['another date', { date: localDate('2027-03-02') }],
  ['another off point', { off: 'BOS' }],
  ['a second departure the same day', { occurrence: 2 }],
])('the key changes with %s', (_, other) => {
  expect(computeScheduleKey({ ...identity, ...other })).not.toEqual(computeScheduleKey(identity));
});

const { date: _, ...route } = identity;
const winter = { from: localDate('2026-10-25'), to: localDate('2027-03-27') };
const record = { ...route, period: { ...winter, days: EVERY_DAY, everyWeeks: 1 } } as const;

test('a fingerprint equals the one in the contract for that record', () => {
  const fingerprint = 'c193cf74c0405292e163dafb7519cde7a08ac0794c32073ba14c827d030fd0b2';
  expect(computeRecordFingerprint(record).toString('hex')).toBe(fingerprint);
});

test.each([
  ['another number', { designator: { carrier: 'ZX', flightNumber: 102, suffix: '' } }],
  ['another suffix', { designator: { carrier: 'ZX', flightNumber: 101, suffix: 'A' } }],
  ['another off point', { off: 'BOS' }],
  ['another first day', { period: { ...record.period, from: localDate('2026-10-26') } }],
  ['another last day', { period: { ...record.period, to: localDate('2027-03-26') } }],
  ['other days', { period: { ...record.period, days: toDaySet(1, 2) } }],
  ['every other week', { period: { ...record.period, everyWeeks: 2 } as const }],
  ['a second record that is otherwise equal', { occurrence: 2 }],
])('the fingerprint changes with %s', (_, other) => {
  expect(computeRecordFingerprint({ ...record, ...other })).not.toEqual(computeRecordFingerprint(record));
});

test('keys sort by their order number as by their text', () => {
  const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));
  fc.assert(
    fc.property(key, key, (a, b) => {
      if (a.subarray(0, 8).equals(b.subarray(0, 8))) return;
      expect(toKeyOrder(a) < toKeyOrder(b)).toBe(a.toString('hex') < b.toString('hex'));
    }),
    { seed: 20260601 },
  );
});

test('segments of a designator are ordered by itinerary variation, then by leg sequence', () => {
  const at = (itinerary: number, sequence: number) => ({ itinerary, sequence });
  const segments = [at(2, 1), at(1, 3), at(1, 1), at(1, 2)];
  expect(segments.toSorted(compareVariations)).toEqual([at(1, 1), at(1, 2), at(1, 3), at(2, 1)]);
});
