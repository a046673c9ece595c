import { describe, expect, test } from 'vitest';
import type { LandingFacts } from '../../../src/domain/status/message.ts';
import { at, known, places, said, saidElsewhere, viewOf } from './observations.ts';

const takenOff = said('10:00', { actualOut: at('09:40'), actualOff: at('09:58') });
const paris = { id: 'CDG', airport: places.paris } as const;
const lyon = { id: 'LYS', airport: places.lyon } as const;

test('a flight in the air is bound for the airport it is diverted to', () => {
  const view = viewOf(
    takenOff,
    saidElsewhere('10:30', { ...paris, estimatedOn: at('11:00'), estimatedIn: at('11:10') }),
  );
  const landing = {
    airport: places.paris,
    type: 'Unplanned',
    estimatedOn: at('11:00'),
    estimatedIn: at('11:10'),
    actualOn: undefined,
    actualIn: undefined,
    actualOff: undefined,
    since: known('10:30'),
  };
  expect(view).toMatchObject({ state: 'inAir', progress: 2, landings: [landing], boundFor: landing });
});

test('a flight stands at the airport it was diverted to until it is in the air again, and is then bound for its destination', () => {
  const told = [
    [takenOff, 'inAir', places.paris],
    [saidElsewhere('11:01', { id: 'CDG', actualOn: at('11:00') }), 'Landed', places.paris],
    [saidElsewhere('11:11', { id: 'CDG', actualIn: at('11:10') }), 'InGate', places.paris],
    [saidElsewhere('12:01', { id: 'CDG', actualOut: at('12:00') }), 'OutGate', places.paris],
    [saidElsewhere('12:11', { id: 'CDG', actualOff: at('12:10') }), 'inAir', undefined],
    [said('19:01', { actualOn: at('19:00') }), 'Landed', undefined],
    [said('19:11', { actualIn: at('19:10') }), 'InGate', undefined],
  ] as const;
  const diversion = saidElsewhere('10:30', paris);
  const seen = told.map((_, index) => {
    const { state, boundFor } = viewOf(diversion, ...told.slice(0, index + 1).map(([message]) => message));
    return [state, boundFor?.airport];
  });
  expect(seen).toEqual(told.map(([, state, airport]) => [state, airport]));
});

describe('the type of a diversion', () => {
  test.each<[string, Partial<LandingFacts<number>>, string]>([
    ['is not known while nobody has said where to', { airport: undefined }, 'Undefined'],
    [
      'is not known either where the flight goes on from an unknown airport',
      { airport: undefined, actualOff: at('12:00') },
      'Undefined',
    ],
    ['is unplanned at another airport', {}, 'Unplanned'],
    ['is unplanned where the flight is said to end', { continues: false }, 'Unplanned'],
    ['is a technical stop where the flight is said to go on', { continues: true }, 'TechnicalStop'],
    ['is a technical stop where the flight has left the gate again', { actualOut: at('12:00') }, 'TechnicalStop'],
    [
      'is a technical stop where the flight has gone on, whatever was said before',
      { continues: false, actualOff: at('12:00') },
      'TechnicalStop',
    ],
    ['is a return at the departure airport', { airport: places.london }, 'InAirReturn'],
    ['is a return even when the flight goes on', { airport: places.london, actualOff: at('12:00') }, 'InAirReturn'],
    ['is what the source says', { airport: places.london, type: 'Unplanned' }, 'Unplanned'],
    [
      'is what the source says, of an unknown airport too',
      { airport: undefined, type: 'TechnicalStop' },
      'TechnicalStop',
    ],
    ['is left to the rules again when the source takes it back', { type: null }, 'Unplanned'],
  ])('%s', (_, facts, type) => {
    const view = viewOf(takenOff, saidElsewhere('12:30', { ...paris, ...facts }));
    expect(view.landings.map((landing) => landing.type)).toEqual([type]);
  });

  test('is a technical stop when the flight reached its destination, though nobody told when it left the other airport', () => {
    const landed = saidElsewhere('11:01', { ...paris, actualOn: at('11:00') });
    const view = viewOf(takenOff, landed, said('19:00', { actualOn: at('18:59') }));
    expect(view).toMatchObject({ state: 'Landed', boundFor: undefined, landings: [{ type: 'TechnicalStop' }] });
  });
});

