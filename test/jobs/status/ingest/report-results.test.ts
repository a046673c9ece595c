import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLoadReport, type ReportEntry } from '#feeds/load-report.ts';
import { createBoundedRemarks } from '#jobs/status/ingest/report-results.ts';
import { createStatusReader, type FeedItem } from '#jobs/status/ingest/feed-readers.ts';
import { formatLine } from '../messages.ts';

const remark = (line: number, severity: ReportEntry['severity'], reason: string): ReportEntry => ({
  severity,
  line,
  value: `value ${line}`,
  reason,
  message: `line ${line} is odd`,
});

const many = (from: number, count: number, reason: string): readonly ReportEntry[] =>
  Array.from({ length: count }, (_, index) => remark(from + index, 'quarantined', reason));

test('lists up to ten thousand remarks unchanged, and each further severity and reason once, with its count', () => {
  const report = createLoadReport('test');
  const { add, finish } = createBoundedRemarks(report);
  const first = many(1, 9_999, 'no-such-flight');
  add(first.slice(0, 5_000));
  add(first.slice(5_000));
  add([
    ...many(10_000, 4, 'no-such-flight'),
    remark(10_004, 'corrected', 'out-of-order'),
    remark(10_005, 'quarantined', 'out-of-order'),
  ]);
  add(many(10_006, 2, 'no-such-flight'));
  finish();
  expect([report.entries.length, report.entries.slice(0, 9_999)]).toEqual([10_003, first]);
  const more = (count: number, { line, ...first }: ReportEntry): ReportEntry => ({
    ...first,
    line,
    message: `${count} more for this reason, starting here: line ${line} is odd`,
  });
  expect(report.entries.slice(9_999)).toEqual([
    remark(10_000, 'quarantined', 'no-such-flight'),
    more(5, remark(10_001, 'quarantined', 'no-such-flight')),
    more(1, remark(10_004, 'corrected', 'out-of-order')),
    more(1, remark(10_005, 'quarantined', 'out-of-order')),
  ]);
});

const itemsFrom = async (observedAt: string): Promise<readonly FeedItem[]> => {
  const line = formatLine('m', { observedAt, departure: { gate: 'B1' } });
  const read = createStatusReader(() => new Date('2026-06-01T12:00Z'));
  const items: readonly FeedItem[] = await Readable.from(read(Readable.from([Buffer.from(`${line}\n`)]))).toArray();
  return items;
};

test('at noon a message up to an hour ahead is accepted, a later one is rejected', async () => {
  const [item] = await itemsFrom('2026-06-01T13:00:00Z');
  expect([item?.message?.id, item?.entries]).toEqual(['m', []]);
  const entry = {
    severity: 'quarantined',
    line: 1,
    field: 'observedAt',
    value: '2026-06-01T13:00:01.000Z',
    reason: 'observed-in-the-future',
    message: 'observedAt is more than an hour ahead of the clock',
  };
  expect(await itemsFrom('2026-06-01T13:00:01Z')).toEqual([{ line: 1, message: undefined, entries: [entry] }]);
});
