import { expect, test } from 'vitest';
import { formatDate, parseDate } from '../../src/domain/dates.ts';

test.each(['0001-01-01', '0099-12-31', '0100-03-01', '1970-01-01', '2024-02-29', '9999-12-31'])(
  'the date %s is itself again when it is written',
  (text) => {
    const date = parseDate(text);
    expect(date === undefined ? undefined : formatDate(date)).toBe(text);
  },
);

test.each(['2023-02-29', '2027-13-01', '2027-00-10', '2027-04-31', '2027-4-01'])('%s is no date', (text) => {
  expect(parseDate(text)).toBeUndefined();
});
