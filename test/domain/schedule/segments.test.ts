import { describe, expect, test } from 'vitest';
import type { Company, FlightSegment, Itinerary, ScheduleLeg } from '#domain/schedule/schedule.ts';
import type { SegmentData } from '#domain/schedule/schedule.ts';
import { buildSegments } from '#domain/schedule/segments.ts';
import { sampleLeg } from './sample-leg.ts';

const stations = ['SYD', 'SIN', 'LHR', 'JFK'];

/** Leg `sequence` of XX 301, from the station of that number to the next. */
const leg = (sequence: number, facts: Partial<ScheduleLeg> = {}): ScheduleLeg => {
  const [board = '', off = ''] = stations.slice(sequence - 1);
  return {
    ...sampleLeg,
    line: sequence,
    sequence,
    departure: { ...sampleLeg.departure, station: board, dateVariation: sequence - 1, terminal: `D${sequence}` },
    arrival: { ...sampleLeg.arrival, station: off, dateVariation: sequence - 1, terminal: `A${sequence}` },
    bookingClasses: 'JY',
    ...facts,
  };
};

/** Data for the points `AB`, `AC` ... of XX 301. */
const data = (dei: number, points: string, text = ''): SegmentData => {
  const [boardIndex, offIndex] = [points.charCodeAt(0) - 65, points.charCodeAt(1) - 65];
  const [boardStation = '', offStation = ''] = [stations[boardIndex], stations[offIndex]];
  return { dei, boardStation, offStation, boardIndex, offIndex, data: text, line: 0 };
};

type Legs = readonly [ScheduleLeg, ...ScheduleLeg[]];
const itineraryOf = (legs: Legs, ...segmentData: readonly SegmentData[]): Itinerary => ({
  legs,
  segmentData,
  complete: true,
});

/** The only segment of a single leg. */
const single = (facts: Partial<ScheduleLeg>, ...segmentData: readonly SegmentData[]): FlightSegment | undefined =>
  buildSegments(itineraryOf([leg(1, facts)], ...segmentData))[0];

/** First leg, second leg and the whole flight. */
const three = (
  first: Partial<ScheduleLeg>,
  second: Partial<ScheduleLeg>,
  ...segmentData: readonly SegmentData[]
): readonly FlightSegment[] => buildSegments(itineraryOf([leg(1, first), leg(2, second)], ...segmentData));

test('a leg without filed data has an empty segment', () => {
  expect(buildSegments(itineraryOf([leg(1)]))).toEqual([
    {
      carrier: 'XX',
      flightNumber: 301,
      suffix: '',
      legs: [leg(1)],
      itinerary: 1,
      sequence: 1,
      serviceType: 'J',
      equipment: '789',
      legEquipment: ['789'],
      jointOperators: [],
      marketingFlights: [],
      isMarketing: false,
      departureTerminal: 'D1',
      arrivalTerminal: 'A1',
      bookingClasses: ['J', 'Y'].map((code) => ({ code, meal: '' })),
      freightClasses: [],
      restrictions: [],
      planeChangeWithoutTypeChange: false,
      inFlightServices: [],
      automatedCheckIn: false,
      electronicTicketing: false,
      secureFlight: false,
      governmentApproval: false,
    },
  ]);
});

describe('the segments of a flight', () => {
  const routes = (itinerary: Itinerary): readonly string[] =>
    buildSegments(itinerary).map(({ legs }) =>
      [...legs.map(({ departure }) => departure.station), legs.at(-1)?.arrival.station].join('-'),
    );

  test('each leg, and the whole flight once', () => {
    expect(routes(itineraryOf([leg(1), leg(2), leg(3)]))).toEqual(['SYD-SIN', 'SIN-LHR', 'LHR-JFK', 'SYD-SIN-LHR-JFK']);
  });

  test('a circular flight is a whole flight too', () => {
    const back = { ...leg(2).arrival, station: 'SYD' };
    expect(routes(itineraryOf([leg(1), leg(2, { arrival: back })]))).toEqual(['SYD-SIN', 'SIN-SYD', 'SYD-SIN-SYD']);
  });

  test('only the legs when one of them is missing', () => {
    expect(routes({ legs: [leg(1), leg(3)], segmentData: [], complete: false })).toEqual(['SYD-SIN', 'LHR-JFK']);
  });
});

