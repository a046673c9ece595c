import { describe, expect, test } from 'vitest';
import { computeFlightView, type FlightState, isCorrection } from '#domain/status/flight-view.ts';
import { unobservedFlight } from '#domain/status/observed-flight.ts';
import { computeReportedView, computeView, createObservation, locationIds, report, toInstant } from './observations.ts';
import { correctionsOfState } from './observations.ts';

/** One flight in each state. */
const messageOfState: Readonly<Record<FlightState, string>> = {
  Proposed: '10:00 proposed=true',
  Scheduled: '10:00 departureGate=A1',
  OutGate: '10:00 actualOut=10:00',
  inAir: '10:00 actualOff=10:00',
  Landed: '10:00 actualOn=10:00',
  InGate: '10:00 actualIn=10:00',
  Canceled: '10:00 cancelled=true',
};
const states = Object.keys(messageOfState) as readonly FlightState[];

test.each(Object.entries(correctionsOfState))(
  'from %s a flight advances in the published order, and any other step is a correction',
  (from, row) => {
    const flights = states.map((state) => computeReportedView(messageOfState[state]));
    expect(flights.map(({ state }) => state)).toEqual(states);
    const before = flights[states.indexOf(from as FlightState)];
    expect(flights.map((flight) => (isCorrection(before, flight) ? 'x' : '.')).join('')).toBe(row);
    // The first message of a flight corrects nothing.
    expect(before && isCorrection(undefined, before)).toBe(false);
  },
);

const off = '10:00 actualOff=10:00';
const landed = '11:00 CDG.airport=paris CDG.actualOn=11:00';
const inGate = '11:10 CDG.airport=paris CDG.actualIn=11:10';
const outAgain = '12:00 CDG.airport=paris CDG.actualOut=12:00';
const offAgain = '12:10 CDG.airport=paris CDG.actualOff=12:10';
const arrived = '19:00 actualOn=19:00 actualIn=19:05';
const diverted = '10:30 CDG.airport=paris';
const cancelled = '10:30 cancelled=true';
const stop = 'CDG.airport=paris CDG.actualOff=12:00';

test.each<[string, readonly string[], string, string]>([
  ['out again from the gate', [off, landed, inGate], outAgain, 'OutGate'],
  ['off again from the gate', [off, landed, inGate], offAgain, 'inAir'],
  ['out again after touchdown', [off, landed], outAgain, 'OutGate'],
  ['off again after touchdown', [off, landed], offAgain, 'inAir'],
  ['out again, without a reported landing', [off], outAgain, 'OutGate'],
  ['arrived, without the other reports', [off, landed, inGate], '19:00 actualOn=19:00', 'Landed'],
  ['back at the gate of its departure', [off, landed, inGate, outAgain], '12:05 CDG.actualOut=null', 'InGate'],
  ['diverted', [off], diverted, 'inAir'],
  ['not diverted after all', [off, diverted], '19:30 CDG.airport=null', 'inAir'],
  ['arrived, and a diversion that never happened', [off, diverted, arrived], '19:30 CDG.airport=null', 'InGate'],
  ['arrived, and a diversion reported later', [off, arrived], '20:00 CDG.airport=paris', 'InGate'],
  ['arrived, and a stop reported later', [off, arrived], `20:00 ${stop} CDG.actualOn=11:00`, 'InGate'],
  ['cancelled, and a withdrawn movement', ['10:00 actualOut=10:00', cancelled], '10:40 actualOut=null', 'Canceled'],
])('is not a correction: %s', (_, before, next, state) => {
  const view = computeReportedView(...before, next);
  expect([view.state, isCorrection(computeReportedView(...before), view)]).toEqual([state, false]);
});

test.each<[string, readonly string[], string, string]>([
  ['off to out', [off, landed, outAgain, offAgain], '13:00 CDG.actualOff=null', 'OutGate'],
  ['off to the landing', [off, landed, offAgain], '13:00 CDG.actualOut=null CDG.actualOff=null', 'Landed'],
  ['off on the new leg to off on the first', [off, landed, offAgain], '13:00 CDG.airport=null', 'inAir'],
  ['no arrival, and a stop', [off, arrived], `20:00 actualOn=null actualIn=null ${stop}`, 'inAir'],
  ['no gate, and a stop', [off, arrived], `20:00 actualIn=null ${stop}`, 'Landed'],
])('is a correction: %s', (_, before, next, state) => {
  const view = computeReportedView(...before, next);
  expect([view.state, isCorrection(computeReportedView(...before), view)]).toEqual([state, true]);
});

