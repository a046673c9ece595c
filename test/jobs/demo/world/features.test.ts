import { expect, test } from 'vitest';
import { localDate } from '../../../../src/domain/time/dates.ts';
import type { FlightSegment } from '../../../../src/domain/schedule/schedule.ts';
import { buildSegments } from '../../../../src/domain/schedule/segments.ts';
import { buildDemoWorld } from '../../../../src/jobs/demo/world/demo-world.ts';

const worlds = ['2026-11-21', '2027-06-15'].map((day) => {
  const world = buildDemoWorld(localDate(day));
  const itineraries = world.schedules.flatMap((schedule) => schedule.itineraries);
  return { day, world, itineraries, segments: itineraries.flatMap(buildSegments) };
});

const first = ({ legs }: FlightSegment) => legs[0];
const last = (segment: FlightSegment) => segment.legs.at(-1) ?? segment.legs[0];
const restricted =
  (code: string) =>
  (segment: FlightSegment): boolean =>
    segment.restrictions.some((each) => each.code === code);
const leg =
  (matches: (each: FlightSegment['legs'][0]) => boolean) =>
  (segment: FlightSegment): boolean =>
    segment.legs.length === 1 && matches(first(segment));

const cabins = ['first', 'business', 'premiumEconomy', 'economy'] as const;

const features: readonly (readonly [feature: string, has: (segment: FlightSegment) => boolean])[] = [
  ...[...'JSUFVMQGBARCOHLPTK'].map(
    (letter) => [`service type ${letter}`, (s: FlightSegment) => s.serviceType === letter] as const,
  ),
  ...[...'LZSX'].map(
    (letter) => [`disclosure ${letter}`, (s: FlightSegment) => first(s).disclosure === letter] as const,
  ),
  ...[...'AKNB'].map((code) => [`restriction ${code}`, restricted(code)] as const),
  ['a restriction for passengers', (s) => s.restrictions.some((each) => each.passenger && !each.cargo && !each.mail)],
  ['a restriction at the board point alone', (s) => s.restrictions.some((each) => each.boardPoint && !each.offPoint)],
  ['two marketing flights', (s) => s.marketingFlights.length === 2],
  ['one stop', (s) => s.legs.length === 2],
  ['two stops', (s) => s.legs.length === 3],
  ['a round trip of two legs', (s) => s.legs.length === 2 && first(s).departure.station === last(s).arrival.station],
  ['a round trip of three legs', (s) => s.legs.length === 3 && first(s).departure.station === last(s).arrival.station],
  ['a leg that departs on the day before its flight', leg((each) => each.departure.dateVariation === -1)],
  ['arrival on the day before', leg((each) => each.sequence === 1 && each.arrival.dateVariation === -1)],
  ['arrival on the next day', leg((each) => each.sequence === 1 && each.arrival.dateVariation === 1)],
  ['arrival two days later', leg((each) => each.sequence === 1 && each.arrival.dateVariation === 2)],
  ['arrival at 24:00', leg((each) => each.arrival.aircraftMinutes === 1440)],
  ['a passenger time of its own', leg((each) => each.departure.passengerMinutes !== each.departure.aircraftMinutes)],
  ['every other week', leg((each) => each.period.everyWeeks === 2)],
  ['some days of the week', leg((each) => each.period.days === 0b1010101)],
  ['an operational suffix', (s) => s.suffix === 'A'],
  ['a joint operation', (s) => s.jointOperators.length > 0],
  ['an aircraft owner', (s) => s.aircraftOwner !== undefined && !s.isMarketing],
  ['cockpit and cabin crew of another airline', (s) => s.cockpitCrew?.code === 'K0' && s.cabinCrew?.code === 'K0'],
  ['an operator by its name', (s) => s.operatingAirlineDisclosure?.name === 'BEACON COMMUTER'],
  ['terminals', (s) => s.departureTerminal !== '' && s.arrivalTerminal !== ''],
  ['no terminal', (s) => s.departureTerminal === ''],
  ['four cabins', ({ seats }) => cabins.every((cabin) => (seats?.[cabin] ?? 0) > 0)],
  ['one cabin', (s) => s.seats !== undefined && s.seats.economy === s.seats.total],
  ['no seats', (s) => s.seats === undefined],
  ['freight classes', (s) => s.freightClasses.length === 2],
  ['seats and freight classes', (s) => s.seats !== undefined && s.freightClasses.length > 0],
  ...[...'BLDSRG'].map(
    (meal) => [`meal ${meal}`, (s: FlightSegment) => s.bookingClasses.some((each) => each.meal === meal)] as const,
  ),
  ['no booking classes', (s) => s.bookingClasses.length === 0],
  ['a change of plane', (s) => s.planeChangeWithoutTypeChange],
  ['punctuality', (s) => s.punctuality?.indicator === '01/8' && s.punctuality.delaysAndCancellations === '01/10/5//1'],
  ['in-flight services', (s) => s.inFlightServices.join() === '1,3,7,13'],
  ['automated check-in', (s) => s.automatedCheckIn],
  ['electronic tickets', (s) => s.electronicTicketing],
  ['no electronic tickets', (s) => !s.electronicTicketing && s.seats !== undefined],
  ['secure flight', (s) => s.secureFlight],
  ['government approval', (s) => s.governmentApproval],
  ['a connecting-time status of its own', leg((each) => each.departure.mctStatus === 'I')],
];

