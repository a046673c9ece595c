import { describe, expect, test } from 'vitest';
import { toInstant, toMessageTime, locationIds, computeReportedView } from './observations.ts';

const takenOff = '10:00 actualOut=09:40 actualOff=09:58';
const off = 'CDG.actualOff=12:00';
const toParis = '10:30 CDG.airport=paris';

test('a flight in the air is bound for its diversion airport', () => {
  const view = computeReportedView(takenOff, `${toParis} CDG.estimatedOn=11:00 CDG.estimatedIn=11:10`);
  const landing = {
    airport: locationIds.paris,
    type: 'Unplanned',
    estimatedOn: toInstant('11:00'),
    estimatedIn: toInstant('11:10'),
    actualOn: undefined,
    actualIn: undefined,
    actualOff: undefined,
    since: toMessageTime('10:30'),
  };
  expect(view).toMatchObject({ state: 'inAir', progress: 2, landings: [landing], boundFor: landing });
});

test('a flight is at its diversion airport until it takes off again, and is then bound for its destination', () => {
  const messages = [
    [takenOff, 'inAir', locationIds.paris],
    ['11:01 CDG.actualOn=11:00', 'Landed', locationIds.paris],
    ['11:11 CDG.actualIn=11:10', 'InGate', locationIds.paris],
    ['12:01 CDG.actualOut=12:00', 'OutGate', locationIds.paris],
    ['12:11 CDG.actualOff=12:10', 'inAir', undefined],
    ['19:01 actualOn=19:00', 'Landed', undefined],
    ['19:11 actualIn=19:10', 'InGate', undefined],
  ] as const;
  const seen = messages.map((_, index) => {
    const reported = messages.slice(0, index + 1).map(([message]) => message);
    const { state, boundFor } = computeReportedView(toParis, ...reported);
    return [state, boundFor?.airport];
  });
  expect(seen).toEqual(messages.map(([, state, airport]) => [state, airport]));
});

test.each([
  ['is unknown while no source has reported its airport', 'CDG.', 'Undefined'],
  ['is unknown where the flight continues from an unknown airport', 'CDG.actualOff=12:00', 'Undefined'],
  ['is unplanned at another airport', 'CDG.airport=paris', 'Unplanned'],
  ['is unplanned where the flight is reported to end', 'CDG.airport=paris CDG.continues=false', 'Unplanned'],
  ['is a technical stop where it is reported to continue', 'CDG.airport=paris CDG.continues=true', 'TechnicalStop'],
  ['is a technical stop where it has left the gate again', 'CDG.airport=paris CDG.actualOut=12:00', 'TechnicalStop'],
  ['is a technical stop after which it continued', `CDG.airport=paris CDG.continues=false ${off}`, 'TechnicalStop'],
  ['is a technical stop after the arrival', 'CDG.airport=paris CDG.actualOn=11:00 actualOn=12:20', 'TechnicalStop'],
  ['is a return at the departure airport', 'CDG.airport=london', 'InAirReturn'],
  ['is a return even when the flight continues', 'CDG.airport=london CDG.actualOff=12:00', 'InAirReturn'],
  ['is the reported one', 'CDG.airport=london CDG.type=Unplanned', 'Unplanned'],
  ['is the reported one, of an unknown airport too', 'CDG.type=TechnicalStop', 'TechnicalStop'],
  ['is derived again when the source withdraws it', 'CDG.airport=paris CDG.type=null', 'Unplanned'],
])('the type of a diversion %s', (_, facts, type) => {
  expect(computeReportedView(takenOff, `12:30 ${facts}`).landings.map((landing) => landing.type)).toEqual([type]);
});

test('a withdrawn diversion leaves no trace', () => {
  const view = computeReportedView(takenOff, `${toParis} CDG.actualOn=10:50`, '11:00 CDG.airport=null');
  expect(view).toEqual(computeReportedView(takenOff));
});

test.each([
  ['actualOn=18:00', 'Landed', 3],
  ['actualIn=18:00', 'InGate', 4],
])('a flight with an expected diversion that reached its destination is there: %s', (facts, state, progress) => {
  const view = computeReportedView(takenOff, toParis, `18:10 ${facts}`);
  expect(view).toMatchObject({ state, progress, boundFor: undefined, landings: [{ airport: locationIds.paris }] });
});

test('a diversion without a known airport is a diversion', () => {
  const view = computeReportedView(takenOff, '10:30 1.');
  expect(view).toMatchObject({ state: 'inAir', boundFor: { airport: undefined, type: 'Undefined' } });
});

