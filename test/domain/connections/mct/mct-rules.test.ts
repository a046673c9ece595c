import { describe, expect, test } from 'vitest';
import { findMctRule, computeMctRules } from '../../../../src/domain/connections/mct/mct-rules.ts';
import { localDate } from '../../../../src/domain/time/dates.ts';
import { createMctRecord, createSuppression } from '../sample-flights.ts';

const byDefault = { status: 'II', minutes: 90 } as const;
const on = localDate;
const always = { from: undefined, to: undefined, status: 'II' } as const;

test('without a record the default holds on all dates', () => {
  expect(computeMctRules([], byDefault)).toEqual([
    { ...always, minutes: 90, record: undefined, suppressedBy: undefined },
  ]);
});

test('the first record wins, and gives one rule when it has no dates', () => {
  const [best, worse] = [createMctRecord({ minutes: 45 }), createMctRecord({ minutes: 30, from: on('2026-06-01') })];
  expect(computeMctRules([best, worse], byDefault)).toEqual([
    { ...always, minutes: 45, record: best, suppressedBy: undefined },
  ]);
});

describe('dates', () => {
  const summer = createMctRecord({ minutes: 60, from: on('2026-06-01'), to: on('2026-08-31') });
  const standard = createMctRecord({ minutes: 45 });

  test('a dated record holds on its dates, both included, and another before and after', () => {
    expect(computeMctRules([summer, standard], byDefault)).toEqual([
      { ...always, to: on('2026-05-31'), minutes: 45, record: standard, suppressedBy: undefined },
      { ...always, from: on('2026-06-01'), to: on('2026-08-31'), minutes: 60, record: summer, suppressedBy: undefined },
      { ...always, from: on('2026-09-01'), minutes: 45, record: standard, suppressedBy: undefined },
    ]);
  });

  test('either date can be open', () => {
    const since = createMctRecord({ minutes: 60, from: on('2026-06-01') });
    const until = createMctRecord({ minutes: 75, to: on('2026-06-10') });
    expect(computeMctRules([since, until], byDefault)).toEqual([
      { ...always, to: on('2026-05-31'), minutes: 75, record: until, suppressedBy: undefined },
      { ...always, from: on('2026-06-01'), minutes: 60, record: since, suppressedBy: undefined },
    ]);
  });

  test('records that win on no date leave no seam', () => {
    const within = createMctRecord({ minutes: 30, from: on('2026-07-01'), to: on('2026-07-31') });
    expect(computeMctRules([summer, within, standard], byDefault).map(({ minutes }) => minutes)).toEqual([45, 60, 45]);
  });

  test('finds the rule of a date', () => {
    const rules = computeMctRules([summer, standard], byDefault);
    expect(
      ['2026-05-31', '2026-06-01', '2026-08-31', '2026-09-01'].map((date) => findMctRule(rules, on(date))?.minutes),
    ).toEqual([45, 60, 60, 45]);
  });
});

describe('suppression', () => {
  const forbidden = createSuppression();
  const lifted = createMctRecord({ suppression: 'N', minutes: undefined });
  const liftedWithTime = createMctRecord({ suppression: 'N', minutes: 100 });
  const time = createMctRecord({ minutes: 45 });
  const outcome = (...records: readonly Parameters<typeof createMctRecord>[0][]) =>
    computeMctRules(
      records.map((record) => createMctRecord(record)),
      byDefault,
    ).map(({ minutes, suppressedBy }) => [minutes, suppressedBy !== undefined]);

  test('is independent of times: a time does not lift it, however specific', () => {
    expect(computeMctRules([time, forbidden], byDefault)).toEqual([
      { ...always, minutes: 45, record: time, suppressedBy: forbidden },
    ]);
  });

  test('is lifted only by an N that wins over it', () => {
    expect(outcome(lifted, forbidden)).toEqual([[90, false]]);
    expect(outcome(forbidden, lifted)).toEqual([[90, true]]);
    expect(outcome(lifted, time, forbidden)).toEqual([[45, false]]);
  });

  test('an N with a time lifts the suppression and sets the time', () => {
    expect(outcome(liftedWithTime, forbidden, time)).toEqual([[100, false]]);
    expect(outcome(time, liftedWithTime, forbidden)).toEqual([[45, false]]);
    expect(outcome(forbidden, liftedWithTime, time)).toEqual([[100, true]]);
  });

  test('can hold on some dates', () => {
    const inJune = createSuppression({ from: on('2026-06-01'), to: on('2026-06-30') });
    expect(computeMctRules([inJune, time], byDefault)).toEqual([
      { ...always, to: on('2026-05-31'), minutes: 45, record: time, suppressedBy: undefined },
      { ...always, from: on('2026-06-01'), to: on('2026-06-30'), minutes: 45, record: time, suppressedBy: inJune },
      { ...always, from: on('2026-07-01'), minutes: 45, record: time, suppressedBy: undefined },
    ]);
  });

  test('can be lifted on some dates, with a time of those dates', () => {
    const inJune = createMctRecord({ suppression: 'N', minutes: 100, from: on('2026-06-01'), to: on('2026-06-30') });
    expect(outcome(inJune, forbidden, time)).toEqual([
      [45, true],
      [100, false],
      [45, true],
    ]);
  });
});
