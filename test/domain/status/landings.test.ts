import { describe, expect, test } from 'vitest';
import type { LandingFacts } from '../../../src/domain/status/message.ts';
import {
  toInstant,
  toMessageTime,
  locationIds,
  createObservation,
  createLandingObservation,
  computeView,
} from './observations.ts';

const takenOff = createObservation('10:00', { actualOut: toInstant('09:40'), actualOff: toInstant('09:58') });
const paris = { id: 'CDG', airport: locationIds.paris } as const;
const lyon = { id: 'LYS', airport: locationIds.lyon } as const;

test('a flight in the air is bound for its diversion airport', () => {
  const view = computeView(
    takenOff,
    createLandingObservation('10:30', { ...paris, estimatedOn: toInstant('11:00'), estimatedIn: toInstant('11:10') }),
  );
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
    [createLandingObservation('11:01', { id: 'CDG', actualOn: toInstant('11:00') }), 'Landed', locationIds.paris],
    [createLandingObservation('11:11', { id: 'CDG', actualIn: toInstant('11:10') }), 'InGate', locationIds.paris],
    [createLandingObservation('12:01', { id: 'CDG', actualOut: toInstant('12:00') }), 'OutGate', locationIds.paris],
    [createLandingObservation('12:11', { id: 'CDG', actualOff: toInstant('12:10') }), 'inAir', undefined],
    [createObservation('19:01', { actualOn: toInstant('19:00') }), 'Landed', undefined],
    [createObservation('19:11', { actualIn: toInstant('19:10') }), 'InGate', undefined],
  ] as const;
  const diversion = createLandingObservation('10:30', paris);
  const seen = messages.map((_, index) => {
    const { state, boundFor } = computeView(diversion, ...messages.slice(0, index + 1).map(([message]) => message));
    return [state, boundFor?.airport];
  });
  expect(seen).toEqual(messages.map(([, state, airport]) => [state, airport]));
});

describe('the type of a diversion', () => {
  test.each<[string, Partial<LandingFacts<number>>, string]>([
    ['is unknown while no source has reported its airport', { airport: undefined }, 'Undefined'],
    [
      'is unknown where the flight continues from an unknown airport',
      { airport: undefined, actualOff: toInstant('12:00') },
      'Undefined',
    ],
    ['is unplanned at another airport', {}, 'Unplanned'],
    ['is unplanned where the flight is reported to end', { continues: false }, 'Unplanned'],
    ['is a technical stop where the flight is reported to continue', { continues: true }, 'TechnicalStop'],
    [
      'is a technical stop where the flight has left the gate again',
      { actualOut: toInstant('12:00') },
      'TechnicalStop',
    ],
    [
      'is a technical stop where the flight has continued, whatever was reported before',
      { continues: false, actualOff: toInstant('12:00') },
      'TechnicalStop',
    ],
    ['is a return at the departure airport', { airport: locationIds.london }, 'InAirReturn'],
    [
      'is a return even when the flight continues',
      { airport: locationIds.london, actualOff: toInstant('12:00') },
      'InAirReturn',
    ],
    ['is the reported one', { airport: locationIds.london, type: 'Unplanned' }, 'Unplanned'],
    ['is the reported one, of an unknown airport too', { airport: undefined, type: 'TechnicalStop' }, 'TechnicalStop'],
    ['is derived again when the source withdraws it', { type: null }, 'Unplanned'],
  ])('%s', (_, facts, type) => {
    const view = computeView(takenOff, createLandingObservation('12:30', { ...paris, ...facts }));
    expect(view.landings.map((landing) => landing.type)).toEqual([type]);
  });

  test('is a technical stop when the flight reached its destination, even without a departure time', () => {
    const landed = createLandingObservation('11:01', { ...paris, actualOn: toInstant('11:00') });
    const view = computeView(takenOff, landed, createObservation('19:00', { actualOn: toInstant('18:59') }));
    expect(view).toMatchObject({ state: 'Landed', boundFor: undefined, landings: [{ type: 'TechnicalStop' }] });
  });
});

