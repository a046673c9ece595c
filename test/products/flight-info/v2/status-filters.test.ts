import { beforeAll, expect, test } from 'vitest';
import { formatFlight, listFlightPages, serveStatuses, xx101, xx301 } from './status-service.ts';
import { sharedService } from '#test/support/shared-service.ts';

const world = sharedService(serveStatuses);

const tail = (observedAt: string, registration: string | null) => [observedAt, { aircraft: { registration } }] as const;
const lands = (number: number, airport: string | null) => ({ number, airport });

beforeAll(async () => {
  // To Lisbon and Porto, which no schedule contains, and to Paris, where other flights are scheduled to arrive.
  await world.report(xx101(), ['2026-06-01T11:00:00Z', { diversions: [lands(1, 'LIS')] }]);
  await world.report(xx101('2026-06-02'), ['2026-06-02T11:00:00Z', { diversions: [lands(1, 'LIS')] }]);
  await world.report(xx301(1), ['2026-06-01T09:00:00Z', { diversions: [lands(1, 'CDG')] }]);
  await world.report(xx301(1, '2026-06-03'), [
    '2026-06-03T09:30:00Z',
    { diversions: [{ ...lands(1, 'OPO'), onward: { actual: { off: '2026-06-03T10:50:00Z' } } }, lands(2, 'LIS')] },
  ]);
  for (const day of ['2026-06-01', '2026-06-02', '2026-06-03'])
    await world.report(xx101(day), tail('2026-05-31T08:00:00Z', 'G-ZXAB'));
  await world.report(xx301(1), tail('2026-05-31T08:00:00Z', 'GZXAB'));
  await world.report(xx301(2), tail('2026-05-31T08:00:00Z', 'N342UP'));
});

const onDay = (day: number): string => `DepartureDateTime=2026-06-0${day}`;
const matches = async (query: string): Promise<readonly string[]> =>
  (await world.getPage(query)).data.map(formatFlight);
const listOnes = async (query: string): Promise<readonly (readonly (string | number)[])[]> => {
  const pages = await listFlightPages(world, `${query}&Limit=1`);
  return pages.map(({ data, paging }) => [...data.map(formatFlight), paging.totalCount]);
};

const xx501 = 'XX501 LHR-CDG 06-01 06:00';
const leg301 = 'XX301 LHR-JFK 06-01 08:00';
const xx502 = 'XX502A LHR-CDG 06-01 11:00';
const on101 = (day: number): string => `XX101 LHR-JFK 06-0${day} 11:00`;
const [first101, second101, third101] = [on101(1), on101(2), on101(3)];
const yy5101 = 'YY5101 LHR-JFK 06-01 11:00';

const toParis = `${onDay(1)}&ArrivalAirport=CDG&Content=Status`;
const atParis = [xx501, leg301, xx502];

test('IncludeDiverted=true adds the flights that were diverted to the airport to those scheduled to arrive there', async () => {
  expect(await matches(toParis)).toEqual([xx501, xx502]);
  expect(await matches(`${toParis}&IncludeDiverted=false`)).toEqual([xx501, xx502]);
  const { data, paging } = await world.getPage(`${toParis}&IncludeDiverted=true`);
  expect([data.map(formatFlight), paging.totalCount]).toEqual([atParis, 3]);
});

const arrivesFrom12 = 'ArrivalDateTime=2026-06-01T12:00/2026-06-01';
const leg301OnDay3 = 'XX301 LHR-JFK 06-03 08:00';
test.each<readonly [query: string, expected: readonly string[]]>([
  [`${onDay(1)}&ArrivalAirport=CDG&Content=StatusHistory`, atParis],
  [`${onDay(1)}&ArrivalAirport=CDG&Content=Status,Seats`, atParis],
  [`${onDay(1)}&ArrivalAirport=LIS&Content=Status`, [first101, yy5101]],
  // The flight continued from there.
  [`${onDay(3)}&ArrivalAirport=OPO&Content=Status`, [leg301OnDay3]],
  [`${onDay(1)}/2026-06-03&ArrivalAirport=LIS&Content=Status&CarrierCode=XX`, [first101, second101, leg301OnDay3]],
  ['ArrivalDateTime=2026-06-01T11:00&ArrivalAirport=CDG&Content=Status', [leg301]],
  [`${onDay(1)}&${arrivesFrom12}&ArrivalAirport=LIS&Content=Status&CarrierCode=YY`, [yy5101]],
  [`${onDay(1)}&ArrivalAirport=lppt&CodeType=icao&CarrierCode=xxa&Content=Status`, [first101]],
  [`${onDay(1)}&ArrivalAirport=LIS,lis&Content=Status&CarrierCode=XX`, [first101]],
  [`${onDay(2)}&ArrivalAirport=CDG&Content=Status&ServiceType=J`, []],
  // The country is that of the scheduled arrival airport.
  [`${toParis}&ArrivalCountryCode=US`, [leg301]],
  [`${toParis}&ArrivalCountryCode=FR`, [xx501, xx502]],
  [`${toParis}&ArrivalCountryCode=fr,us`, atParis],
  [`${onDay(1)}&ArrivalAirport=LIS&ArrivalCountryCode=PT&Content=Status`, []],
  [`${onDay(1)}&ArrivalAirport=LIS&ArrivalCountryCode=US&Content=Status&CarrierCode=YY`, [yy5101]],
])('IncludeDiverted=true %s', async (query, expected) => {
  expect((await matches(`${query}&IncludeDiverted=true`)).toSorted()).toEqual(expected.toSorted());
});

