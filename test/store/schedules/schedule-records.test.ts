import fc from 'fast-check';
import { hash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { addDays, localDate, type LocalDate } from '#domain/time/dates.ts';
import { EVERY_DAY, operatesOn, type DaySet, type Period } from '#domain/time/period.ts';
import { countScheduleRecords, findScheduleRecord } from '#store/schedules/schedule-records.ts';
import { listScheduleRecords, deleteScheduleRecords } from '#store/schedules/schedule-records.ts';
import { insertScheduleRecords, type ScheduleRecordRow } from '#store/schedules/schedule-records.ts';
import type { RecordFilter } from '#store/schedules/schedule-records.ts';
import { sharedDatabase } from '#test/support/database.ts';

const { sql: db } = await sharedDatabase();
const start = localDate('2026-12-20');

type Drawn = Omit<ScheduleRecordRow, 'fingerprint' | 'doc'>;

const code = fc.integer({ min: 1, max: 4 });
const drawn: fc.Arbitrary<Drawn> = fc.record({
  designator: fc.constantFrom('9Q', 'XX', 'XXA', 'YY'),
  flightNumber: fc.integer({ min: 0, max: 12 }),
  legOrder: fc.integer({ min: 0, max: 3 }),
  period: fc
    .record({
      from: fc.integer({ min: 0, max: 40 }),
      length: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 40 })),
      days: fc.integer({ min: 1, max: EVERY_DAY }),
      everyWeeks: fc.constantFrom(1 as const, 2 as const),
    })
    .map(({ from, length, days, everyWeeks }): Period => ({
      from: addDays(start, from),
      to: addDays(start, from + length),
      days: days as DaySet,
      everyWeeks,
    })),
  segmentId: fc.constant(7),
  carrierId: code,
  departureId: code,
  arrivalId: code,
  lastDepartureId: code,
  serviceType: fc.constantFrom('J', 'F', 'G'),
});

const rowOf = (record: Drawn, index: number): ScheduleRecordRow => ({
  ...record,
  fingerprint: hash('sha256', `record ${index}`, 'buffer'),
  doc: `record ${index}, with a \\ and a\ttab`,
});

/** In the order of the list. */
const compare = (a: ScheduleRecordRow, b: ScheduleRecordRow): number =>
  Buffer.compare(Buffer.from(a.designator), Buffer.from(b.designator)) ||
  a.flightNumber - b.flightNumber ||
  a.period.from - b.period.from ||
  a.legOrder - b.legOrder ||
  Buffer.compare(a.fingerprint, b.fingerprint);

/** The rule of the contract, date by date. */
const isMatch =
  (filter: RecordFilter) =>
  (row: ScheduleRecordRow): boolean => {
    const has = <T>(list: readonly T[] | undefined, value: T): boolean => list?.includes(value) ?? true;
    const datesIn = ({ from, to }: NonNullable<RecordFilter['departs']>): readonly LocalDate[] =>
      Array.from({ length: to - from + 1 }, (_, index) => addDays(from, index));
    const { departs } = filter;
    const matchesDates =
      departs === undefined ||
      datesIn(departs).some((date) => operatesOn(row.period, date)) ||
      (filter.orStarts === true && row.period.from >= departs.from && row.period.from <= departs.to);
    return (
      matchesDates &&
      has(filter.departures, row.departureId) &&
      has(filter.arrivals, row.arrivalId) &&
      has(filter.carriers, row.carrierId) &&
      has(filter.serviceTypes, row.serviceType) &&
      (filter.flightNumber === undefined || filter.flightNumber === row.flightNumber)
    );
  };

const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 1 });
const span = fc
  .record({ from: fc.integer({ min: -5, max: 90 }), length: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 })) })
  .map(({ from, length }) => ({ from: addDays(start, from), to: addDays(start, from + length) }));
