import { describe, expect, test } from 'vitest';

import { localDate } from '../../../src/domain/time/dates.ts';
import { EVERY_DAY } from '../../../src/domain/time/period.ts';
import type { FlightSegment, Itinerary, ScheduleLeg, SegmentData } from '../../../src/domain/schedule/schedule.ts';
import { buildSegments } from '../../../src/domain/schedule/segments.ts';

const stations = ['SYD', 'SIN', 'LHR', 'JFK'];

/** Leg `sequence` of XX 301, from the station of that number to the next. */
const leg = (sequence: number, facts: Partial<ScheduleLeg> = {}): ScheduleLeg => {
  const end = {
    passengerMinutes: 600,
    aircraftMinutes: 600,
    utcVariationMinutes: 0,
    dateVariation: sequence - 1,
    terminal: '',
    mctStatus: '',
  } as const;
  return {
    carrier: 'XX',
    flightNumber: 301,
    suffix: '',
    line: sequence,
    itinerary: 1,
    sequence,
    serviceType: 'J',
    timeMode: 'local',
    period: { from: localDate('2026-06-01'), to: localDate('2026-06-30'), days: EVERY_DAY, everyWeeks: 1 },
    departure: { ...end, station: stations[sequence - 1] ?? '', terminal: `D${sequence}` },
    arrival: {
      ...end,
      station: stations[sequence] ?? '',
      passengerMinutes: 720,
      aircraftMinutes: 720,
      terminal: `A${sequence}`,
    },
    equipment: '789',
    bookingClasses: 'JY',
    bookingModifiers: '',
    meals: '',
    jointOperators: [],
    secureFlight: '',
    aircraftOwner: { code: '', name: '' },
    cockpitCrew: { code: '', name: '' },
    cabinCrew: { code: '', name: '' },
    disclosure: '',
    trafficRestrictions: '',
    configuration: '',
    electronicTicketing: undefined,
    inFlightServices: [],
    ...facts,
  };
};

/** Data for the points `AB`, `AC` ... of XX 301. */
const data = (dei: number, points: string, text = ''): SegmentData => {
  const [boardIndex, offIndex] = [points.charCodeAt(0) - 65, points.charCodeAt(1) - 65];
  return {
    dei,
    boardStation: stations[boardIndex] ?? '',
    offStation: stations[offIndex] ?? '',
    boardIndex,
    offIndex,
    data: text,
    line: 0,
  };
};