describe('the operator', () => {
  const owner = { code: 'OO', name: 'OWNER LTD' };
  const operator = { code: 'OP', name: 'OPERATOR' };

  test.each<[ScheduleLeg['disclosure'], Company | undefined, string, boolean, Company | undefined]>([
    ['L', owner, 'OP /OPERATOR', true, owner],
    ['S', owner, 'OP /OPERATOR', false, owner],
    ['X', owner, 'OP /OPERATOR', false, operator],
    ['Z', owner, 'OP /OPERATOR', true, operator],
    ['', owner, 'OP /OPERATOR', false, undefined],
    ['Z', owner, '', true, owner],
    ['L', undefined, '/OPERATOR', true, { code: '', name: 'OPERATOR' }],
    ['L', undefined, '', true, undefined],
    ['L', { code: 'OP', name: '' }, 'OP /OPERATOR', true, operator],
  ])(
    'disclosure "%s", owner %j, element 127 "%s": marketing flight %s of %j',
    (disclosure, company, text, ...expected) => {
      const facts = { disclosure, ...(company && { aircraftOwner: company }) };
      const segment = single(facts, ...(text === '' ? [] : [data(127, 'AB', text)]));
      expect([segment?.isMarketing, segment?.operatingAirlineDisclosure]).toEqual(expected);
    },
  );

  const flight = (carrier: string, flightNumber: number, suffix = '') => ({ carrier, flightNumber, suffix });

  test.each([
    ['element 50 names the operating flight', [data(50, 'AB', 'YY  101A')], [true, flight('YY', 101, 'A'), []]],
    [
      'element 10 lists the marketing flights, over several records, each once',
      [data(10, 'AB', 'YY 5101 /ZZ 6101'), data(10, 'AB', 'YY 5101 /QQQ0007B')],
      [false, undefined, [flight('YY', 5101), flight('ZZ', 6101), flight('QQQ', 7, 'B')]],
    ],
  ])('%s', (_, filed, expected) => {
    const segment = single({}, ...filed);
    expect([segment?.isMarketing, segment?.operatingFlight, segment?.marketingFlights]).toEqual(expected);
  });

  test('a whole flight has the references filed for it, else those its legs share', () => {
    const shared = three({}, {}, data(10, 'AB', 'YY 5101 /ZZ 0001 '), data(10, 'BC', 'YY 5101 '));
    const filed = three({}, {}, data(10, 'AB', 'YY 5101 '), data(10, 'BC', 'YY 5101 '), data(10, 'AC', 'ZZ 0009 '));
    const flights = [shared, filed].map((segments) => segments[2]?.marketingFlights);
    expect(flights).toEqual([[flight('YY', 5101)], [flight('ZZ', 9)]]);
  });

  test('a whole flight is a marketing flight as soon as one leg is, and names an operator only when all legs have the same', () => {
    const owned = { disclosure: 'L', aircraftOwner: owner } as const;
    const half = three({}, owned, data(50, 'BC', 'OO 0001 '));
    const summary = half.map(({ isMarketing, operatingAirlineDisclosure, operatingFlight }) =>
      [isMarketing, operatingAirlineDisclosure?.code, operatingFlight?.flightNumber].join(' '),
    );
    expect(summary).toEqual(['false  ', 'true OO 1', 'true  ']);
    expect(three(owned, owned)[2]?.operatingAirlineDisclosure).toEqual(owner);
  });

  test('the joint operators and crews of a whole flight are those of all its legs', () => {
    const crew = { code: 'CC', name: '' };
    const first = { jointOperators: ['AA', 'BB'], cockpitCrew: crew, cabinCrew: crew };
    const [, second, whole] = three(first, { jointOperators: ['BB'], cockpitCrew: crew });
    const names = (codes: string) => codes.split(' ').map((code) => ({ code, name: '' }));
    expect([second?.jointOperators, whole?.jointOperators]).toEqual([names('BB'), names('BB')]);
    expect([whole?.cockpitCrew, whole?.cabinCrew]).toEqual([crew, undefined]);
    expect(three({}, {}, data(125, 'AC', 'DD /EE '))[2]?.jointOperators).toEqual(names('DD EE'));
  });
});

