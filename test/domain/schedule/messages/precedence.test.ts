import { expect, test } from 'vitest';
import { computeEffectiveTimes, listAmendmentsInForce } from '#domain/schedule/messages/precedence.ts';
import type { Amendment } from '#domain/schedule/messages/schedule-message.ts';
import { readAmendments } from '#test/feeds/schedule-messages/read-message-text.ts';
import { addDays, localDate, type LocalDate } from '#domain/time/dates.ts';

const today = localDate('2026-06-01');
const [{ subMessages }] = (await readAmendments('ASM\nCNL\nXX101/03JUN\n\n')) as [Amendment];
let id = 0;
const amendment = (
  group: string,
  receivedAt: number,
  rest: {
    readonly originator?: string;
    readonly sentAt?: number;
    readonly createdOn?: LocalDate;
    readonly fileCreatedOn?: LocalDate;
  } = {},
) => {
  id += 1;
  return { id, group, receivedAt, createdOn: today, subMessages, ...rest };
};

const permute = <T>(list: readonly T[]): readonly (readonly T[])[] =>
  list.length <= 1
    ? [list]
    : list.flatMap((one, index) => permute(list.toSpliced(index, 1)).map((others) => [one, ...others]));

test('orders by creation date, then by time, and the messages of one sender by number', () => {
  const ordered = [
    amendment('00009', 900, { createdOn: addDays(today, -1) }),
    amendment('00001', 300),
    amendment('00002', 100),
    amendment('', 200),
    amendment('00003', 400),
    amendment('', 500),
  ];
  for (const arrival of permute(ordered)) expect(listAmendmentsInForce(arrival)).toEqual(ordered);
});

test('compares the senders by the times of their origin lines', () => {
  const ordered = [
    amendment('00900', 9, { originator: 'AAAXAXX', sentAt: 1 }),
    amendment('00001', 8, { originator: 'BBBXAXX', sentAt: 2 }),
    amendment('', 7, { originator: 'AAAXAXX', sentAt: 3 }),
    amendment('00901', 6, { originator: 'AAAXAXX', sentAt: 4 }),
  ];
  for (const arrival of permute(ordered)) expect(listAmendmentsInForce(arrival)).toEqual(ordered);
});

test('leaves out what is older than the schedule file', () => {
  const fileCreatedOn = addDays(today, 1);
  const [older, same] = [
    amendment('1', 1, { fileCreatedOn }),
    amendment('1', 1, { fileCreatedOn, createdOn: fileCreatedOn }),
  ];
  expect(listAmendmentsInForce([older, same])).toEqual([same]);
  expect(listAmendmentsInForce([amendment('1', 1)], fileCreatedOn)).toEqual([]);
});

test('dates effects in ascending order, no later than any message that follows was received', () => {
  const ordered = [amendment('00001', 300), amendment('00002', 100), amendment('00003', 100)];
  const times = computeEffectiveTimes(ordered);
  expect(ordered.map((one) => times.get(one.id))).toEqual([98, 99, 100]);
});