const itineraryOf = (
  legs: readonly [ScheduleLeg, ...ScheduleLeg[]],
  ...segmentData: readonly SegmentData[]
): Itinerary => ({ legs, segmentData, complete: true });

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
      operatingAirlineDisclosure: undefined,
      aircraftOwner: undefined,
      cockpitCrew: undefined,
      cabinCrew: undefined,
      marketingFlights: [],
      operatingFlight: undefined,
      isMarketing: false,
      departureTerminal: 'D1',
      arrivalTerminal: 'A1',
      bookingClasses: [
        { code: 'J', meal: '' },
        { code: 'Y', meal: '' },
      ],
      freightClasses: [],
      seats: undefined,
      restrictions: [],
      planeChangeWithoutTypeChange: false,
      punctuality: undefined,
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

  test.each([
    ['L', true, owner],
    ['S', false, owner],
    ['X', false, { code: 'OP', name: 'OPERATOR' }],
    ['Z', true, { code: 'OP', name: 'OPERATOR' }],
    ['', false, undefined],
  ] as const)('disclosure "%s" makes a marketing flight: %s', (disclosure, isMarketing, company) => {
    const segment = single({ disclosure, aircraftOwner: owner }, data(127, 'AB', 'OP /OPERATOR'));
    expect([segment?.isMarketing, segment?.operatingAirlineDisclosure]).toEqual([isMarketing, company]);
  });

  test('X and Z without a name use the owner, L and S without an owner use the name', () => {
    expect(single({ disclosure: 'Z', aircraftOwner: owner })?.operatingAirlineDisclosure).toEqual(owner);
    expect(single({ disclosure: 'L' }, data(127, 'AB', '/OPERATOR'))?.operatingAirlineDisclosure).toEqual({
      code: '',
      name: 'OPERATOR',
    });
    expect(single({ disclosure: 'L' })?.operatingAirlineDisclosure).toBeUndefined();
  });

  test('the owner has the name that element 127 gives the same airline', () => {
    const segment = single(
      { disclosure: 'L', aircraftOwner: { code: 'OP', name: '' } },
      data(127, 'AB', 'OP /OPERATOR'),
    );
    expect(segment?.operatingAirlineDisclosure).toEqual({ code: 'OP', name: 'OPERATOR' });
  });

  test('element 50 names the operating flight and makes a marketing flight', () => {
    const segment = single({}, data(50, 'AB', 'YY  101A'));
    expect([segment?.isMarketing, segment?.operatingFlight, segment?.marketingFlights]).toEqual([
      true,
      { carrier: 'YY', flightNumber: 101, suffix: 'A' },
      [],
    ]);
  });

  test('element 10 lists the marketing flights, over several records, each once', () => {
    const segment = single({}, data(10, 'AB', 'YY 5101 /ZZ 6101'), data(10, 'AB', 'YY 5101 /QQQ0007B'));
    expect([segment?.isMarketing, segment?.operatingFlight, segment?.marketingFlights]).toEqual([
      false,
      undefined,
      [
        { carrier: 'YY', flightNumber: 5101, suffix: '' },
        { carrier: 'ZZ', flightNumber: 6101, suffix: '' },
        { carrier: 'QQQ', flightNumber: 7, suffix: 'B' },
      ],
    ]);
  });

  test('a whole flight has the references filed for it, else those its legs share', () => {
    const shared = three({}, {}, data(10, 'AB', 'YY 5101 /ZZ 0001 '), data(10, 'BC', 'YY 5101 '));
    expect(shared[2]?.marketingFlights).toEqual([{ carrier: 'YY', flightNumber: 5101, suffix: '' }]);
    const filed = three({}, {}, data(10, 'AB', 'YY 5101 '), data(10, 'BC', 'YY 5101 '), data(10, 'AC', 'ZZ 0009 '));
    expect(filed[2]?.marketingFlights).toEqual([{ carrier: 'ZZ', flightNumber: 9, suffix: '' }]);
  });

  test('a whole flight is a marketing flight as soon as one leg is, and names an operator only when all legs have the same', () => {
    const half = three({}, { disclosure: 'L', aircraftOwner: owner }, data(50, 'BC', 'OO 0001 '));
    expect(
      half.map(({ isMarketing, operatingAirlineDisclosure, operatingFlight }) => [
        isMarketing,
        operatingAirlineDisclosure?.code,
        operatingFlight?.flightNumber,
      ]),
    ).toEqual([
      [false, undefined, undefined],
      [true, 'OO', 1],
      [true, undefined, undefined],
    ]);
    expect(
      three({ disclosure: 'L', aircraftOwner: owner }, { disclosure: 'L', aircraftOwner: owner })[2]
        ?.operatingAirlineDisclosure,
    ).toEqual(owner);
  });

  test('the joint operators and crews of a whole flight are those of all its legs', () => {
    const crew = { code: 'CC', name: '' };
    const [, second, whole] = three(
      { jointOperators: ['AA', 'BB'], cockpitCrew: crew, cabinCrew: crew },
      { jointOperators: ['BB'], cockpitCrew: crew },
    );
    expect([second?.jointOperators, whole?.jointOperators, whole?.cockpitCrew, whole?.cabinCrew]).toEqual([
      [{ code: 'BB', name: '' }],
      [{ code: 'BB', name: '' }],
      crew,
      undefined,
    ]);
    expect(three({}, {}, data(125, 'AC', 'DD /EE '))[2]?.jointOperators).toEqual([
      { code: 'DD', name: '' },
      { code: 'EE', name: '' },
    ]);
  });
});

describe('classes and meals', () => {
  test('classes have the meals filed at the same position', () => {
    expect(single({ bookingClasses: 'FJY', meals: 'LDS  B' })?.bookingClasses).toEqual([
      { code: 'F', meal: 'LD' },
      { code: 'J', meal: 'S' },
      { code: 'Y', meal: 'B' },
    ]);
  });

  test('element 101 replaces the classes and element 111 the meals of a segment', () => {
    expect(
      single({ bookingClasses: 'FJY', meals: 'L L L' }, data(101, 'AB', 'JY'), data(111, 'AB', 'JDB/YS'))
        ?.bookingClasses,
    ).toEqual([
      { code: 'J', meal: 'DB' },
      { code: 'Y', meal: 'S' },
    ]);
    expect(single({ bookingClasses: 'JY' }, data(111, 'AB', '//M'))?.bookingClasses).toEqual([
      { code: 'J', meal: 'M' },
      { code: 'Y', meal: 'M' },
    ]);
  });

  test('a whole flight sells the classes common to all legs, and serves the meals of its legs', () => {
    expect(
      three({ bookingClasses: 'FJY', meals: '  L B' }, { bookingClasses: 'YJ', meals: 'B S' })[2]?.bookingClasses,
    ).toEqual([
      { code: 'J', meal: 'LS' },
      { code: 'Y', meal: 'B' },
    ]);
  });

  test('a whole flight has the fewest seats of each cabin and the least freight', () => {
    const [first, , whole] = three({ configuration: 'F8J40Y200LL10PP04' }, { configuration: 'J50W20Y180LL08' });
    expect(first?.seats).toEqual({
      first: 8,
      business: 40,
      premiumEconomy: 0,
      economyPlus: undefined,
      economy: 200,
      total: 248,
    });
    expect(whole?.seats).toEqual({
      first: 0,
      business: 40,
      premiumEconomy: 0,
      economyPlus: undefined,
      economy: 180,
      total: 220,
    });
    expect(whole?.freightClasses).toEqual([{ code: 'LL', quantity: '08' }]);
  });

  test('seats are unknown when those of one leg are', () => {
    expect(three({ configuration: 'Y100' }, {})[2]?.seats).toBeUndefined();
    expect(single({ configuration: 'Q5' })?.seats).toBeUndefined();
  });
});