describe('classes and meals', () => {
  const classesOf = (segment: FlightSegment | undefined): string =>
    (segment?.bookingClasses ?? []).map(({ code, meal }) => `${code}:${meal}`).join(' ');

  test.each([
    ['meals are filed at the position of the class', { bookingClasses: 'FJY', meals: 'LDS  B' }, [], 'F:LD J:S Y:B'],
    [
      'elements 101 and 111 replace the classes and meals of a segment',
      { bookingClasses: 'FJY', meals: 'L L L' },
      [data(101, 'AB', 'JY'), data(111, 'AB', 'JDB/YS')],
      'J:DB Y:S',
    ],
    ['element 111 can apply to all classes', { bookingClasses: 'JY' }, [data(111, 'AB', '//M')], 'J:M Y:M'],
  ])('%s', (_, facts, filed, expected) => {
    expect(classesOf(single(facts, ...filed))).toBe(expected);
  });

  test('a whole flight sells the classes common to all legs, and serves the meals of its legs', () => {
    const [, , whole] = three({ bookingClasses: 'FJY', meals: '  L B' }, { bookingClasses: 'YJ', meals: 'B S' });
    expect(classesOf(whole)).toBe('J:LS Y:B');
  });

  test('a whole flight has the fewest seats of each cabin and the least freight', () => {
    const [first, , whole] = three({ configuration: 'F8J40Y200LL10PP04' }, { configuration: 'J50W20Y180LL08' });
    const seats = { first: 8, business: 40, premiumEconomy: 0, economyPlus: undefined, economy: 200, total: 248 };
    expect(first?.seats).toEqual(seats);
    expect(whole?.seats).toEqual({ ...seats, first: 0, economy: 180, total: 220 });
    expect(whole?.freightClasses).toEqual([{ code: 'LL', quantity: '08' }]);
  });

  test('seats are unknown when those of one leg are', () => {
    const segments = [three({ configuration: 'Y100' }, {})[2], single({ configuration: 'Q5' })];
    expect(segments.map((segment) => segment?.seats)).toEqual([undefined, undefined]);
  });
});