const unobserved = { state: 'Scheduled', progress: 0, destination: {}, landings: [], contradictions: [] };

test('a flight without observations has the state of its schedule', () => {
  expect(computeFlightView(unobservedFlight, locationIds.london)).toEqual(unobserved);
});

test('a whole flight shows all its times', () => {
  const view = computeReportedView(
    '09:00 estimatedOut=10:00 estimatedOff=10:15 estimatedOn=18:00 estimatedIn=18:10',
    '10:02 actualOut=10:01',
    '10:20 actualOff=10:18',
    '18:06 actualOn=18:05',
    '18:20 actualIn=18:19',
  );
  const at = toInstant;
  const [estimatedOut, estimatedOff, actualOut, actualOff] = ['10:00', '10:15', '10:01', '10:18'].map(at);
  const times = { estimatedOut, estimatedOff, actualOut, actualOff };
  const [estimatedOn, estimatedIn, actualOn, actualIn] = ['18:00', '18:10', '18:05', '18:19'].map(at);
  const destination = { estimatedOn, estimatedIn, actualOn, actualIn };
  expect(view).toEqual({ ...unobserved, ...times, state: 'InGate', progress: 4, destination });
});

const out = '10:00 actualOut=09:59';
const filed = '09:00 proposed=true';
const landing = 'CDG.airport=paris';

test.each<[string, readonly string[], string, number]>([
  ['out of the gate', ['20:00 actualOut=10:00'], 'OutGate', 1],
  ['off without a reported out', ['20:00 actualOff=10:00'], 'inAir', 2],
  ['on without the earlier steps', ['20:00 actualOn=10:00'], 'Landed', 3],
  ['in without the earlier steps', ['20:00 actualIn=10:00'], 'InGate', 4],
  ['in after out', ['20:00 actualOut=10:00 actualIn=18:00'], 'InGate', 4],
  ['estimated', ['20:00 estimatedOut=10:00 estimatedIn=18:00'], 'Scheduled', 0],
  ['known by its gate', ['20:00 departureGate=A1'], 'Scheduled', 0],
  ['cancelled before it moves', [cancelled], 'Canceled', 0],
  ['cancelled after it has left the gate', [out, cancelled], 'Canceled', 1],
  ['cancelled by the message that reports a movement', ['10:30 actualOut=09:59 cancelled=true'], 'Canceled', 1],
  ['operating, by a movement after the cancellation', [cancelled, '10:31 actualOff=10:31'], 'inAir', 2],
  [
    'cancelled, with a withdrawal',
    [out, cancelled, '10:40 estimatedOut=12:00 departureGate=A1 actualOut=null'],
    'Canceled',
    0,
  ],
  ['cancelled, and expected elsewhere', [cancelled, `10:40 ${landing} CDG.estimatedOn=11:00`], 'Canceled', 0],
  ['operating, by a completed landing elsewhere', [cancelled, `11:10 ${landing} CDG.actualOn=11:05`], 'Landed', 3],
  ['reinstated', [cancelled, '11:00 cancelled=false'], 'Scheduled', 0],
  ['reinstated by a withdrawal', [cancelled, '11:00 cancelled=null'], 'Scheduled', 0],
  ['reinstated in its former state', [out, cancelled, '11:00 cancelled=false'], 'OutGate', 1],
  ['reinstated in its former state by a withdrawal', [out, cancelled, '11:00 cancelled=null'], 'OutGate', 1],
  ['cancelled again after reinstatement', [cancelled, '11:00 cancelled=false', '12:00 cancelled=true'], 'Canceled', 0],
  ['cancelled again after it flew', [cancelled, '11:00 actualOff=10:59', '12:00 cancelled=true'], 'Canceled', 2],
  ['filed', [filed], 'Proposed', 0],
  ['filed and estimated', [filed, '10:00 estimatedOff=10:00'], 'Proposed', 0],
  ['filed and confirmed', [filed, '10:00 proposed=false'], 'Scheduled', 0],
  ['no longer filed', [filed, '10:00 proposed=null'], 'Scheduled', 0],
  ['filed and begun', [filed, '10:00 actualOff=10:00'], 'inAir', 2],
  ['filed and withdrawn', [filed, '10:00 cancelled=true'], 'Canceled', 0],
  ['back at the gate when out is withdrawn', [out, '10:15 actualOut=null'], 'Scheduled', 0],
  ['out again', [out, '10:15 actualOut=null', '10:40 actualOut=10:39'], 'OutGate', 1],
])('has the state and progress of a flight that is %s', (_, messages, state, progress) => {
  expect(computeReportedView(...messages)).toMatchObject({ state, progress });
});

