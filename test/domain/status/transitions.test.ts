import { describe, expect, test } from 'vitest';
import type { FlightState } from '../../../src/domain/status/flight-view.ts';
import type { Observation } from '../../../src/domain/status/observed-flight.ts';
import { isCorrection } from '../../../src/domain/status/transitions.ts';
import { toInstant, locationIds, createObservation, createLandingObservation, computeView } from './observations.ts';

const states: readonly FlightState[] = ['Proposed', 'Scheduled', 'OutGate', 'inAir', 'Landed', 'InGate', 'Canceled'];

/** One flight in each state. */
const flightIn = (state: FlightState) =>
  computeView(
    {
      Proposed: createObservation('10:00', { proposed: true }),
      Scheduled: createObservation('10:00', { departureGate: 'A1' }),
      OutGate: createObservation('10:00', { actualOut: toInstant('10:00') }),
      inAir: createObservation('10:00', { actualOff: toInstant('10:00') }),
      Landed: createObservation('10:00', { actualOn: toInstant('10:00') }),
      InGate: createObservation('10:00', { actualIn: toInstant('10:00') }),
      Canceled: createObservation('10:00', { cancelled: true }),
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

const off = createObservation('10:00', { actualOff: toInstant('10:00') });
const landing = { id: 'CDG', airport: locationIds.paris } as const;
const landed = createLandingObservation('11:00', { ...landing, actualOn: toInstant('11:00') });
const inGate = createLandingObservation('11:10', { ...landing, actualIn: toInstant('11:10') });
const outAgain = createLandingObservation('12:00', { ...landing, actualOut: toInstant('12:00') });
const offAgain = createLandingObservation('12:10', { ...landing, actualOff: toInstant('12:10') });
const arrived = createObservation('19:00', { actualOn: toInstant('19:00'), actualIn: toInstant('19:05') });

const step = (before: readonly Observation[], ...next: readonly Observation[]): boolean =>
  isCorrection(computeView(...before), computeView(...before, ...next));

describe('a new leg is no correction', () => {
  test.each([
    ['out again from the gate', [off, landed, inGate], [outAgain]],
    ['off again from the gate', [off, landed, inGate], [offAgain]],
    ['out again after touchdown', [off, landed], [outAgain]],
    ['off again after touchdown', [off, landed], [offAgain]],
    ['out again, the landing not having been told', [off], [outAgain]],
    [
      'arrived, the rest not having been told',
      [off, landed, inGate],
      [createObservation('19:00', { actualOn: toInstant('19:00') })],
    ],
  ])('%s', (_, before, next) => {
    expect(step(before, ...next)).toBe(false);
  });
});

describe('a leg that is taken back is a correction', () => {
  const noOff = createLandingObservation('13:00', { id: 'CDG', actualOff: null });
  const noLeg = createLandingObservation('13:00', { id: 'CDG', actualOut: null, actualOff: null });
  test.each([
    ['off to out', [off, landed, outAgain, offAgain], noOff],
    ['off to the landing', [off, landed, offAgain], noLeg],
    [
      'off on the new leg to off on the first',
      [off, landed, offAgain],
      createLandingObservation('13:00', { id: 'CDG', airport: null }),
    ],
  ])('%s', (_, before, next) => {
    expect(step(before, next)).toBe(true);
  });

  test('but not a return to the gate of the airport it was to go on from', () => {
    const back = createLandingObservation('12:05', { id: 'CDG', actualOut: null });
    expect(computeView(off, landed, inGate, outAgain, back).state).toBe('InGate');
    expect(step([off, landed, inGate, outAgain], back)).toBe(false);
  });
});

describe('a diversion', () => {
  test('is no step, nor is taking back one that was never made', () => {
    const diverted = createLandingObservation('10:30', landing);
    const never = createLandingObservation('19:30', { id: 'CDG', airport: null });
    expect([step([off], diverted), step([off, diverted], never)]).toEqual([false, false]);
    expect(step([off, diverted, arrived], never)).toBe(false);
    expect(step([off, arrived], createLandingObservation('20:00', landing))).toBe(false);
  });

  test('that becomes known after the arrival hides no step back', () => {
    const noArrival = createObservation(
      '20:00',
      { actualOn: null, actualIn: null },
      { landings: [{ ...landing, actualOff: toInstant('12:00') }] },
    );
    expect(computeView(off, arrived, noArrival).state).toBe('inAir');
    expect(step([off, arrived], noArrival)).toBe(true);
    const noGate = createObservation(
      '20:00',
      { actualIn: null },
      { landings: [{ ...landing, actualOff: toInstant('12:00') }] },
    );
    expect(computeView(off, arrived, noGate).state).toBe('Landed');
    expect(step([off, arrived], noGate)).toBe(true);
  });

  test('that becomes known after the arrival is no step itself', () => {
    expect(
      step(
        [off, arrived],
        createLandingObservation('20:00', { ...landing, actualOn: toInstant('11:00'), actualOff: toInstant('12:00') }),
      ),
    ).toBe(false);
  });
});

test('a cancelled flight of which movements are taken back stays cancelled, which is no step', () => {
  const out = createObservation('10:00', { actualOut: toInstant('10:00') });
  const cancelled = createObservation('10:30', { cancelled: true });
  expect(step([out, cancelled], createObservation('10:40', { actualOut: null }))).toBe(false);
});
