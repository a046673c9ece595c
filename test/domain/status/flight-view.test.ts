import { describe, expect, test } from 'vitest';
import { computeFlightView, type FlightState, isCorrection } from '../../../src/domain/status/flight-view.ts';
import { type Observation, unobservedFlight } from '../../../src/domain/status/observed-flight.ts';
import { computeView, createLandingObservation, createObservation, locationIds, toInstant } from './observations.ts';

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

/** As published with the states; `x` is a correction. Rows are the former state, columns the new state, in the order of `states`. */
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
  'from %s a flight advances in the published order, and any other step is a correction',
  (from, row) => {
    const before = flightIn(from);
    const steps = states.map((to) => [to, isCorrection(before, flightIn(to)) ? 'x' : '.']);
    expect(steps).toEqual(states.map((to, index) => [to, row[index]]));
  },
);

test.each(states)('the first message of a flight corrects nothing, even with state %s', (state) => {
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
    ['out again, without a reported landing', [off], [outAgain]],
    [
      'arrived, without the other reports',
      [off, landed, inGate],
      [createObservation('19:00', { actualOn: toInstant('19:00') })],
    ],
  ])('%s', (_, before, next) => {
    expect(step(before, ...next)).toBe(false);
  });
});

describe('a withdrawn leg is a correction', () => {
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

  test('but not a return to the gate of the airport of departure', () => {
    const back = createLandingObservation('12:05', { id: 'CDG', actualOut: null });
    expect(computeView(off, landed, inGate, outAgain, back).state).toBe('InGate');
    expect(step([off, landed, inGate, outAgain], back)).toBe(false);
  });
});

