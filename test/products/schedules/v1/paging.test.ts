import { hash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import type { SchedulePage } from '#generated/schedules/v1/types.gen.ts';
import { addDays, localDate } from '#domain/time/dates.ts';
import { toKeyOrder } from '#domain/schedule/keys.ts';
import { EVERY_DAY } from '#domain/time/period.ts';
import { analyzeScheduleRecords, insertScheduleRecords } from '#store/schedules/schedule-records.ts';
import { pathOf } from '#test/products/responses.ts';
import { serveTinyWorld } from '#test/support/tiny-world.ts';
import { sharedService } from '#test/support/shared-service.ts';

/**
 * 20 designators of 250 numbers with four records each, two of which begin on the same day. Limits below 1000 page over some of them.
 * `WALK_ALL=1 npm run -s test -- test/products/schedules` pages over 100 designators with every limit in six minutes.
 */
const ALL = process.env['WALK_ALL'] === '1';

const DESIGNATORS = ALL ? 100 : 20;
const RECORDS_EACH = 1000;
const start = localDate('2026-12-01');

/** `A0` to `J9`, in the order of the list. */
const designatorOf = (index: number): string => `${String.fromCharCode(65 + Math.floor(index / 10))}${index % 10}`;

type Row = Parameters<typeof insertScheduleRecords>[1] extends Iterable<infer R> ? R : never;

const rowOf = (carrier: number, index: number, salt = ''): Row => {
  const fingerprint = hash('sha256', `${carrier}|${index}|${salt}`, 'buffer');
  const from = addDays(start, [0, 30, 30, 60][index % 4] ?? 0);
  return {
    fingerprint,
    designator: designatorOf(carrier),
    flightNumber: Math.floor(index / 4) + 1,
    period: { from, to: addDays(from, 29), days: EVERY_DAY, everyWeeks: 1 },
    segmentId: 1,
    carrierId: carrier,
    departureId: 1,
    arrivalId: 2,
    // Of the two, one comes first by its leg at every other number, and by its fingerprint at the others.
    legOrder: index % 8 === 1 ? 0 : 1,
    lastDepartureId: 1,
    serviceType: index % 25 === 3 ? 'F' : 'J',
    doc: `{"serviceSuffix":"${salt}","fingerprint":"${fingerprint.toString('hex')}","onTimePerformance":{"observed":`,
  };
};

const inOrder = (a: Row, b: Row): number => {
  if (a.designator !== b.designator) return a.designator < b.designator ? -1 : 1;
  const byNumber = a.flightNumber - b.flightNumber || a.period.from - b.period.from || a.legOrder - b.legOrder;
  return byNumber || (toKeyOrder(a.fingerprint) < toKeyOrder(b.fingerprint) ? -1 : 1);
};

const rows = Array.from({ length: DESIGNATORS * RECORDS_EACH }, (_, index) =>
  rowOf(Math.floor(index / RECORDS_EACH), index % RECORDS_EACH),
).toSorted(inOrder);
const hex = ({ fingerprint }: Row): string => fingerprint.toString('hex');

const world = sharedService(serveTinyWorld);
beforeAll(async () => {
  await world.db.begin((sql) => insertScheduleRecords(sql, rows));
  await analyzeScheduleRecords(world.db);
});

type Read = {
  readonly digest: string;
  readonly fingerprints: readonly string[];
  readonly paging: SchedulePage['paging'];
};

const read = async (url: string): Promise<Read> => {
  const text = await (await world.get(pathOf(url))).text();
  const { data, paging }: SchedulePage = JSON.parse(text);
  return { digest: hash('sha256', text), fingerprints: data.map(({ fingerprint }) => fingerprint), paging };
};

type Way = 'next' | 'previous';

const listPages = async (
  url: string,
  way: Way,
  duringRequest: (pages: readonly Read[]) => Promise<void> = async () => {},
): Promise<readonly Read[]> => {
  const pages: Read[] = [];
  for (let to: string | undefined = url; to !== undefined; to = pages.at(-1)?.paging[way]) {
    const [one] = await Promise.all([read(to), duringRequest(pages)]);
    pages.push(one);
  }
  return pages;
};

const listFingerprints = (pages: readonly Read[]): readonly string[] =>
  pages.flatMap(({ fingerprints }) => fingerprints);

const asText = (list: readonly string[]): string => list.join('\n');

const walks: readonly (readonly [number, string, (row: Row) => boolean])[] = ALL
  ? [1000, 100, 7, 1].map((limit) => [limit, '', () => true])
  : [
      [1000, '', () => true],
      [100, '&ServiceType=F', ({ serviceType }) => serviceType === 'F'],
      [7, '&ServiceType=F', ({ serviceType }) => serviceType === 'F'],
      [1, '&FlightNumber=17', ({ flightNumber }) => flightNumber === 17],
    ];

test.each(walks)(
  'with Limit=%i each record%s is returned once and in order, and the walk back returns the same pages, byte for byte',
  async (limit, filter, isExpected) => {
    const expected = rows.filter(isExpected);
    const forwards = await listPages(`/flights?Limit=${limit}${filter}&version=v1`, 'next');
    expect(asText(listFingerprints(forwards))).toBe(asText(expected.map(hex)));
    expect(forwards).toHaveLength(Math.ceil(expected.length / limit));
    const paging = forwards.at(-1)?.paging;
    expect(paging).toMatchObject({ limit, totalCount: expected.length, totalPages: forwards.length });
    const backwards = await listPages(paging?.previous ?? '', 'previous');
    const digestsOf = (pages: readonly Read[]): string => asText(pages.map(({ digest }) => digest));
    expect(digestsOf(backwards.toReversed())).toBe(digestsOf(forwards.slice(0, -1)));
  },
  ALL ? 1_200_000 : 120_000,
);

test('each record that stays is returned once and in order, both ways, while others are inserted and deleted', async () => {
  const staying = rows.filter(({ flightNumber }) => flightNumber === 17);
  const others = Array.from({ length: 3000 }, (_, index) =>
    rowOf((index * 37) % DESIGNATORS, 64 + (index % 4), `${index}`),
  );
  let present: readonly Row[] = [];
  /** Inserts ten others all over the list, and deletes some that the walk has passed: the record of the cursor must stay. */
  const disturb = async (pages: readonly Read[]): Promise<void> => {
    const passed = new Set(listFingerprints(pages.slice(0, -1)));
    const removed = present.filter((other) => passed.has(hex(other))).slice(0, 8);
    const added = others.splice(0, 10);
    present = [...present.filter((other) => !removed.includes(other)), ...added];
    await world.db.begin(async (sql) => {
      const keys = removed.map(({ fingerprint }) => String(toKeyOrder(fingerprint)));
      await sql`delete from schedule_record where key_order = any(${keys}::bigint[])`;
      await insertScheduleRecords(sql, added);
    });
  };
  const check = (pages: readonly Read[]): void => {
    const seen = listFingerprints(pages);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThan(staying.length);
    const stays = new Set(staying.map(hex));
    expect(asText(seen.filter((fingerprint) => stays.has(fingerprint)))).toBe(asText([...stays]));
  };
  const forwards = await listPages('/flights?Limit=7&FlightNumber=17', 'next', disturb);
  check(forwards);
  const last = forwards.slice(-1);
  const backwards = await listPages(last[0]?.paging.previous ?? '', 'previous', disturb);
  check([...backwards.toReversed(), ...last]);
});
