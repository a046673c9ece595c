import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localDate } from '../../../src/domain/time/dates.ts';
import {
  addCounts,
  countFlight,
  emptyOnTimeCounts,
  toOnTimePerformance,
  computePercentage,
  computePunctuality,
  type OnTimeCounts,
  type Punctuality,
} from '../../../src/domain/status/on-time.ts';
import { secondToMinute } from '../../../src/domain/status/instants.ts';
import type { Observation } from '../../../src/domain/status/observed-flight.ts';
import { toInstant, locationIds, createObservation, computeView } from './observations.ts';
import { createRandomNumbers, createRandomMessages, shuffle } from './random-messages.ts';

/** The flight of these tests leaves London at 10:00 and is due in New York at 18:00 UTC. */
const scheduled = { out: secondToMinute(toInstant('10:00')), in: secondToMinute(toInstant('18:00')) };

const punctuality = (...messages: readonly Observation[]): Punctuality | undefined =>
  computePunctuality(computeView(...messages), scheduled);

const flown = (out: string, arrived: string): Observation =>
  createObservation('23:00', { actualOut: toInstant(out), actualIn: toInstant(arrived) });

describe('on time is less than 15 minutes after schedule', () => {
  test.each([
    ['09:45', '17:30', { end: 'arrivedOnTime', departedOnTime: true }],
    ['10:14:59', '18:14:59', { end: 'arrivedOnTime', departedOnTime: true }],
    ['10:15', '18:14:59', { end: 'arrivedOnTime', departedOnTime: false }],
    ['10:14:59', '18:15', { end: 'arrivedLate', departedOnTime: true }],
    ['12:00', '20:00', { end: 'arrivedLate', departedOnTime: false }],
  ])('out at %s, in at %s', (out, arrived, expected) => {
    expect(punctuality(flown(out, arrived))).toEqual(expected);
  });
});

describe('a flight counts once its end is known', () => {
  test.each([
    ['nothing', {}],
    ['an estimate', { estimatedIn: toInstant('18:00') }],
    ['that it left', { actualOut: toInstant('10:00'), actualOff: toInstant('10:15') }],
    ['that it landed', { actualOut: toInstant('10:00'), actualOn: toInstant('17:55') }],
  ])('not when %s is known', (_, facts) => {
    expect(punctuality(createObservation('23:00', facts))).toBeUndefined();
  });

  test('at the gate; without a departure time its departure punctuality is unknown', () => {
    expect(punctuality(createObservation('23:00', { actualIn: toInstant('18:00') }))).toEqual({
      end: 'arrivedOnTime',
      departedOnTime: undefined,
    });
  });

  test('not by a withdrawn gate time, nor by one that contradicts a newer one', () => {
    expect(punctuality(flown('10:00', '18:00'), createObservation('23:10', { actualIn: null }))).toBeUndefined();
    expect(
      punctuality(flown('10:00', '18:00'), createObservation('23:10', { actualOn: toInstant('18:30') })),
    ).toBeUndefined();
  });

  test('not at the gate while its scheduled arrival is unknown', () => {
    const view = computeView(flown('10:00', '18:00'));
    expect(computePunctuality(view, { ...scheduled, in: undefined })).toBeUndefined();
  });
});

describe('a cancelled flight', () => {
  test('is neither on time nor departed on time, even if it had left the gate', () => {
    const out = createObservation('10:02', { actualOut: toInstant('10:00') });
    const expected = { end: 'cancelled', departedOnTime: false };
    expect(punctuality(createObservation('09:00', { cancelled: true }))).toEqual(expected);
    expect(punctuality(out, createObservation('10:30', { cancelled: true }))).toEqual(expected);
  });

  test('is cancelled and not diverted when it had returned', () => {
    const back = { landings: [{ id: '1', airport: locationIds.london, actualOn: toInstant('11:00') }] };
    expect(punctuality(createObservation('11:00', { actualOff: toInstant('10:10'), cancelled: true }, back))?.end).toBe(
      'cancelled',
    );
  });

  test('counts by its flown status when it flew', () => {
    expect(punctuality(createObservation('09:00', { cancelled: true }), flown('10:00', '18:00'))?.end).toBe(
      'arrivedOnTime',
    );
  });
});

describe('a diverted flight', () => {
  const landing = { id: '1', airport: locationIds.paris };
  const out = createObservation('10:02', { actualOut: toInstant('10:00') });
  const expected = { end: 'diverted', departedOnTime: true };

  test('is diverted where it ended', () => {
    const elsewhere = { landings: [{ ...landing, actualOn: toInstant('12:00'), continues: false }] };
    expect(punctuality(out, createObservation('12:01', {}, elsewhere))).toEqual(expected);
  });

  test('is diverted even if it reached its destination on time', () => {
    const elsewhere = { landings: [{ ...landing, actualOn: toInstant('12:00'), actualOff: toInstant('12:40') }] };
    expect(punctuality(out, createObservation('18:10', { actualIn: toInstant('18:05') }, elsewhere))).toEqual(expected);
  });

  test('is diverted also when the airport is unknown', () => {
    expect(punctuality(out, createObservation('12:01', {}, { landings: [{ id: '1', continues: false }] }))).toEqual(
      expected,
    );
  });

  test('is not diverted when the diversion was withdrawn', () => {
    const messages = [
      out,
      createObservation('12:00', {}, { landings: [landing] }),
      createObservation('13:00', {}, { landings: [{ id: '1', airport: null }] }),
    ];
    expect(punctuality(...messages)).toBeUndefined();
    expect(punctuality(...messages, createObservation('18:10', { actualIn: toInstant('18:05') }))?.end).toBe(
      'arrivedOnTime',
    );
  });
});

test('punctuality does not depend on the order of messages', () => {
  const random = createRandomNumbers(20_150_101);
  // Random messages contain instants from 10:00 to 11:20.
  const early = { ...scheduled, in: secondToMinute(toInstant('10:30')) };
  const ends = new Set<string>();
  for (let set = 0; set < 2000; set += 1) {
    const messages = createRandomMessages(random, 2 + random(6));
    const punctuality = computePunctuality(computeView(...messages), early);
    for (let order = 0; order < 5; order += 1)
      expect(computePunctuality(computeView(...shuffle(messages, random)), early)).toEqual(punctuality);
    ends.add(punctuality?.end ?? 'not ended');
  }
  expect([...ends].toSorted()).toEqual(['arrivedLate', 'arrivedOnTime', 'cancelled', 'diverted', 'not ended']);
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
        expect(computePercentage(part, whole)).toBe(
          Number(`${rounded / 100n}.${String(rounded % 100n).padStart(2, '0')}`),
        );
      }),
      { numRuns: 20_000 },
    );
  });

  test.each([
    [1, 0],
    [-1, 3],
    [4, 3],
    [0.5, 3],
    [1, 2 ** 39],
  ])('%d of %d has no percentage', (part, whole) => {
    expect(() => computePercentage(part, whole)).toThrow(`${part} of ${whole} is no share`);
  });
});

test('returns shares, sample, period and rule', () => {
  const counts = {
    flights: 7,
    departures: 6,
    departedOnTime: 5,
    arrivedOnTime: 4,
    arrivedLate: 1,
    cancelled: 1,
    diverted: 1,
  };
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
  const counts = { ...emptyOnTimeCounts, flights: 2, arrivedOnTime: 2 };
  const { departedOnTimePercentage, departures } = toOnTimePerformance(counts, {
    from: localDate('2026-06-01'),
    to: localDate('2026-06-01'),
  });
  expect([departedOnTimePercentage, departures]).toEqual([null, 0]);
});