describe('a diversion', () => {
  test('is no step, nor is withdrawing one that never happened', () => {
    const diverted = createLandingObservation('10:30', landing);
    const never = createLandingObservation('19:30', { id: 'CDG', airport: null });
    expect([step([off], diverted), step([off, diverted], never)]).toEqual([false, false]);
    expect(step([off, diverted, arrived], never)).toBe(false);
    expect(step([off, arrived], createLandingObservation('20:00', landing))).toBe(false);
  });

  test('reported after the arrival does not hide a step back', () => {
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

  test('reported after the arrival is no step', () => {
    expect(
      step(
        [off, arrived],
        createLandingObservation('20:00', { ...landing, actualOn: toInstant('11:00'), actualOff: toInstant('12:00') }),
      ),
    ).toBe(false);
  });
});

test('a cancelled flight with withdrawn movements stays cancelled, which is no step', () => {
  const out = createObservation('10:00', { actualOut: toInstant('10:00') });
  const cancelled = createObservation('10:30', { cancelled: true });
  expect(step([out, cancelled], createObservation('10:40', { actualOut: null }))).toBe(false);
});

const noTimes = { estimatedOn: undefined, estimatedIn: undefined, actualOn: undefined, actualIn: undefined };

test('a flight without observations has the state of its schedule', () => {
  expect(computeFlightView(unobservedFlight, locationIds.london)).toEqual({
    state: 'Scheduled',
    progress: 0,
    estimatedOut: undefined,
    estimatedOff: undefined,
    actualOut: undefined,
    actualOff: undefined,
    destination: noTimes,
    landings: [],
    boundFor: undefined,
    contradictions: [],
  });
});

test('a whole flight shows all its times', () => {
  const view = computeView(
    createObservation('09:00', {
      estimatedOut: toInstant('10:00'),
      estimatedOff: toInstant('10:15'),
      estimatedOn: toInstant('18:00'),
      estimatedIn: toInstant('18:10'),
    }),
    createObservation('10:02', { actualOut: toInstant('10:01') }),
    createObservation('10:20', { actualOff: toInstant('10:18') }),
    createObservation('18:06', { actualOn: toInstant('18:05') }),
    createObservation('18:20', { actualIn: toInstant('18:19') }),
  );
  expect(view).toEqual({
    state: 'InGate',
    progress: 4,
    estimatedOut: toInstant('10:00'),
    estimatedOff: toInstant('10:15'),
    actualOut: toInstant('10:01'),
    actualOff: toInstant('10:18'),
    destination: {
      estimatedOn: toInstant('18:00'),
      estimatedIn: toInstant('18:10'),
      actualOn: toInstant('18:05'),
      actualIn: toInstant('18:19'),
    },
    landings: [],
    boundFor: undefined,
    contradictions: [],
  });
});

describe('skips steps that were not reported', () => {
  test.each([
    [{ actualOut: toInstant('10:00') }, 'OutGate', 1],
    [{ actualOff: toInstant('10:00') }, 'inAir', 2],
    [{ actualOn: toInstant('10:00') }, 'Landed', 3],
    [{ actualIn: toInstant('10:00') }, 'InGate', 4],
    [{ actualOut: toInstant('10:00'), actualIn: toInstant('18:00') }, 'InGate', 4],
    [{ estimatedOut: toInstant('10:00'), estimatedIn: toInstant('18:00') }, 'Scheduled', 0],
    [{ departureGate: 'A1' }, 'Scheduled', 0],
  ])('%j: %s', (facts, state, progress) => {
    expect(computeView(createObservation('20:00', facts))).toMatchObject({ state, progress });
  });
});

describe('cancelled flights', () => {
  const out = createObservation('10:00', { actualOut: toInstant('09:59') });
  const cancelled = createObservation('10:30', { cancelled: true });

  test('a flight is cancelled before it moves', () => {
    expect(computeView(cancelled)).toMatchObject({ state: 'Canceled', progress: 0 });
  });

  test('a flight is cancelled after it has left the gate', () => {
    expect(computeView(out, cancelled)).toMatchObject({ state: 'Canceled', actualOut: toInstant('09:59') });
  });

  test('a cancellation wins over a movement in the same message', () => {
    expect(computeView(createObservation('10:30', { actualOut: toInstant('09:59'), cancelled: true })).state).toBe(
      'Canceled',
    );
  });

  test('of two messages of the same time, the movement does not undo the cancellation, whichever ID it has', () => {
    for (const id of ['a', 'z'])
      expect(computeView(cancelled, createObservation('10:30', { actualOut: toInstant('09:59') }, { id })).state).toBe(
        'Canceled',
      );
  });

  test('a movement after the cancellation shows that the flight operates', () => {
    expect(computeView(cancelled, createObservation('10:31', { actualOff: toInstant('10:31') })).state).toBe('inAir');
  });

  test('an estimate, a gate or a withdrawn movement does not undo a cancellation', () => {
    const later = createObservation('10:40', {
      estimatedOut: toInstant('12:00'),
      departureGate: 'A1',
      actualOut: null,
    });
    expect(computeView(out, cancelled, later).state).toBe('Canceled');
  });

  test('a completed landing at another airport undoes a cancellation, an expected one does not', () => {
    const landing = { id: '1', airport: locationIds.paris };
    const expected = createObservation('10:40', {}, { landings: [{ ...landing, estimatedOn: toInstant('11:00') }] });
    const landed = createObservation('11:10', {}, { landings: [{ ...landing, actualOn: toInstant('11:05') }] });
    expect([computeView(cancelled, expected).state, computeView(cancelled, expected, landed).state]).toEqual([
      'Canceled',
      'Landed',
    ]);
  });

  test.each([false, null])('a flight is reinstated by %s, in its former state', (value) => {
    const back = createObservation('11:00', { cancelled: value });
    expect(computeView(cancelled, back).state).toBe('Scheduled');
    expect(computeView(out, cancelled, back).state).toBe('OutGate');
  });

  test('a flight is cancelled again after a reinstatement, and after it flew', () => {
    const again = createObservation('12:00', { cancelled: true });
    expect(computeView(cancelled, createObservation('11:00', { cancelled: false }), again).state).toBe('Canceled');
    expect(computeView(cancelled, createObservation('11:00', { actualOff: toInstant('10:59') }), again).state).toBe(
      'Canceled',
    );
  });
});

describe('filed flights', () => {
  const filed = createObservation('09:00', { proposed: true });

  test.each([
    ['only filed', {}, 'Proposed'],
    ['confirmed', { proposed: false }, 'Scheduled'],
    ['no longer filed', { proposed: null }, 'Scheduled'],
    ['begun', { actualOff: toInstant('10:00') }, 'inAir'],
    ['withdrawn', { cancelled: true }, 'Canceled'],
    ['estimated', { estimatedOff: toInstant('10:00') }, 'Proposed'],
  ])('a filed flight that is %s', (_, facts, state) => {
    expect(computeView(filed, createObservation('10:00', facts)).state).toBe(state);
  });
});

test('a flight returns to the gate when out is withdrawn, and leaves again', () => {
  const out = createObservation('10:00', { actualOut: toInstant('09:59') });
  const back = createObservation('10:15', { actualOut: null });
  expect(computeView(out, back)).toMatchObject({ state: 'Scheduled', progress: 0, actualOut: undefined });
  const again = createObservation('10:40', { actualOut: toInstant('10:39') });
  expect(computeView(out, back, again)).toMatchObject({ state: 'OutGate', actualOut: toInstant('10:39') });
});

describe('contradictory times', () => {
  test('the newer message wins', () => {
    const off = createObservation('10:20', { actualOff: toInstant('10:10') });
    const out = createObservation('10:30', { actualOut: toInstant('10:15') });
    expect(computeView(off, out)).toMatchObject({
      state: 'OutGate',
      actualOut: toInstant('10:15'),
      actualOff: undefined,
      contradictions: ['actualOff'],
    });
    expect(computeView(createObservation('10:40', { actualOff: toInstant('10:10') }), out)).toMatchObject({
      state: 'inAir',
      actualOut: undefined,
      actualOff: toInstant('10:10'),
      contradictions: ['actualOut'],
    });
  });

  test('within one message the earlier stage wins', () => {
    const facts = {
      actualOut: toInstant('10:15'),
      actualOff: toInstant('10:10'),
      actualOn: toInstant('10:12'),
      actualIn: toInstant('10:20'),
    };
    expect(computeView(createObservation('11:00', facts))).toMatchObject({
      state: 'InGate',
      actualOut: toInstant('10:15'),
      actualOff: undefined,
      destination: { actualOn: undefined, actualIn: toInstant('10:20') },
      contradictions: ['actualOff', 'actualOn'],
    });
  });

  test('equal times do not contradict each other', () => {
    const facts = {
      actualOut: toInstant('10:00'),
      actualOff: toInstant('10:00'),
      actualOn: toInstant('10:00'),
      actualIn: toInstant('10:00'),
    };
    expect(computeView(createObservation('11:00', facts))).toMatchObject({ state: 'InGate', contradictions: [] });
  });

  test('an ignored time returns when the contradicting time is corrected', () => {
    const view = computeView(
      createObservation('10:20', { actualOff: toInstant('10:10') }),
      createObservation('10:30', { actualOut: toInstant('10:15') }),
      createObservation('10:40', { actualOut: toInstant('10:05') }),
    );
    expect(view).toMatchObject({ state: 'inAir', actualOff: toInstant('10:10'), contradictions: [] });
  });

  test('a contradicted movement still shows that a cancelled flight operates', () => {
    const view = computeView(
      createObservation('10:00', { cancelled: true }),
      createObservation('10:20', { actualOff: toInstant('10:10') }),
      createObservation('10:30', { actualOut: toInstant('10:15') }),
    );
    expect(view).toMatchObject({ state: 'OutGate', contradictions: ['actualOff'] });
  });

  test('a landing elsewhere cannot be after the arrival', () => {
    const landing = { id: 'CDG', airport: locationIds.paris, actualOn: toInstant('12:00') };
    const view = computeView(
      createObservation('13:00', { actualOn: toInstant('11:00') }),
      createObservation('12:30', {}, { landings: [landing] }),
    );
    expect(view).toMatchObject({ state: 'Landed', contradictions: ['CDG.actualOn'], boundFor: undefined });
  });
});