describe('two landings', () => {
  const atParis = 'CDG.airport=paris CDG.actualOn=11:00 CDG.actualOff=12:00';
  const expectedAtParis = '10:20 CDG.airport=paris CDG.estimatedOn=11:00';
  const expectedAtLyon = '10:40 LYS.airport=lyon LYS.estimatedOn=10:55';

  test.each([
    [
      'are ordered by their times, not by their reports',
      ['13:10 LYS.airport=lyon LYS.actualOn=13:00', `13:30 ${atParis}`],
      'Landed 13, at lyon, paris TechnicalStop, lyon Unplanned',
    ],
    [
      'of which one is ahead',
      [`12:10 ${atParis}`, '12:30 LYS.airport=lyon'],
      'inAir 12, at lyon, paris TechnicalStop, lyon Unplanned',
    ],
    [
      'both expected and reported in one message: the flight is bound for the first',
      ['10:30 LYS.airport=lyon LYS.estimatedOn=13:00 CDG.airport=paris CDG.estimatedOn=11:00'],
      'inAir 2, at paris, paris Unplanned, lyon Unplanned',
    ],
    [
      'of which the first is dropped by the report of the other',
      [expectedAtParis, expectedAtLyon],
      'inAir 2, at lyon, lyon Unplanned',
    ],
    [
      'of which the first is incomplete when the other is completed: the first is dropped',
      [expectedAtParis, expectedAtLyon, '11:00 LYS.actualOn=10:54'],
      'Landed 3, at lyon, lyon Unplanned',
    ],
    [
      'of which the first is completed: it remains when another is reported',
      ['11:00 CDG.airport=paris CDG.actualOn=10:54', '11:30 LYS.airport=lyon'],
      'Landed 3, at paris, paris Unplanned, lyon Unplanned',
    ],
    [
      'from which the flight continues: the progress counts the legs it has begun',
      [`14:10 ${atParis} LYS.airport=lyon LYS.actualOn=13:00 LYS.actualOff=14:00`, '20:00 actualIn=19:59'],
      'InGate 24, at undefined, paris TechnicalStop, lyon TechnicalStop',
    ],
  ])('%s', (_, messages, expected) => {
    const nameOf = (id: number | undefined) => Object.entries(locationIds).find(([, other]) => other === id)?.[0];
    const { state, progress, boundFor, landings, contradictions } = computeReportedView(takenOff, ...messages);
    const stops = landings.map(({ airport, type }) => `${nameOf(airport)} ${type}`);
    expect([`${state} ${progress}`, `at ${nameOf(boundFor?.airport)}`, ...stops].join(', ')).toBe(expected);
    expect(contradictions).toEqual([]);
  });
});

const byNumber = '11:01 1.airport=paris 1.actualOn=11:00';

test.each([
  ['by number and by airport', [byNumber, '11:05 CDG.airport=paris CDG.actualOn=11:02'], ['11:02']],
  ['by number first, without a time yet', [byNumber, '10:30 CDG.airport=paris CDG.estimatedOn=11:10'], ['11:00']],
  [
    'by two codes of the airport',
    ['11:01 LFPG.airport=paris LFPG.actualOn=11:00', '11:02 CDG.airport=paris CDG.actualIn=11:10'],
    ['11:00'],
  ],
  ['and left again since', [byNumber, '12:01 CDG.airport=paris CDG.actualOff=12:00'], ['11:00']],
])('a landing that is reported under two IDs counts once: %s', (_, messages, times) => {
  const view = computeReportedView(takenOff, ...messages);
  expect(view.landings.map(({ actualOn }) => actualOn)).toEqual(times.map(toInstant));
  expect(view.progress).toBeLessThan(20);
  const orders = messages.toReversed();
  expect(computeReportedView(takenOff, ...orders)).toEqual(view);
});

test.each([
  [
    'a landing after a departure',
    [byNumber, '11:10 1.actualOff=11:10', '11:21 CDG.airport=paris CDG.actualOn=11:20'],
    ['11:00', '11:20'],
  ],
  [
    'landings of more than half an hour between',
    [byNumber, '11:40 CDG.airport=paris CDG.actualOn=11:31'],
    ['11:00', '11:31'],
  ],
  ['two numbers', [byNumber, '11:03 2.airport=paris 2.actualOn=11:02'], ['11:00', '11:02']],
  ['two airports', [byNumber, '11:03 LYS.airport=lyon LYS.actualOn=11:02'], ['11:00', '11:02']],
])('landings that differ count one by one: %s', (_, messages, times) => {
  const view = computeReportedView(takenOff, ...messages);
  expect(view.landings.map(({ actualOn }) => actualOn)).toEqual(times.map(toInstant));
});

test('an expected landing after a departure from the same airport is another one', () => {
  const view = computeReportedView(
    takenOff,
    byNumber,
    '11:10 1.actualOff=11:10',
    '11:20 CDG.airport=paris CDG.estimatedOn=11:40',
  );
  expect(view.landings.map(({ actualOn, estimatedOn }) => actualOn ?? estimatedOn)).toEqual([
    toInstant('11:00'),
    toInstant('11:40'),
  ]);
});