test('a movement with the time of a cancellation does not withdraw it, whichever ID it has', () => {
  const views = ['a', 'z'].map((id) => {
    const movement = createObservation('10:30', { actualOut: toInstant('09:59') }, { id });
    return computeView(report(cancelled), movement);
  });
  expect(views.map(({ state }) => state)).toEqual(['Canceled', 'Canceled']);
});

test.each([
  ['later than the actual time of its event', ['10:05 actualOut=10:04', '10:30 estimatedOut=10:40'], undefined],
  ['earlier than the actual time', ['09:00 estimatedOut=10:10', '10:05 actualOut=10:04'], '10:10'],
  ['together with the actual time', ['10:05 actualOut=10:04 estimatedOut=10:00'], '10:00'],
  [
    'later than an actual time that is withdrawn',
    ['10:05 actualOut=10:04', '10:30 estimatedOut=10:40', '10:31 actualOut=null'],
    '10:40',
  ],
  ['later than the actual time of another event', ['10:05 actualOut=10:04', '10:30 estimatedOff=10:40'], undefined],
])('an estimate that is reported %s', (_, messages, expected) => {
  expect(computeReportedView(...messages).estimatedOut).toBe(expected === undefined ? undefined : toInstant(expected));
});

describe('contradictory times', () => {
  const timesOf = (...messages: readonly string[]): string => {
    const { state, actualOut, actualOff, destination, contradictions } = computeReportedView(...messages);
    const { actualOn, actualIn } = destination;
    const times = Object.entries({ actualOut, actualOff, actualOn, actualIn });
    const known = times.flatMap(([name, time]) =>
      time === undefined ? [] : [`${name}=${new Date(time * 1000).toISOString().slice(11, 16)}`],
    );
    return `${state}: ${[...known, ...contradictions.map((name) => `not ${name}`)].join(' ')}`;
  };

  const late = 'CDG.airport=paris CDG.actualOn=12:00';

  test.each([
    ['a newer out wins', ['10:20 actualOff=10:10', '10:30 actualOut=10:15'], 'OutGate: actualOut=10:15 not actualOff'],
    ['a newer off wins', ['10:40 actualOff=10:10', '10:30 actualOut=10:15'], 'inAir: actualOff=10:10 not actualOut'],
    [
      'within one message the earlier stage wins',
      ['11:00 actualOut=10:15 actualOff=10:10 actualOn=10:12 actualIn=10:20'],
      'InGate: actualOut=10:15 actualIn=10:20 not actualOff not actualOn',
    ],
    [
      'equal times do not contradict each other',
      ['11:00 actualOut=10:00 actualOff=10:00 actualOn=10:00 actualIn=10:00'],
      'InGate: actualOut=10:00 actualOff=10:00 actualOn=10:00 actualIn=10:00',
    ],
    [
      'an ignored time returns when the contradicting time is corrected',
      ['10:20 actualOff=10:10', '10:30 actualOut=10:15', '10:40 actualOut=10:05'],
      'inAir: actualOut=10:05 actualOff=10:10',
    ],
    [
      'a contradicted movement still shows that a cancelled flight operates',
      ['10:00 cancelled=true', '10:20 actualOff=10:10', '10:30 actualOut=10:15'],
      'OutGate: actualOut=10:15 not actualOff',
    ],
    [
      'a landing elsewhere after the arrival is ignored',
      ['13:00 actualOn=11:00', `12:30 ${late}`],
      'Landed: actualOn=11:00 not CDG.actualOn',
    ],
  ])('%s', (_, messages, expected) => {
    expect(timesOf(...messages)).toBe(expected);
  });
});
