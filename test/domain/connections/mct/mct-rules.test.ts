import { describe, expect, test } from 'vitest';
import { findMctRule, computeMctRules } from '../../../../src/domain/connections/mct/mct-rules.ts';
import type { MctRecord } from '../../../../src/domain/connections/mct/mct-record.ts';
import { localDate as on } from '../../../../src/domain/time/dates.ts';
import { createMctRecord, createSuppression } from '../sample-flights.ts';

const rulesOf = (...records: readonly MctRecord[]) => computeMctRules(records, { status: 'II', minutes: 90 });
const always = { from: undefined, to: undefined, status: 'II', record: undefined, suppressedBy: undefined };

const standard = createMctRecord({ minutes: 45 });
const june = { from: on('2026-06-01'), to: on('2026-06-30') };
const inJune = createMctRecord({ minutes: 60, ...june });
const since = createMctRecord({ minutes: 60, from: on('2026-06-01') });
const until = createMctRecord({ minutes: 75, to: on('2026-06-10') });
const within = createMctRecord({ minutes: 30, from: on('2026-06-10'), to: on('2026-06-20') });
const noneInJune = createSuppression(june);
const before = { ...always, to: on('2026-05-31') };
const after = { ...always, from: on('2026-07-01') };
const during = { ...always, ...june };

test.each([
  ['no record: the default on all dates', [], [{ ...always, minutes: 90 }]],
  ['the first record without dates', [standard, inJune], [{ ...always, minutes: 45, record: standard }]],
  [
    'a dated record on its dates, both included, and another before and after',
    [inJune, standard],
    [
      { ...before, minutes: 45, record: standard },
      { ...during, minutes: 60, record: inJune },
      { ...after, minutes: 45, record: standard },
    ],
  ],
  [
    'records with an open date',
    [since, until],
    [
      { ...before, minutes: 75, record: until },
      { ...always, from: on('2026-06-01'), minutes: 60, record: since },
    ],
  ],
  [
    'no seam of a record that wins on no date',
    [since, within, standard],
    [
      { ...before, minutes: 45, record: standard },
      { ...always, from: on('2026-06-01'), minutes: 60, record: since },
    ],
  ],
  [
    'a suppression on some dates, whatever record sets the time',
    [noneInJune, standard],
    [
      { ...before, minutes: 45, record: standard },
      { ...during, minutes: 45, record: standard, suppressedBy: noneInJune },
      { ...after, minutes: 45, record: standard },
    ],
  ],
])('the rules have %s', (_, records, expected) => {
  expect(rulesOf(...records)).toEqual(expected);
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