describe('traffic restrictions', () => {
  const everything = { passenger: true, cargo: true, mail: true, boardPoint: true, offPoint: true };

  test('are in the record of the board point, one for each later station', () => {
    const segments = buildSegments(
      itineraryOf([leg(1, { trafficRestrictions: 'A K' }), leg(2, { trafficRestrictions: 'YB' }), leg(3)]),
    );
    expect(segments.map(({ restrictions }) => restrictions)).toEqual([
      [{ number: 1, code: 'A', ...everything }],
      [{ number: 1, code: 'Y', ...everything }],
      [],
      [{ number: 1, code: 'K', ...everything }],
    ]);
  });

  test('Z leaves them to elements 170-173, by kind of traffic', () => {
    const restrictions = single(
      { trafficRestrictions: 'Z' },
      data(170, 'AB', 'K'),
      data(172, 'AB', 'A'),
      data(173, 'AB', 'H'),
    )?.restrictions;
    expect(restrictions).toEqual([
      { ...everything, number: 1, code: 'K', cargo: false, mail: false },
      { ...everything, number: 2, code: 'A', passenger: false, mail: false },
      { ...everything, number: 3, code: 'H', passenger: false, cargo: false },
    ]);
    expect(single({ trafficRestrictions: 'Z' }, data(171, 'AB', 'A'))?.restrictions).toEqual([
      { ...everything, number: 1, code: 'A', passenger: false },
    ]);
  });

  test('may come from element 8, and Z stays where no element explains it', () => {
    expect(three({}, {}, data(8, 'AC', 'O'))[2]?.restrictions).toEqual([{ number: 1, code: 'O', ...everything }]);
    expect(single({ trafficRestrictions: 'Z' })?.restrictions).toEqual([{ number: 1, code: 'Z', ...everything }]);
  });

  test.each([
    [710, true, false],
    [711, false, true],
    [712, true, true],
  ])('element %i contains the points at which they hold', (dei, boardPoint, offPoint) => {
    expect(single({ trafficRestrictions: 'A' }, data(dei, 'AB'))?.restrictions).toEqual([
      { ...everything, number: 1, code: 'A', boardPoint, offPoint },
    ]);
  });
});

test('a whole flight starts at the first terminal, ends at the last, and segment terminals override both', () => {
  expect(three({}, {}).map(({ departureTerminal, arrivalTerminal }) => departureTerminal + arrivalTerminal)).toEqual([
    'D1A1',
    'D2A2',
    'D1A2',
  ]);
  const [first, , whole] = three({}, {}, data(199, 'AC', 'T9'), data(198, 'AC', '0'), data(198, 'AB', '7'));
  expect([first?.departureTerminal, first?.arrivalTerminal, whole?.departureTerminal, whole?.arrivalTerminal]).toEqual([
    'D1',
    '7',
    'T9',
    '',
  ]);
});

test('remarks of an element belong to the points they are filed for', () => {
  const filed = [
    data(210, 'AC'),
    data(501, 'AB', '0526 9'),
    data(502, 'AC', 'X'),
    data(299, 'BC'),
    data(504, 'AC', 'S'),
    data(201, 'BC'),
    data(121, 'AC', '77W'),
    data(503, 'AC', '1/2'),
  ];
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

test('electronic ticketing is that of all legs, unless element 505 is filed for the segment', () => {
  const both = { electronicTicketing: true };
  expect(three(both, both).map(({ electronicTicketing }) => electronicTicketing)).toEqual([true, true, true]);
  expect(three(both, {}).map(({ electronicTicketing }) => electronicTicketing)).toEqual([true, false, false]);
  expect(three({}, {}, data(505, 'AC', 'ET')).map(({ electronicTicketing }) => electronicTicketing)).toEqual([
    false,
    false,
    true,
  ]);
  expect(three(both, both, data(505, 'BC', 'EN')).map(({ electronicTicketing }) => electronicTicketing)).toEqual([
    true,
    false,
    true,
  ]);
});

test('data filed for any points apply to all segments, and data filed for one override them', () => {
  const open: SegmentData = {
    dei: 503,
    boardStation: '',
    offStation: '',
    boardIndex: -1,
    offIndex: -1,
    data: '4',
    line: 0,
  };
  expect(three({}, {}, open, data(503, 'BC', '7')).map(({ inFlightServices }) => inFlightServices)).toEqual([
    ['4'],
    ['7'],
    ['4'],
  ]);
});