test('a withdrawn diversion leaves no trace', () => {
  const diverted = createLandingObservation('10:30', { ...paris, actualOn: toInstant('10:50') });
  const view = computeView(takenOff, diverted, createLandingObservation('11:00', { id: 'CDG', airport: null }));
  expect(view).toEqual(computeView(takenOff));
});

test.each([
  [{ actualOn: toInstant('18:00') }, 'Landed', 3],
  [{ actualIn: toInstant('18:00') }, 'InGate', 4],
])('a flight with an expected diversion that reached its destination is there: %j', (facts, state, progress) => {
  const view = computeView(takenOff, createLandingObservation('10:30', paris), createObservation('18:10', facts));
  expect(view).toMatchObject({ state, progress, boundFor: undefined, landings: [{ airport: locationIds.paris }] });
});

test('a diversion without a known airport is a diversion', () => {
  const view = computeView(takenOff, createLandingObservation('10:30', { id: '1' }));
  expect(view).toMatchObject({ state: 'inAir', boundFor: { airport: undefined, type: 'Undefined' } });
});

describe('two landings', () => {
  const atParis = { ...paris, actualOn: toInstant('11:00'), actualOff: toInstant('12:00') };

  test('are ordered by their times, not by their reports', () => {
    const later = createLandingObservation('13:10', { ...lyon, actualOn: toInstant('13:00') });
    const view = computeView(takenOff, later, createLandingObservation('13:30', atParis));
    expect(view).toMatchObject({
      state: 'Landed',
      boundFor: { airport: locationIds.lyon },
      landings: [
        { airport: locationIds.paris, type: 'TechnicalStop' },
        { airport: locationIds.lyon, type: 'Unplanned' },
      ],
      contradictions: [],
    });
  });

  test('one of them ahead: the flight is bound for it', () => {
    const view = computeView(
      takenOff,
      createLandingObservation('12:10', atParis),
      createLandingObservation('12:30', lyon),
    );
    expect(view).toMatchObject({
      state: 'inAir',
      boundFor: { airport: locationIds.lyon },
      landings: [{ airport: locationIds.paris }, { airport: locationIds.lyon }],
    });
  });

  test('both expected and reported in one message: the flight is bound for the first', () => {
    const both = [
      { ...lyon, estimatedOn: toInstant('13:00') },
      { ...paris, estimatedOn: toInstant('11:00') },
    ];
    const view = computeView(takenOff, createLandingObservation('10:30', ...both));
    expect(view).toMatchObject({
      boundFor: { airport: locationIds.paris },
      landings: [{ airport: locationIds.paris }, { airport: locationIds.lyon }],
    });
  });

  test('an incomplete one and a later report of another: the first is dropped', () => {
    const toParis = createLandingObservation('10:20', { ...paris, estimatedOn: toInstant('11:00') });
    const toLyon = createLandingObservation('10:40', { ...lyon, estimatedOn: toInstant('10:55') });
    const landed = createLandingObservation('11:00', { id: 'LYS', actualOn: toInstant('10:54') });
    for (const messages of [
      [toParis, toLyon],
      [toParis, toLyon, landed],
    ]) {
      const view = computeView(takenOff, ...messages);
      expect(view).toMatchObject({
        boundFor: { airport: locationIds.lyon },
        landings: [{ airport: locationIds.lyon }],
      });
      expect(view.landings).toHaveLength(1);
    }
  });

  test('a completed landing remains when another is reported later', () => {
    const landed = createLandingObservation('11:00', { ...paris, actualOn: toInstant('10:54') });
    const view = computeView(takenOff, landed, createLandingObservation('11:30', lyon));
    expect(view).toMatchObject({ state: 'Landed', boundFor: { airport: locationIds.paris } });
    expect(view.landings).toHaveLength(2);
  });

  test('a flight that continues twice counts the legs it has begun', () => {
    const atLyon = { ...lyon, actualOn: toInstant('13:00'), actualOff: toInstant('14:00') };
    const view = computeView(
      takenOff,
      createLandingObservation('14:10', atParis, atLyon),
      createObservation('20:00', { actualIn: toInstant('19:59') }),
    );
    expect(view).toMatchObject({ state: 'InGate', progress: 24, boundFor: undefined });
    expect(view.landings.map(({ type }) => type)).toEqual(['TechnicalStop', 'TechnicalStop']);
  });
});
