import { describe, expect, test } from 'vitest';
import { findMctRule, computeMctRules } from '../../../../src/domain/connections/mct/mct-rules.ts';
import type { MctRecord } from '../../../../src/domain/connections/mct/mct-record.ts';
import { formatDate, localDate as on } from '../../../../src/domain/time/dates.ts';
import { createMctRecord, createSuppression } from '../sample-flights.ts';

const rulesOf = (...records: readonly MctRecord[]) => computeMctRules(records, { status: 'II', minutes: 90 });

/** All that a rule contains: its dates, status, minutes and the lines of its records. */
type Rule = ReturnType<typeof rulesOf>[number];
const describeRule = ({ from, to, status, minutes, record, suppressedBy }: Rule): string => {
  const [first, last] = [from, to].map((date) => (date === undefined ? '' : formatDate(date)));
  const suppressed = suppressedBy ? `, suppressed by line ${suppressedBy.line}` : '';
  return `${first}..${last} ${status} ${minutes} by line ${record?.line}${suppressed}`;
};

const standard = createMctRecord({ line: 1, minutes: 45 });
const june = { from: on('2026-06-01'), to: on('2026-06-30') };
const inJune = createMctRecord({ line: 2, minutes: 60, ...june });
const since = createMctRecord({ line: 3, minutes: 60, from: on('2026-06-01') });
const until = createMctRecord({ line: 4, minutes: 75, to: on('2026-06-10') });
const within = createMctRecord({ line: 5, minutes: 30, from: on('2026-06-10'), to: on('2026-06-20') });
const noneInJune = createSuppression({ line: 6, ...june });

test.each([
  ['no record: the default on all dates', [], ['.. II 90 by line undefined']],
  ['the first record without dates', [standard, inJune], ['.. II 45 by line 1']],
  [
    'a dated record on its dates, both included, and another before and after',
    [inJune, standard],
    ['..2026-05-31 II 45 by line 1', '2026-06-01..2026-06-30 II 60 by line 2', '2026-07-01.. II 45 by line 1'],
  ],
  ['open dates', [since, until], ['..2026-05-31 II 75 by line 4', '2026-06-01.. II 60 by line 3']],
  [
    'no seam of a record that never wins',
    [since, within, standard],
    ['..2026-05-31 II 45 by line 1', '2026-06-01.. II 60 by line 3'],
  ],
  [
    'a suppression on some dates, whatever record sets the time',
    [noneInJune, standard],
    [
      '..2026-05-31 II 45 by line 1',
      '2026-06-01..2026-06-30 II 45 by line 1, suppressed by line 6',
      '2026-07-01.. II 45 by line 1',
    ],
  ],
])('the rules have %s', (_, records, expected) => {
  expect(rulesOf(...records).map(describeRule)).toEqual(expected);
});

test('finds the rule of a date', () => {
  const dates = ['2026-05-31', '2026-06-01', '2026-06-30', '2026-07-01'];
  const rules = rulesOf(inJune, standard);
  expect(dates.map((date) => findMctRule(rules, on(date))?.minutes)).toEqual([45, 60, 60, 45]);
});

describe('a suppression', () => {
  const forbidden = createSuppression();
  const lifted = createMctRecord({ suppression: 'N', minutes: undefined });
  const liftedTo100 = createMctRecord({ suppression: 'N', minutes: 100 });

  test.each([
    ['is not lifted by a time, however specific', [standard, forbidden], ['45 suppressed']],
    ['is lifted by an N that wins over it', [lifted, forbidden], ['90']],
    ['is not lifted by an N that it wins over', [forbidden, lifted], ['90 suppressed']],
    ['is lifted by an N without a time, which leaves the time', [lifted, standard, forbidden], ['45']],
    ['is lifted by an N with a time, which sets the time', [liftedTo100, forbidden, standard], ['100']],
    ['is lifted by an N whose time another record wins over', [standard, liftedTo100, forbidden], ['45']],
    ['can have the time of an N that does not lift it', [forbidden, liftedTo100, standard], ['100 suppressed']],
    [
      'can be lifted on some dates, with a time of those dates',
      [createMctRecord({ suppression: 'N', minutes: 100, ...june }), forbidden, standard],
      ['45 suppressed', '100', '45 suppressed'],
    ],
  ])('%s', (_, records, expected) => {
    const texts = rulesOf(...records).map(
      ({ minutes, suppressedBy }) => `${minutes}${suppressedBy ? ' suppressed' : ''}`,
    );
    expect(texts).toEqual(expected);
  });
});
