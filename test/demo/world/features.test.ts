import { expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import type { Designator, FlightSegment } from '#domain/schedule/schedule.ts';
import { buildSegments } from '#domain/schedule/segments.ts';
import { airports } from '#demo/world/airports.ts';
import { carriers } from '#demo/world/carriers.ts';
import { buildDemoSchedules } from '#demo/world/demo-world.ts';
import { equipment } from '#demo/world/equipment.ts';

const worlds = ['2026-11-21', '2027-06-15'].map((day) => {
  return {
    day,
    segments: buildDemoSchedules(localDate(day)).flatMap(({ itineraries }) =>
      itineraries.flatMap((each) => buildSegments(each)),
    ),
  };
});

const first = ({ legs }: FlightSegment) => legs[0];
const last = (segment: FlightSegment) => segment.legs.at(-1) ?? segment.legs[0];
const isSingle = ({ legs }: FlightSegment): boolean => legs.length === 1 && legs[0].sequence === 1;
const isRoundTrip = (s: FlightSegment) => s.legs.length > 1 && first(s).departure.station === last(s).arrival.station;
const cabins = ['first', 'business', 'premiumEconomy', 'economy'] as const;

const features: Readonly<Record<string, (segment: FlightSegment) => boolean>> = {
  'a restriction for passengers': (s) => s.restrictions.some((each) => each.passenger && !each.cargo && !each.mail),
  'a restriction at the board point': (s) => s.restrictions.some((each) => each.boardPoint && !each.offPoint),
  'arrival at 24:00': (s) => isSingle(s) && first(s).arrival.aircraftMinutes === 1440,
  'a passenger time': (s) => isSingle(s) && first(s).departure.passengerMinutes !== first(s).departure.aircraftMinutes,
  'some days of the week': (s) => isSingle(s) && first(s).period.days === 0b1010101,
  'a joint operation': (s) => s.jointOperators.length > 0,
  'an aircraft owner': (s) => s.aircraftOwner !== undefined && !s.isMarketing,
  'crews of another airline': (s) => s.cockpitCrew?.code === 'K0' && s.cabinCrew?.code === 'K0',
  'an operator by its name': (s) => s.operatingAirlineDisclosure?.name === 'BEACON COMMUTER',
  terminals: (s) => s.departureTerminal !== '' && s.arrivalTerminal !== '',
  'no terminal': (s) => s.departureTerminal === '',
  'four cabins': ({ seats }) => cabins.every((cabin) => (seats?.[cabin] ?? 0) > 0),
  'one cabin': (s) => s.seats !== undefined && s.seats.economy === s.seats.total,
  'no seats': (s) => s.seats === undefined,
  'seats and freight classes': (s) => s.seats !== undefined && s.freightClasses.length > 0,
  'no booking classes': (s) => s.bookingClasses.length === 0,
  'a change of plane': (s) => s.planeChangeWithoutTypeChange,
  'automated check-in': (s) => s.automatedCheckIn,
  'electronic tickets': (s) => s.electronicTicketing,
  'no electronic tickets': (s) => !s.electronicTicketing && s.seats !== undefined,
  'secure flight': (s) => s.secureFlight,
  'government approval': (s) => s.governmentApproval,
};

test.each(worlds)('around $day, in winter and in summer, the demo world shows all features', ({ segments }) => {
  expect(Object.keys(features).filter((name) => !segments.some((s) => features[name]?.(s)))).toEqual([]);
  const listValues = (of: (segment: FlightSegment) => readonly unknown[]): string =>
    [...new Set(segments.flatMap((s) => of(s)).map(String))].toSorted().join(' ').trim();
  expect({
    serviceTypes: listValues((s) => [s.serviceType]),
    disclosures: listValues((s) => [first(s).disclosure]),
    restrictions: listValues((s) => s.restrictions.map(({ code }) => code)),
    meals: listValues((s) => s.bookingClasses.flatMap(({ meal }) => [...meal])),
    stops: listValues((s) => [s.legs.length - 1]),
    legsOfRoundTrips: listValues((s) => (isRoundTrip(s) ? [s.legs.length] : [])),
    marketingFlights: listValues((s) => [s.marketingFlights.length]),
    departureDays: listValues((s) => [first(s).departure.dateVariation]),
    arrivalDays: listValues((s) => (isSingle(s) ? [first(s).arrival.dateVariation] : [])),
    suffixes: listValues((s) => [s.suffix]),
    everyWeeks: listValues((s) => [first(s).period.everyWeeks]),
    connectingTimeStatuses: listValues((s) => [first(s).departure.mctStatus]),
    freightClasses: listValues((s) => [s.freightClasses.length]),
    services: listValues((s) => [s.inFlightServices.join()]),
    punctuality: listValues((s) => [s.punctuality?.indicator ?? '', s.punctuality?.delaysAndCancellations ?? '']),
  }).toEqual({
    serviceTypes: 'A B C F G H J K L M O P Q R S T U V',
    disclosures: 'L S X Z',
    restrictions: 'A B K N',
    meals: 'B D G L R S',
    stops: '0 1 2',
    legsOfRoundTrips: '2 3',
    marketingFlights: '0 1 2',
    departureDays: '-1 0 1',
    arrivalDays: '-1 0 1 2',
    suffixes: 'A',
    everyWeeks: '1 2',
    connectingTimeStatuses: 'I',
    freightClasses: '0 1 2',
    services: '1,3,7,13 1,3,9 1,9,13 9 9,12',
    punctuality: '01/10/5//1 01/8',
  });
});

test.each(worlds)('around $day restriction A is on the domestic leg only, not on the whole flight', ({ segments }) => {
  const flight = segments.filter(({ carrier, flightNumber }) => carrier === 'M1' && flightNumber === 17);
  const codesOf = ({ restrictions }: FlightSegment): string => restrictions.map(({ code }) => code).join();
  const codes = flight.map((s) => `${first(s).departure.station}-${last(s).arrival.station} ${codesOf(s)}`);
  expect(new Set(codes)).toEqual(new Set(['ADL-MEL A', 'MEL-SIN ', 'ADL-SIN ']));
});

test.each(worlds)('around $day all airports but airfields, airlines and types have flights', ({ segments }) => {
  const served = new Set(segments.flatMap((s) => [first(s).departure.station, last(s).arrival.station]));
  expect(airports.filter(({ iata }) => !served.has(iata)).map(({ faa }) => faa)).toEqual(['1C5', 'N07', 'Z08']);
  const flying = new Set(segments.map(({ carrier }) => carrier));
  expect(carriers.filter(({ iata }) => !flying.has(iata))).toEqual([]);
  const flown = new Set(segments.map(({ equipment }) => equipment));
  expect(equipment.filter(({ iata }) => !flown.has(iata)).map(({ iata }) => iata)).toEqual([]);
});

test.each(worlds)('around $day flights have service types that suit their equipment', ({ segments }) => {
  const suitable = new Map(equipment.map(({ iata, facts }) => [iata, facts?.serviceTypes]));
  const odd = segments.flatMap(({ legs, serviceType }) =>
    legs.flatMap(({ equipment }) =>
      suitable.get(equipment)?.includes(serviceType) ? [] : `${equipment} ${serviceType}`,
    ),
  );
  expect(odd).toEqual([]);
});

test('summer routes operate in summer and winter routes in winter', () => {
  const flies = (station: string, to: string) =>
    worlds.map(({ day, segments }) =>
      segments.some(
        (s) =>
          s.carrier === 'L0' &&
          first(s).departure.station === station &&
          last(s).arrival.station === to &&
          first(s).period.from <= localDate(day) + 7 &&
          first(s).period.to >= localDate(day),
      ),
    );
  expect([flies('LHR', 'YYT'), flies('LHR', 'SJU')]).toEqual([
    [false, true],
    [true, false],
  ]);
});

const nameOf = ({ carrier, flightNumber, suffix }: Designator, segment: FlightSegment): string => {
  const { departure, period } = first(segment);
  const route = [segment.itinerary, departure.station, last(segment).arrival.station, period.from, period.to];
  return [carrier, flightNumber, suffix, ...route].join(' ');
};
const plain = ({ carrier, flightNumber, suffix }: Designator): Designator => ({ carrier, flightNumber, suffix });
const routeOf = ({ legs }: FlightSegment) =>
  legs.map(({ period, departure, arrival, equipment, configuration }) => {
    return { period, departure, arrival, equipment, configuration };
  });

test.each(worlds)('around $day operating and marketing flights name each other and have one route', ({ segments }) => {
  const byName = new Map(segments.map((segment) => [nameOf(segment, segment), segment]));
  const operating = segments.filter(({ marketingFlights }) => marketingFlights.length > 0);
  const marketing = segments.filter(({ isMarketing }) => isMarketing);
  expect(Math.min(operating.length, marketing.length)).toBeGreaterThan(500);
  expect(operating.filter(({ isMarketing }) => isMarketing)).toEqual([]);
  for (const segment of operating)
    for (const one of segment.marketingFlights) {
      const other = byName.get(nameOf(one, segment));
      const found = other && { flight: other.operatingFlight, route: routeOf(other), isMarketing: other.isMarketing };
      expect(found).toEqual({ flight: plain(segment), route: routeOf(segment), isMarketing: true });
    }
  for (const segment of marketing) {
    const { operatingFlight: flight } = segment;
    const operator = flight && byName.get(nameOf(flight, segment));
    const own = operator?.marketingFlights.filter((each) => nameOf(each, segment) === nameOf(segment, segment));
    expect(own).toEqual([plain(segment)]);
    const name = carriers.find(({ iata }) => iata === flight?.carrier)?.name.toUpperCase();
    expect(segment.operatingAirlineDisclosure).toEqual({ code: flight?.carrier, name });
  }
  const through = operating.find((s) => s.carrier === 'L0' && s.flightNumber === 15 && s.legs.length === 2);
  expect(through?.marketingFlights).toEqual([{ carrier: 'X2', flightNumber: 8015, suffix: '' }]);
});