const anyFilter: fc.Arbitrary<RecordFilter> = fc.record({
  departures: some(fc.uniqueArray(code, { maxLength: 2 })),
  arrivals: some(fc.uniqueArray(code, { maxLength: 2 })),
  carriers: some(fc.uniqueArray(code, { maxLength: 2 })),
  flightNumber: some(fc.integer({ min: 0, max: 13 })),
  serviceTypes: some(fc.uniqueArray(fc.constantFrom('J', 'F', 'G', 'C'), { maxLength: 3 })),
  departs: some(span),
  orStarts: fc.boolean(),
});
const datesOnly: fc.Arbitrary<RecordFilter> = fc.record({ departs: span, orStarts: fc.boolean() });

describe('records of every kind of period', () => {
  const rows = fc.sample(drawn, { numRuns: 600, seed: 20_261_121 }).map(rowOf).toSorted(compare);
  beforeAll(async () => {
    // In an order other than that of the list.
    const loaded = rows.toSorted((a, b) => Buffer.compare(a.fingerprint, b.fingerprint));
    await db.begin((sql) => insertScheduleRecords(sql, loaded));
  });

  const docs = async (filter: RecordFilter, reach: Partial<Parameters<typeof listScheduleRecords>[2]> = {}) => {
    const records = await listScheduleRecords(db, filter, { limit: 1000, withSeats: false, ...reach });
    return records.map(({ doc }) => doc.toString());
  };

  test.each([
    ['any filters', anyFilter, 150],
    ['dates alone', datesOnly, 300],
  ])('are found, counted and ordered by the rule: %s', async (_, queries, numRuns) => {
    await fc.assert(
      fc.asyncProperty(queries, async (filter) => {
        const expected = rows.filter(isMatch(filter)).map(({ doc }) => doc);
        expect(await docs(filter)).toEqual(expected);
        expect(await docs(filter, { backwards: true })).toEqual(expected.toReversed());
        expect(await countScheduleRecords(db, filter)).toBe(expected.length);
      }),
      { numRuns },
    );
  });

  test('are read from any one of them on, in either direction, that one included', async () => {
    const all = await listScheduleRecords(db, {}, { limit: 1000, withSeats: false });
    const texts = rows.map(({ doc }) => doc);
    for (let index = 0; index < all.length; index += 7) {
      const reach = { from: all[index]?.position, limit: 5 };
      const before = texts.slice(Math.max(0, index - 4), index + 1);
      expect(await docs({}, reach)).toEqual(texts.slice(index, index + 5));
      expect(await docs({}, { ...reach, backwards: true })).toEqual(before.toReversed());
    }
  });

  test('are found by their fingerprint only', async () => {
    const [{ fingerprint, doc, carrierId: carrier, flightNumber, lastDepartureId: departure, arrivalId: arrival }] =
      rows as [ScheduleRecordRow];
    const performance = { carrier, flightNumber, departure, arrival };
    const found = { doc: Buffer.from(doc), performance, seats: undefined };
    expect(await findScheduleRecord(db, fingerprint)).toMatchObject(found);
    expect(await findScheduleRecord(db, hash('sha256', 'unknown', 'buffer'))).toBeUndefined();
  });
});

test('the records of a designator are deleted with their documents, and others stay', async () => {
  await db`truncate schedule_record, schedule_document restart identity cascade`;
  const rows = fc.sample(drawn, { numRuns: 50, seed: 1 }).map(rowOf);
  await db.begin((sql) => insertScheduleRecords(sql, rows));
  await db.begin((sql) => deleteScheduleRecords(sql, ['XX', 'YY']));
  const remaining = rows.filter(({ designator }) => designator === '9Q' || designator === 'XXA');
  const documents = await db<{ doc: string }[]>`select doc from schedule_document order by id`;
  expect(documents.map(({ doc }) => doc)).toEqual(remaining.map(({ doc }) => doc));
  expect(await countScheduleRecords(db, {})).toBe(remaining.length);
});
