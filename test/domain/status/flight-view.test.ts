import { describe, expect, test } from 'vitest';
import { computeFlightView } from '../../../src/domain/status/flight-view.ts';
import { unobservedFlight } from '../../../src/domain/status/observed-flight.ts';
import { toInstant, locationIds, createObservation, computeView } from './observations.ts';

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

test('a whole flight is seen with all its times', () => {
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

describe('steps that were not reported are skipped', () => {
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

  test('of two messages of the same time, the movement does not undo the cancellation, whichever id it has', () => {
    for (const id of ['a', 'z'])
      expect(computeView(cancelled, createObservation('10:30', { actualOut: toInstant('09:59') }, { id })).state).toBe(
        'Canceled',
      );
  });

  test('a movement after the cancellation shows that the flight operates', () => {
    expect(computeView(cancelled, createObservation('10:31', { actualOff: toInstant('10:31') })).state).toBe('inAir');
  });

  test('neither an estimate nor a gate nor a movement taken back undoes a cancellation', () => {
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
    const made = createObservation('11:10', {}, { landings: [{ ...landing, actualOn: toInstant('11:05') }] });
    expect([computeView(cancelled, expected).state, computeView(cancelled, expected, made).state]).toEqual([
      'Canceled',
      'Landed',
    ]);
  });

  test.each([false, null])('a flight is reinstated by %s, where it stood', (value) => {
    const back = createObservation('11:00', { cancelled: value });
    expect(computeView(cancelled, back).state).toBe('Scheduled');
    expect(computeView(out, cancelled, back).state).toBe('OutGate');
  });

  test('a flight is cancelled again after a reinstatement, and after it flew all the same', () => {
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
    ['given an estimate', { estimatedOff: toInstant('10:00') }, 'Proposed'],
  ])('a filed flight that is %s', (_, facts, state) => {
    expect(computeView(filed, createObservation('10:00', facts)).state).toBe(state);
  });
});

test('a flight returns to the gate when out is taken back, and leaves again', () => {
  const out = createObservation('10:00', { actualOut: toInstant('09:59') });
  const back = createObservation('10:15', { actualOut: null });
  expect(computeView(out, back)).toMatchObject({ state: 'Scheduled', progress: 0, actualOut: undefined });
  const again = createObservation('10:40', { actualOut: toInstant('10:39') });
  expect(computeView(out, back, again)).toMatchObject({ state: 'OutGate', actualOut: toInstant('10:39') });
});

describe('times that contradict each other', () => {
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

  test('a time that was left out comes back when the one it contradicted is put right', () => {
    const view = computeView(
      createObservation('10:20', { actualOff: toInstant('10:10') }),
      createObservation('10:30', { actualOut: toInstant('10:15') }),
      createObservation('10:40', { actualOut: toInstant('10:05') }),
    );
    expect(view).toMatchObject({ state: 'inAir', actualOff: toInstant('10:10'), contradictions: [] });
  });

  test('a contradicted movement still shows that a cancelled flight goes', () => {
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