test('IncludeDiverted=true pages over both kinds in the order of departure', async () => {
  expect(await listOnes(`${toParis}&IncludeDiverted=true`)).toEqual(atParis.map((flight) => [flight, 3]));
});

test('IncludeDiverted=true no longer finds a flight whose diversion was withdrawn or changed', async () => {
  const leg = 'XX301 LHR-JFK 06-02 08:00';
  const divert = async (observedAt: string, airport: string | null): Promise<readonly (readonly string[])[]> => {
    await world.report(xx301(1, '2026-06-02'), [observedAt, { diversions: [lands(1, airport)] }]);
    const query = `${onDay(2)}&Content=Status&IncludeDiverted=true&ArrivalAirport=`;
    return [await matches(`${query}SIN`), await matches(`${query}OPO`)];
  };
  expect(await divert('2026-06-02T10:00:00Z', 'SIN')).toEqual([[leg], []]);
  expect(await divert('2026-06-02T10:10:00Z', 'OPO')).toEqual([[], [leg]]);
  expect(await divert('2026-06-02T10:20:00Z', null)).toEqual([[], []]);
  const flight = await world.getOnly(`${onDay(2)}&FlightNumber=301&ArrivalAirport=JFK&Content=Status`);
  const [status] = flight.statusDetails ?? [];
  expect(status).toMatchObject({ state: 'Scheduled', arrival: { airport: { iata: 'JFK' } } });
  expect(status).not.toHaveProperty('irregularOperationType');
});

const needsOne = (count: number): string => `needs exactly one ArrivalAirport, not ${count}`;
const needsStatus = 'needs Status or StatusHistory in Content';
test.each<readonly [query: string, messages: readonly string[]]>([
  ['ArrivalAirport=LIS,CDG&Content=Status', [needsOne(2)]],
  ['Content=StatusHistory', [needsOne(0)]],
  ['DepartureAirport=LHR&Content=Status', [needsOne(0)]],
  ['ArrivalAirport=LIS', [needsStatus]],
  ['ArrivalAirport=LIS&Content=Seats,Map', [needsStatus]],
  ['CarrierCode=XX', [needsOne(0), needsStatus]],
])('IncludeDiverted=true is rejected with %s', async (query, messages) => {
  expect(await world.getErrors(`${onDay(1)}&${query}&includediverted=TRUE`)).toEqual({ IncludeDiverted: messages });
  expect((await world.getPage(`${onDay(1)}&${query}&IncludeDiverted=false`)).paging.limit).toBe(10);
});

test('a list of only commas is rejected with its name and value; an empty or blank one counts as absent', async () => {
  const all = await matches(onDay(1));
  expect(await matches(`${onDay(1)}&CarrierCode=&ArrivalAirport=%20`)).toEqual(all);
  expect(await world.getErrors(`${onDay(1)}&carriercode=,&ArrivalAirport=%20,%20`)).toEqual({
    CarrierCode: ["must have at least 1 item, not ','"],
    ArrivalAirport: ["must have at least 1 item, not ' , '"],
  });
});

const ofAircraft = 'AircraftRegistrationNumber';

test.each(['GZXAB', 'G-ZXAB', 'g-zxab', 'GZ-XA-B'])(
  'AircraftRegistrationNumber finds the flights of %s, marketing flights too',
  async (name) => {
    const { data, paging } = await world.getPage(`${onDay(1)}&${ofAircraft}=${name}&Content=Status`);
    expect(data.map(formatFlight).toSorted()).toEqual([first101, leg301, yy5101].toSorted());
    expect(paging.totalCount).toBe(3);
    for (const { statusDetails } of data)
      expect(statusDetails?.[0]?.equipment).toEqual({ aircraftRegistrationNumber: 'GZXAB' });
  },
);

test('AircraftRegistrationNumber pages over a range of days', async () => {
  const query = `DepartureDateTime=2026-06-01/2026-06-03&Codeshare=Operating&${ofAircraft}=G-ZXAB`;
  const flights = [leg301, first101, second101, third101];
  expect(await listOnes(query)).toEqual(flights.map((flight) => [flight, 4]));
});

test.each<readonly [query: string, expected: readonly string[]]>([
  [`ArrivalDateTime=2026-06-02&${ofAircraft}=GZXAB&CarrierCode=XX`, [second101]],
  [`${onDay(1)}&${ofAircraft}=N342UP&DepartureAirport=LHR`, []],
  // The legs of a flight with stops, and not the whole flight.
  [`${onDay(1)}&${ofAircraft}=N342UP`, ['XX301 JFK-LAX 06-01 13:00']],
  [`${onDay(1)}&${ofAircraft}=ZZ-NONE`, []],
])('AircraftRegistrationNumber %s', async (query, expected) => {
  expect(await matches(query)).toEqual(expected);
});

test('AircraftRegistrationNumber no longer finds the flight after an aircraft change, or after a withdrawal', async () => {
  const search = (name: string) => matches(`${onDay(3)}&${ofAircraft}=${name}&CarrierCode=XX`);
  await world.report(xx101('2026-06-03'), tail('2026-06-01T09:00:00Z', 'G-ZXCD'));
  expect([await search('G-ZXAB'), await search('G-ZXCD')]).toEqual([[], [third101]]);
  await world.report(xx101('2026-06-03'), tail('2026-06-01T10:00:00Z', null));
  expect([await search('G-ZXAB'), await search('G-ZXCD')]).toEqual([[], []]);
});