test('a diversion that is taken back is as if it had never been', () => {
  const diverted = saidElsewhere('10:30', { ...paris, actualOn: at('10:50') });
  const view = viewOf(takenOff, diverted, saidElsewhere('11:00', { id: 'CDG', airport: null }));
  expect(view).toEqual(viewOf(takenOff));
});

test.each([
  [{ actualOn: at('18:00') }, 'Landed', 3],
  [{ actualIn: at('18:00') }, 'InGate', 4],
])('a flight to be diverted that came to its destination all the same is there: %j', (facts, state, progress) => {
  const view = viewOf(takenOff, saidElsewhere('10:30', paris), said('18:10', facts));
  expect(view).toMatchObject({ state, progress, boundFor: undefined, landings: [{ airport: places.paris }] });
});

test('a diversion to an airport nobody has named is one all the same', () => {
  const view = viewOf(takenOff, saidElsewhere('10:30', { id: '1' }));
  expect(view).toMatchObject({ state: 'inAir', boundFor: { airport: undefined, type: 'Undefined' } });
});

describe('two landings', () => {
  const atParis = { ...paris, actualOn: at('11:00'), actualOff: at('12:00') };

  test('are in the order of their times, whichever was told first', () => {
    const later = saidElsewhere('13:10', { ...lyon, actualOn: at('13:00') });
    const view = viewOf(takenOff, later, saidElsewhere('13:30', atParis));
    expect(view).toMatchObject({
      state: 'Landed',
      boundFor: { airport: places.lyon },
      landings: [
        { airport: places.paris, type: 'TechnicalStop' },
        { airport: places.lyon, type: 'Unplanned' },
      ],
      contradictions: [],
    });
  });

  test('of which one is ahead: the flight is bound for it', () => {
    const view = viewOf(takenOff, saidElsewhere('12:10', atParis), saidElsewhere('12:30', lyon));
    expect(view).toMatchObject({
      state: 'inAir',
      boundFor: { airport: places.lyon },
      landings: [{ airport: places.paris }, { airport: places.lyon }],
    });
  });

  test('both ahead and told in one message: the flight is bound for the first of them', () => {
    const both = [
      { ...lyon, estimatedOn: at('13:00') },
      { ...paris, estimatedOn: at('11:00') },
    ];
    const view = viewOf(takenOff, saidElsewhere('10:30', ...both));
    expect(view).toMatchObject({
      boundFor: { airport: places.paris },
      landings: [{ airport: places.paris }, { airport: places.lyon }],
    });
  });

  test('of which one was never made and another named later: it was given up', () => {
    const toParis = saidElsewhere('10:20', { ...paris, estimatedOn: at('11:00') });
    const toLyon = saidElsewhere('10:40', { ...lyon, estimatedOn: at('10:55') });
    const landed = saidElsewhere('11:00', { id: 'LYS', actualOn: at('10:54') });
    for (const messages of [
      [toParis, toLyon],
      [toParis, toLyon, landed],
    ]) {
      const view = viewOf(takenOff, ...messages);
      expect(view).toMatchObject({ boundFor: { airport: places.lyon }, landings: [{ airport: places.lyon }] });
      expect(view.landings).toHaveLength(1);
    }
  });

  test('a landing that was made stays, though another is named later', () => {
    const landed = saidElsewhere('11:00', { ...paris, actualOn: at('10:54') });
    const view = viewOf(takenOff, landed, saidElsewhere('11:30', lyon));
    expect(view).toMatchObject({ state: 'Landed', boundFor: { airport: places.paris } });
    expect(view.landings).toHaveLength(2);
  });

  test('a flight that goes on twice counts the legs it has begun', () => {
    const atLyon = { ...lyon, actualOn: at('13:00'), actualOff: at('14:00') };
    const view = viewOf(takenOff, saidElsewhere('14:10', atParis, atLyon), said('20:00', { actualIn: at('19:59') }));
    expect(view).toMatchObject({ state: 'InGate', progress: 24, boundFor: undefined });
    expect(view.landings.map(({ type }) => type)).toEqual(['TechnicalStop', 'TechnicalStop']);
  });
});