test.each(features)('the demo world shows %s, in winter and in summer', (_feature, has) => {
  expect(worlds.map(({ segments }) => segments.some(has))).toEqual([true, true]);
});

test.each(worlds)('around $day restriction A is on the domestic leg only, not on the whole flight', ({ segments }) => {
  const flight = segments.filter(({ carrier, flightNumber }) => carrier === 'M1' && flightNumber === 17);
  const codesOf = ({ restrictions }: FlightSegment): string => restrictions.map(({ code }) => code).join();
  const codes = flight.map((s) => `${first(s).departure.station}-${last(s).arrival.station} ${codesOf(s)}`);
  expect(new Set(codes)).toEqual(new Set(['ADL-MEL A', 'MEL-SIN ', 'ADL-SIN ']));
});

test.each(worlds)('around $day all airports have flights, except airfields', ({ world, segments }) => {
  const served = new Set(segments.flatMap((s) => [first(s).departure.station, last(s).arrival.station]));
  expect(world.locations.filter(({ iata }) => !served.has(iata)).map(({ faa }) => faa)).toEqual(['1C5', 'N07', 'Z08']);
});

test.each(worlds)('around $day every airline flies and every type is flown', ({ world, segments }) => {
  expect(world.schedules.filter(({ itineraries }) => itineraries.length === 0)).toEqual([]);
  const flown = new Set(segments.map(({ equipment }) => equipment));
  expect(world.equipment.filter(({ iata }) => !flown.has(iata)).map(({ iata }) => iata)).toEqual([]);
});

test('summer routes operate in summer and winter routes in winter', () => {
  const flies = (station: string, to: string, carrier: string) =>
    worlds.map(({ segments }) =>
      segments.some(
        (s) => s.carrier === carrier && first(s).departure.station === station && last(s).arrival.station === to,
      ),
    );
  expect(flies('LHR', 'YYT', 'L0')).toEqual([false, true]);
  expect(flies('LHR', 'SJU', 'L0')).toEqual([true, false]);
});

test('airports cover all continents, offsets of quarter hours, and cities with several airports', () => {
  const [{ world } = { world: buildDemoWorld(localDate('2026-11-21')) }] = worlds;
  const zones = new Set(world.locations.map(({ zone = '' }) => zone.split('/')[0] ?? ''));
  const continents = ['Africa', 'America', 'Antarctica', 'Asia', 'Atlantic', 'Australia', 'Europe', 'Pacific'];
  expect([...zones].toSorted()).toEqual(continents);
  const cities = Map.groupBy(world.locations, ({ cityCode }) => cityCode);
  const airportsOf = (city: string) => cities.get(city)?.map(({ iata }) => iata);
  expect(['LON', 'NYC', 'TYO'].map(airportsOf)).toEqual([
    ['LHR', 'LGW'],
    ['JFK', 'EWR', 'LGA'],
    ['HND', 'NRT'],
  ]);
  const ownFaa = world.locations.filter(({ faa, iata }) => faa !== '' && faa !== iata);
  expect(ownFaa.map(({ faa }) => faa)).toEqual(['GSN', '1C5', 'N07', 'Z08']);
  expect(world.locations.map(({ id }) => id)).toEqual(world.locations.map((_, index) => index + 1));
});