describe('traffic restrictions', () => {
  const everything = { passenger: true, cargo: true, mail: true, boardPoint: true, offPoint: true };

  test('are in the record of the board point, one for each later station', () => {
    const legs = [leg(1, { trafficRestrictions: 'A K' }), leg(2, { trafficRestrictions: 'YB' }), leg(3)] as const;
    const segments = buildSegments(itineraryOf(legs));
    expect(segments.map(({ restrictions }) => restrictions)).toEqual([
      [{ number: 1, code: 'A', ...everything }],
      [{ number: 1, code: 'Y', ...everything }],
      [],
      [{ number: 1, code: 'K', ...everything }],
    ]);
  });

  test.each([
    [
      'elements 170, 172 and 173, by kind of traffic',
      [data(170, 'AB', 'K'), data(172, 'AB', 'A'), data(173, 'AB', 'H')],
      [
        { ...everything, number: 1, code: 'K', cargo: false, mail: false },
        { ...everything, number: 2, code: 'A', passenger: false, mail: false },
        { ...everything, number: 3, code: 'H', passenger: false, cargo: false },
      ],
    ],
    ['element 171', [data(171, 'AB', 'A')], [{ ...everything, number: 1, code: 'A', passenger: false }]],
    ['element 8', [data(8, 'AB', 'O')], [{ ...everything, number: 1, code: 'O' }]],
    ['no element, and stays', [], [{ ...everything, number: 1, code: 'Z' }]],
  ])('Z refers to %s', (_, filed, expected) => {
    expect(single({ trafficRestrictions: 'Z' }, ...filed)?.restrictions).toEqual(expected);
  });

  test('may come from element 8 of a whole flight', () => {
    expect(three({}, {}, data(8, 'AC', 'O'))[2]?.restrictions).toEqual([{ number: 1, code: 'O', ...everything }]);
  });

  test('elements 710 to 712 contain the points at which they hold', () => {
    const pointsOf = (dei: number) => single({ trafficRestrictions: 'A' }, data(dei, 'AB'))?.restrictions;
    const restriction = { ...everything, number: 1, code: 'A' };
    expect(pointsOf(710)).toEqual([{ ...restriction, boardPoint: true, offPoint: false }]);
    expect(pointsOf(711)).toEqual([{ ...restriction, boardPoint: false, offPoint: true }]);
    expect(pointsOf(712)).toEqual([restriction]);
  });
});

test('a whole flight starts at the first terminal, ends at the last, and segment terminals override both', () => {
  const terminals = (...filed: readonly SegmentData[]) =>
    three({}, {}, ...filed).map(({ departureTerminal, arrivalTerminal }) => `${departureTerminal} ${arrivalTerminal}`);
  expect(terminals()).toEqual(['D1 A1', 'D2 A2', 'D1 A2']);
  const overrides = [data(199, 'AC', 'T9'), data(198, 'AC', '0'), data(198, 'AB', '7')];
  expect(terminals(...overrides)).toEqual(['D1 7', 'D2 A2', 'T9 ']);
});

test('remarks of an element belong to the points they are filed for', () => {
  const texts = '210AC 501AB0526_9 502ACX 299BC 504ACS 201BC 121AC77W 503AC1/2'.split(' ');
  const filed = texts.map((text) => data(Number(text.slice(0, 3)), text.slice(3, 5), text.slice(5).replace('_', ' ')));
  const services = three({ inFlightServices: ['9', '3'] }, { inFlightServices: ['3'] }, ...filed).map((segment) => [
    segment.planeChangeWithoutTypeChange,
    segment.punctuality?.indicator,
    segment.punctuality?.delaysAndCancellations,
    segment.automatedCheckIn,
    segment.secureFlight,
    segment.governmentApproval,
    segment.equipment,
    segment.inFlightServices,
  ]);
  expect(services).toEqual([
    [false, '0526 9', '', false, false, false, '789', ['9', '3']],
    [false, undefined, undefined, true, false, true, '789', ['3']],
    [true, '', 'X', false, true, true, '77W', ['1', '2']],
  ]);
});

const ticketing = { electronicTicketing: true };

test.each([
  ['that of all legs', ticketing, ticketing, [], [true, true, true]],
  ['none where a leg has none', ticketing, {}, [], [true, false, false]],
  ['filed for the whole flight', {}, {}, [data(505, 'AC', 'ET')], [false, false, true]],
  ['excluded for a leg', ticketing, ticketing, [data(505, 'BC', 'EN')], [true, false, true]],
])('electronic ticketing is %s', (_, first, second, filed, expected) => {
  expect(three(first, second, ...filed).map(({ electronicTicketing }) => electronicTicketing)).toEqual(expected);
});

test('data filed for any points apply to all segments, and data filed for one override them', () => {
  const open: SegmentData = { ...data(503, 'AB', '4'), boardStation: '', offStation: '', boardIndex: -1, offIndex: -1 };
  const services = three({}, {}, open, data(503, 'BC', '7')).map(({ inFlightServices }) => inFlightServices.join(' '));
  expect(services).toEqual(['4', '7', '4']);
});
