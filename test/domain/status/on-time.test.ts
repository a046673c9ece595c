import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { addCounts, countFlight, emptyOnTimeCounts, toOnTimePerformance } from '#domain/status/on-time.ts';
import { computePercentage, computePunctuality } from '#domain/status/on-time.ts';
import type { OnTimeCounts, Punctuality } from '#domain/status/on-time.ts';
import { secondToMinute } from '#domain/status/instants.ts';
import { toInstant, computeReportedView } from './observations.ts';

/** The flight of these tests leaves London at 10:00 and is due in New York at 18:00 UTC. */
const scheduled = { out: secondToMinute(toInstant('10:00')), in: secondToMinute(toInstant('18:00')) };

const punctuality = (...messages: readonly string[]): Punctuality | undefined =>
  computePunctuality(computeReportedView(...messages), scheduled);

const flown = '23:00 actualOut=10:00 actualIn=18:00';
const out = '10:02 actualOut=10:00';
const diversion = '12:00 1.airport=paris';
const onTime: Punctuality = { end: 'arrivedOnTime', departedOnTime: true };
const cancelled: Punctuality = { end: 'cancelled', departedOnTime: false };
const diverted: Punctuality = { end: 'diverted', departedOnTime: true };

test.each([
  ['09:45', '17:30', onTime],
  ['10:14:59', '18:14:59', onTime],
  ['10:15', '18:14:59', { end: 'arrivedOnTime', departedOnTime: false }],
  ['10:14:59', '18:15', { end: 'arrivedLate', departedOnTime: true }],
  ['12:00', '20:00', { end: 'arrivedLate', departedOnTime: false }],
])('on time is less than 15 minutes after schedule: out at %s, in at %s', (departure, arrival, expected) => {
  expect(punctuality(`23:00 actualOut=${departure} actualIn=${arrival}`)).toEqual(expected);
});

test.each([
  ['without a message', []],
  ['with an estimate', ['23:00 estimatedIn=18:00']],
  ['that left', ['23:00 actualOut=10:00 actualOff=10:15']],
  ['that landed', ['23:00 actualOut=10:00 actualOn=17:55']],
  ['with a withdrawn gate time', [flown, '23:10 actualIn=null']],
  ['with a gate time that contradicts a newer time', [flown, '23:10 actualOn=18:30']],
  ['with a withdrawn diversion', [out, diversion, '13:00 1.airport=null']],
])('a flight %s does not count yet', (_, messages) => {
  expect(punctuality(...messages)).toBeUndefined();
});

test('a flight does not count while its scheduled arrival is unknown', () => {
  expect(computePunctuality(computeReportedView(flown), { ...scheduled, in: undefined })).toBeUndefined();
});

const ended = '1.airport=paris 1.actualOn=12:00';

test.each<[string, readonly string[], Punctuality]>([
  ['at the gate, without a departure time', ['23:00 actualIn=18:00'], { ...onTime, departedOnTime: undefined }],
  ['cancelled', ['09:00 cancelled=true'], cancelled],
  ['cancelled after it left the gate', [out, '10:30 cancelled=true'], cancelled],
  ['cancelled after a return', ['11:00 actualOff=10:10 cancelled=true 1.airport=london 1.actualOn=11:00'], cancelled],
  ['cancelled and flown', ['09:00 cancelled=true', flown], onTime],
  ['diverted where it ended', [out, `12:01 ${ended} 1.continues=false`], diverted],
  ['diverted, on time at its destination', [out, `18:10 actualIn=18:05 ${ended} 1.actualOff=12:40`], diverted],
  ['diverted to an unknown airport', [out, '12:01 1.continues=false'], diverted],
  ['not diverted after all', [out, diversion, '13:00 1.airport=null', '18:10 actualIn=18:05'], onTime],
])('the punctuality of a flight %s', (_, messages, expected) => {
  expect(punctuality(...messages)).toEqual(expected);
});

