import { describe, expect, test } from 'vitest';
import { computeFlightView } from '../../../src/domain/status/flight-view.ts';
import { unobservedFlight } from '../../../src/domain/status/observed-flight.ts';
import { at, places, said, viewOf } from './observations.ts';

const noTimes = { estimatedOn: undefined, estimatedIn: undefined, actualOn: undefined, actualIn: undefined };

test('a flight of which nothing is known stands where its schedule puts it', () => {
  expect(computeFlightView(unobservedFlight, places.london)).toEqual({
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
  const view = viewOf(
    said('09:00', {
      estimatedOut: at('10:00'),
      estimatedOff: at('10:15'),
      estimatedOn: at('18:00'),
      estimatedIn: at('18:10'),
    }),
    said('10:02', { actualOut: at('10:01') }),
    said('10:20', { actualOff: at('10:18') }),
    said('18:06', { actualOn: at('18:05') }),
    said('18:20', { actualIn: at('18:19') }),
  );
  expect(view).toEqual({
    state: 'InGate',
    progress: 4,
    estimatedOut: at('10:00'),
    estimatedOff: at('10:15'),
    actualOut: at('10:01'),
    actualOff: at('10:18'),
    destination: {
      estimatedOn: at('18:00'),
      estimatedIn: at('18:10'),
      actualOn: at('18:05'),
      actualIn: at('18:19'),
    },
    landings: [],
    boundFor: undefined,
    contradictions: [],
  });
});

describe('steps that were not reported are skipped', () => {
  test.each([
    [{ actualOut: at('10:00') }, 'OutGate', 1],
    [{ actualOff: at('10:00') }, 'inAir', 2],
    [{ actualOn: at('10:00') }, 'Landed', 3],
    [{ actualIn: at('10:00') }, 'InGate', 4],
    [{ actualOut: at('10:00'), actualIn: at('18:00') }, 'InGate', 4],
    [{ estimatedOut: at('10:00'), estimatedIn: at('18:00') }, 'Scheduled', 0],
    [{ departureGate: 'A1' }, 'Scheduled', 0],
  ])('%j: %s', (facts, state, progress) => {
    expect(viewOf(said('20:00', facts))).toMatchObject({ state, progress });
  });
});

describe('cancelled flights', () => {
  const out = said('10:00', { actualOut: at('09:59') });
  const cancelled = said('10:30', { cancelled: true });

  test('a flight is cancelled before it moves', () => {
    expect(viewOf(cancelled)).toMatchObject({ state: 'Canceled', progress: 0 });
  });

  test('a flight is cancelled after it has left the gate', () => {
    expect(viewOf(out, cancelled)).toMatchObject({ state: 'Canceled', actualOut: at('09:59') });
  });

  test('the cancellation stands when the same message tells of a movement', () => {
    expect(viewOf(said('10:30', { actualOut: at('09:59'), cancelled: true })).state).toBe('Canceled');
  });

  test('of two messages of the same time, the movement does not undo the cancellation, whichever id it has', () => {
    for (const id of ['a', 'z'])
      expect(viewOf(cancelled, said('10:30', { actualOut: at('09:59') }, { id })).state).toBe('Canceled');
  });

  test('a movement known after the cancellation shows that the flight goes all the same', () => {
    expect(viewOf(cancelled, said('10:31', { actualOff: at('10:31') })).state).toBe('inAir');
  });

  test('neither an estimate nor a gate nor a movement taken back undoes a cancellation', () => {
    const later = said('10:40', { estimatedOut: at('12:00'), departureGate: 'A1', actualOut: null });
    expect(viewOf(out, cancelled, later).state).toBe('Canceled');
  });

  test('a landing elsewhere that was made undoes a cancellation, one that is only expected does not', () => {
    const landing = { id: '1', airport: places.paris };
    const expected = said('10:40', {}, { landings: [{ ...landing, estimatedOn: at('11:00') }] });
    const made = said('11:10', {}, { landings: [{ ...landing, actualOn: at('11:05') }] });
    expect([viewOf(cancelled, expected).state, viewOf(cancelled, expected, made).state]).toEqual([
      'Canceled',
      'Landed',
    ]);
  });

  test.each([false, null])('a flight is reinstated by %s, where it stood', (value) => {
    const back = said('11:00', { cancelled: value });
    expect(viewOf(cancelled, back).state).toBe('Scheduled');
    expect(viewOf(out, cancelled, back).state).toBe('OutGate');
  });

  test('a flight is cancelled again after a reinstatement, and after it flew all the same', () => {
    const again = said('12:00', { cancelled: true });
    expect(viewOf(cancelled, said('11:00', { cancelled: false }), again).state).toBe('Canceled');
    expect(viewOf(cancelled, said('11:00', { actualOff: at('10:59') }), again).state).toBe('Canceled');
  });
});

describe('filed flights', () => {
  const filed = said('09:00', { proposed: true });

  test.each([
    ['only filed', {}, 'Proposed'],
    ['confirmed', { proposed: false }, 'Scheduled'],
    ['no longer filed', { proposed: null }, 'Scheduled'],
    ['begun', { actualOff: at('10:00') }, 'inAir'],
    ['withdrawn', { cancelled: true }, 'Canceled'],
    ['given an estimate', { estimatedOff: at('10:00') }, 'Proposed'],
  ])('a filed flight that is %s', (_, facts, state) => {
    expect(viewOf(filed, said('10:00', facts)).state).toBe(state);
  });
});

test('a flight returns to the gate when out is taken back, and leaves again', () => {
  const out = said('10:00', { actualOut: at('09:59') });
  const back = said('10:15', { actualOut: null });
  expect(viewOf(out, back)).toMatchObject({ state: 'Scheduled', progress: 0, actualOut: undefined });
  const again = said('10:40', { actualOut: at('10:39') });
  expect(viewOf(out, back, again)).toMatchObject({ state: 'OutGate', actualOut: at('10:39') });
});

describe('times that contradict each other', () => {
  test('the newer message stands', () => {
    const off = said('10:20', { actualOff: at('10:10') });
    const out = said('10:30', { actualOut: at('10:15') });
    expect(viewOf(off, out)).toMatchObject({
      state: 'OutGate',
      actualOut: at('10:15'),
      actualOff: undefined,
      contradictions: ['actualOff'],
    });
    expect(viewOf(said('10:40', { actualOff: at('10:10') }), out)).toMatchObject({
      state: 'inAir',
      actualOut: undefined,
      actualOff: at('10:10'),
      contradictions: ['actualOut'],
    });
  });

  test('of one message the earlier stage stands', () => {
    const facts = { actualOut: at('10:15'), actualOff: at('10:10'), actualOn: at('10:12'), actualIn: at('10:20') };
    expect(viewOf(said('11:00', facts))).toMatchObject({
      state: 'InGate',
      actualOut: at('10:15'),
      actualOff: undefined,
      destination: { actualOn: undefined, actualIn: at('10:20') },
      contradictions: ['actualOff', 'actualOn'],
    });
  });

  test('equal times do not contradict each other', () => {
    const facts = { actualOut: at('10:00'), actualOff: at('10:00'), actualOn: at('10:00'), actualIn: at('10:00') };
    expect(viewOf(said('11:00', facts))).toMatchObject({ state: 'InGate', contradictions: [] });
  });

  test('a time that was left out comes back when the one it contradicted is put right', () => {
    const view = viewOf(
      said('10:20', { actualOff: at('10:10') }),
      said('10:30', { actualOut: at('10:15') }),
      said('10:40', { actualOut: at('10:05') }),
    );
    expect(view).toMatchObject({ state: 'inAir', actualOff: at('10:10'), contradictions: [] });
  });

  test('a contradicted movement still shows that a cancelled flight goes', () => {
    const view = viewOf(
      said('10:00', { cancelled: true }),
      said('10:20', { actualOff: at('10:10') }),
      said('10:30', { actualOut: at('10:15') }),
    );
    expect(view).toMatchObject({ state: 'OutGate', contradictions: ['actualOff'] });
  });

  test('a landing elsewhere cannot be after the arrival', () => {
    const landing = { id: 'CDG', airport: places.paris, actualOn: at('12:00') };
    const view = viewOf(said('13:00', { actualOn: at('11:00') }), said('12:30', {}, { landings: [landing] }));
    expect(view).toMatchObject({ state: 'Landed', contradictions: ['CDG.actualOn'], boundFor: undefined });
  });
});
