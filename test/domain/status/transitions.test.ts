import { describe, expect, test } from 'vitest';
import type { FlightState } from '../../../src/domain/status/flight-view.ts';
import type { Observation } from '../../../src/domain/status/observed-flight.ts';
import { isCorrection } from '../../../src/domain/status/transitions.ts';
import { at, places, said, saidElsewhere, viewOf } from './observations.ts';

const states: readonly FlightState[] = ['Proposed', 'Scheduled', 'OutGate', 'inAir', 'Landed', 'InGate', 'Canceled'];

/** One flight in each state. */
const flightIn = (state: FlightState) =>
  viewOf(
    {
      Proposed: said('10:00', { proposed: true }),
      Scheduled: said('10:00', { departureGate: 'A1' }),
      OutGate: said('10:00', { actualOut: at('10:00') }),
      inAir: said('10:00', { actualOff: at('10:00') }),
      Landed: said('10:00', { actualOn: at('10:00') }),
      InGate: said('10:00', { actualIn: at('10:00') }),
      Canceled: said('10:00', { cancelled: true }),
    }[state],
  );

/** As published with the states; `x` is a correction. Rows are where a flight stood, columns where it stands, in the order of `states`. */
const published = [
  ['Proposed', '.......'],
  ['Scheduled', 'x......'],
  ['OutGate', 'x......'],
  ['inAir', 'xxx...x'],
  ['Landed', 'xxxx..x'],
  ['InGate', 'xxxxx.x'],
  ['Canceled', 'x......'],
] as const;

test.each(published)(
  'from %s a flight steps on in the published order, and any other step is a correction',
  (from, row) => {
    const before = flightIn(from);
    const steps = states.map((to) => [to, isCorrection(before, flightIn(to)) ? 'x' : '.']);
    expect(steps).toEqual(states.map((to, index) => [to, row[index]]));
  },
);

test.each(states)('the first message of a flight corrects nothing, even when it says %s', (state) => {
  expect(isCorrection(undefined, flightIn(state))).toBe(false);
});

const off = said('10:00', { actualOff: at('10:00') });
const landing = { id: 'CDG', airport: places.paris } as const;
const landed = saidElsewhere('11:00', { ...landing, actualOn: at('11:00') });
const inGate = saidElsewhere('11:10', { ...landing, actualIn: at('11:10') });
const outAgain = saidElsewhere('12:00', { ...landing, actualOut: at('12:00') });
const offAgain = saidElsewhere('12:10', { ...landing, actualOff: at('12:10') });
const arrived = said('19:00', { actualOn: at('19:00'), actualIn: at('19:05') });

const step = (before: readonly Observation[], ...next: readonly Observation[]): boolean =>
  isCorrection(viewOf(...before), viewOf(...before, ...next));

describe('a new leg is no correction', () => {
  test.each([
    ['out again from the gate', [off, landed, inGate], [outAgain]],
    ['off again from the gate', [off, landed, inGate], [offAgain]],
    ['out again after touchdown', [off, landed], [outAgain]],
    ['off again after touchdown', [off, landed], [offAgain]],
    ['out again, the landing not having been told', [off], [outAgain]],
    ['arrived, the rest not having been told', [off, landed, inGate], [said('19:00', { actualOn: at('19:00') })]],
  ])('%s', (_, before, next) => {
    expect(step(before, ...next)).toBe(false);
  });
});

describe('a leg that is taken back is a correction', () => {
  const noOff = saidElsewhere('13:00', { id: 'CDG', actualOff: null });
  const noLeg = saidElsewhere('13:00', { id: 'CDG', actualOut: null, actualOff: null });
  test.each([
    ['off to out', [off, landed, outAgain, offAgain], noOff],
    ['off to the landing', [off, landed, offAgain], noLeg],
    [
      'off on the new leg to off on the first',
      [off, landed, offAgain],
      saidElsewhere('13:00', { id: 'CDG', airport: null }),
    ],
  ])('%s', (_, before, next) => {
    expect(step(before, next)).toBe(true);
  });

  test('but not a return to the gate of the airport it was to go on from', () => {
    const back = saidElsewhere('12:05', { id: 'CDG', actualOut: null });
    expect(viewOf(off, landed, inGate, outAgain, back).state).toBe('InGate');
    expect(step([off, landed, inGate, outAgain], back)).toBe(false);
  });
});

describe('a diversion', () => {
  test('is no step, nor is taking back one that was never made', () => {
    const diverted = saidElsewhere('10:30', landing);
    const never = saidElsewhere('19:30', { id: 'CDG', airport: null });
    expect([step([off], diverted), step([off, diverted], never)]).toEqual([false, false]);
    expect(step([off, diverted, arrived], never)).toBe(false);
    expect(step([off, arrived], saidElsewhere('20:00', landing))).toBe(false);
  });

  test('that becomes known after the arrival hides no step back', () => {
    const noArrival = said(
      '20:00',
      { actualOn: null, actualIn: null },
      { landings: [{ ...landing, actualOff: at('12:00') }] },
    );
    expect(viewOf(off, arrived, noArrival).state).toBe('inAir');
    expect(step([off, arrived], noArrival)).toBe(true);
    const noGate = said('20:00', { actualIn: null }, { landings: [{ ...landing, actualOff: at('12:00') }] });
    expect(viewOf(off, arrived, noGate).state).toBe('Landed');
    expect(step([off, arrived], noGate)).toBe(true);
  });

  test('that becomes known after the arrival is no step itself', () => {
    expect(
      step([off, arrived], saidElsewhere('20:00', { ...landing, actualOn: at('11:00'), actualOff: at('12:00') })),
    ).toBe(false);
  });
});

test('a cancelled flight of which movements are taken back stays cancelled, which is no step', () => {
  const out = said('10:00', { actualOut: at('10:00') });
  const cancelled = said('10:30', { cancelled: true });
  expect(step([out, cancelled], said('10:40', { actualOut: null }))).toBe(false);
});