const punctualities = fc.array(
  fc.record({
    end: fc.constantFrom('arrivedOnTime', 'arrivedLate', 'cancelled', 'diverted'),
    departedOnTime: fc.constantFrom(true, false, undefined),
  }),
);

const tallied = (flights: readonly Punctuality[]): OnTimeCounts => {
  const tally = { ...emptyOnTimeCounts };
  for (const flight of flights) countFlight(tally, flight);
  return tally;
};

test('every flight counts in one of four ways, and groups add up', () => {
  fc.assert(
    fc.property(punctualities, fc.nat(), (flights, cut) => {
      const counts = tallied(flights);
      const { arrivedOnTime, arrivedLate, cancelled, diverted } = counts;
      expect(arrivedOnTime + arrivedLate + cancelled + diverted).toBe(flights.length);
      expect(counts.flights).toBe(flights.length);
      expect(counts.departedOnTime).toBe(flights.filter(({ departedOnTime }) => departedOnTime).length);
      expect(counts.departures).toBe(flights.filter(({ departedOnTime }) => departedOnTime !== undefined).length);
      const at = cut % (flights.length + 1);
      expect(addCounts(tallied(flights.slice(at)), tallied(flights.slice(0, at)))).toEqual(counts);
      expect(tallied(flights.toReversed())).toEqual(counts);
    }),
  );
});

describe('a percentage has two decimals, half up', () => {
  test.each([
    [0, 7, 0],
    [7, 7, 100],
    [1, 3, 33.33],
    [2, 3, 66.67],
    [1, 8, 12.5],
    [1, 800, 0.13],
    [1, 1600, 0.06],
    // By floating-point numbers 1.005 % would become 1.00 %.
    [201, 20_000, 1.01],
    [19_999, 20_000, 100],
  ])('%i of %i is %d', (part, whole, expected) => {
    expect(computePercentage(part, whole)).toBe(expected);
  });

  test('for every part of a whole, to the last digit', () => {
    const shares = fc
      .oneof(fc.integer({ min: 1, max: 2 ** 38 }), fc.integer({ min: 1, max: 2000 }))
      .chain((whole) => fc.tuple(fc.integer({ min: 0, max: whole }), fc.constant(whole)));
    fc.assert(
      fc.property(shares, ([part, whole]) => {
        const tenThousandths = (BigInt(part) * 1_000_000n) / BigInt(whole);
        const rounded = (tenThousandths + 50n) / 100n;
        const [integer, decimals] = [rounded / 100n, String(rounded % 100n).padStart(2, '0')];
        expect(computePercentage(part, whole)).toBe(Number(`${integer}.${decimals}`));
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    [1, 0],
    [-1, 3],
    [4, 3],
    [0.5, 3],
    [1, 2 ** 39],
  ])('%d of %d has no percentage', (part, whole) => {
    expect(() => computePercentage(part, whole)).toThrow(`${part} of ${whole} is not a valid share`);
  });
});

test('returns shares, sample, period and rule', () => {
  const departures = { departures: 6, departedOnTime: 5 };
  const counts = { flights: 7, ...departures, arrivedOnTime: 4, arrivedLate: 1, cancelled: 1, diverted: 1 };
  expect(toOnTimePerformance(counts, { from: localDate('2026-06-01'), to: localDate('2026-06-09') })).toEqual({
    onTimePercentage: 57.14,
    latePercentage: 14.29,
    cancelledPercentage: 14.29,
    divertedPercentage: 14.29,
    departedOnTimePercentage: 83.33,
    flights: 7,
    departures: 6,
    period: { startDate: '2026-06-01', endDate: '2026-06-09' },
    rule: 'D15/A14',
  });
});

test('the share of departures is null without a known departure', () => {
  const day = localDate('2026-06-01');
  const counts = { ...emptyOnTimeCounts, flights: 2, arrivedOnTime: 2 };
  const performance = toOnTimePerformance(counts, { from: day, to: day });
  expect(performance).toMatchObject({ departedOnTimePercentage: null, departures: 0 });
});
