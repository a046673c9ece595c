import { describe, expect, test } from 'vitest';
import type { FlightInstance, FlightInstancePage, Problem } from '#generated/flight-info/v2/types.gen.ts';
import { distances, getJson } from '#test/products/responses.ts';
import { details101 } from './example-schedule.ts';
import { row } from './list-row.ts';
import { formatFlight, serveStatuses } from './status-service.ts';
import { sharedService } from '#test/support/shared-service.ts';

const world = sharedService(serveStatuses);

const page = (query: string): Promise<FlightInstancePage> => world.getPage(query);
const june1 = 'DepartureDateTime=2026-06-01';
const of101 = `${june1}&CarrierCode=XX&FlightNumber=101`;
const key = expect.stringMatching(/^[0-9a-f]{64}$/);

// The flights of 1 June in order.
const xx501 = 'XX501 LHR-CDG 06-01 06:00';
const [xx301, whole301] = ['XX301 LHR-JFK 06-01 08:00', 'XX301 LHR-LAX 06-01 08:00'];
const yy201 = 'YY201 AKL-HNL 06-01 09:00';
const [xx101, xx502] = ['XX101 LHR-JFK 06-01 11:00', 'XX502A LHR-CDG 06-01 11:00'];
const yy5101 = 'YY5101 LHR-JFK 06-01 11:00';
const jfk301 = 'XX301 JFK-LAX 06-01 13:00';

test('flights of a day are ordered by local departure', async () => {
  const { data, paging } = await page(`${june1}&Limit=100`);
  const times = data.map(({ departure }) => departure.time.local);
  expect(times).toEqual(['06:00', '08:00', '08:00', '09:00', '11:00', '11:00', '11:00', '13:00']);
  const expected = [xx501, xx301, whole301, yy201, xx101, xx502, yy5101, jfk301];
  expect(data.map(formatFlight).toSorted()).toEqual(expected.toSorted());
  expect(paging).toEqual({ limit: 100, totalCount: 8, totalPages: 1 });
});

test('a list row is the complete record of its flight', async () => {
  const codeshare = { ...row.codeshare, marketingFlights: [{ code: 'YY', serviceNumber: '5101', suffix: '' }] };
  expect(await world.getOnly(of101)).toEqual({
    ...row,
    carrier: { iata: 'XX', icao: 'XXA' },
    arrival: { ...row.arrival, terminal: '8' },
    cargoTonnage: 15,
    aircraftType: { iata: '789', icao: 'B789' },
    serviceType: { iata: 'J' },
    distance: distances([5539.7, 3442.2, 2991.2]),
    codeshare,
    scheduleInstanceKey: key,
    statusKey: key,
  });
});

test('a marketing flight names its operating flight and shares its status key', async () => {
  const operating = await world.getOnly(of101);
  const marketing = await world.getOnly(`${june1}&CarrierCode=YY&FlightNumber=5101`);
  expect(marketing.codeshare).toEqual({
    operatingAirlineDisclosure: { code: 'XX', name: 'Example Airways', number: '' },
    aircraftOwner: { code: 'XX', name: 'Example Airways' },
    jointOperationAirlineDesignators: [],
    marketingFlights: [],
    operatingFlight: { code: 'XX', serviceNumber: '101', suffix: '' },
  });
  expect([operating.isOperating, marketing.isOperating]).toEqual([true, false]);
  expect(marketing.statusKey).toBe(operating.statusKey);
  expect(marketing.scheduleInstanceKey).not.toBe(operating.scheduleInstanceKey);
});

test('the whole flight of two legs has its stop, its distance and its time', async () => {
  const flight = await world.getOnly(`${june1}&FlightNumber=301&DepartureAirport=LHR&ArrivalAirport=LAX`);
  const { segmentInfo, sequenceNumber, elapsedTime, distance } = flight;
  expect({ segmentInfo, sequenceNumber, elapsedTime, distance }).toEqual({
    segmentInfo: { numberOfStops: 1, intermediateAirports: { iata: [{ sequenceNumber: 1, station: 'JFK' }] } },
    sequenceNumber: 1,
    elapsedTime: 960,
    distance: distances([9513.9, 5911.6, 5137.1], [8759.7, 5443, 4729.8]),
  });
});

test('the single flight is the list row with all other properties', async () => {
  const row = await world.getOnly(of101);
  expect(await world.getSingle(row)).toEqual({ ...row, ...details101, statusDetails: [] });
});

test('the single flight has freight classes for a freighter, and the restriction of a restricted leg', async () => {
  const freighter = await world.getOnly(`${june1}&FlightNumber=501`);
  const leg = await world.getOnly(`${june1}&FlightNumber=301&DepartureAirport=JFK`);
  const get = ({ scheduleInstanceKey = '' }: FlightInstance): Promise<FlightInstance> =>
    getJson(world, `/flight-instances/2026-06-01/${scheduleInstanceKey.toUpperCase()}/`);
  expect(freighter).not.toHaveProperty('cargoTonnage');
  const expected = [
    { code: 'LL', quantity: '08' },
    { code: 'PP', quantity: '04' },
  ];
  expect((await get(freighter)).freightClasses).toEqual(expected);
  expect((await get(leg)).restrictions).toEqual([
    { number: 1, code: 'K', passenger: true, cargo: true, mail: true, boardPoint: true, offPoint: true },
  ]);
});

const yearZero = { departureDate: ["must be a date of the calendar, not '0000-12-31'"] };
const unknown = (date: string) => ({ detail: `No flight with this key departs on ${date}.` });
test.each([
  [`2026-06-01/${'0'.repeat(64)}`, 404, unknown('2026-06-01')],
  ['2026-06-04/KEY', 404, unknown('2026-06-04')],
  ['1999-06-04/KEY', 404, unknown('1999-06-04')],
  ['9999-12-31/KEY', 404, unknown('9999-12-31')],
  ['0001-01-01/KEY', 404, unknown('0001-01-01')],
  ['0000-12-31/KEY', 400, { errors: yearZero }],
  ['2026-02-30/KEY', 400, { type: '/docs/errors#invalid-parameter' }],
  ['2026-06-01/abc', 400, { type: '/docs/errors#invalid-parameter' }],
])('the single flight %s returns %i', async (path, status, problem) => {
  const { scheduleInstanceKey = '' } = await world.getOnly(of101);
  const url = `/flight-instances/${path.replace('KEY', scheduleInstanceKey)}`;
  expect(await getJson<Problem>(world, url, status)).toMatchObject(problem);
});

test.each<readonly [query: string, expected: readonly string[]]>([
  ['DepartureDateTime=2026-06-01T13:00', [jfk301]],
  ['DepartureDateTime=2026-06-01T06:00/2026-06-01T08:00&ArrivalAirport=CDG,LAX', [xx501, whole301]],
  [`${june1}&FlightNumber=301&LegsOnly=true`, [xx301, jfk301]],
  [`${june1}&FlightNumber=301&LegsOnly=false&DepartureAirport=LHR`, [whole301, xx301]],
  ['DepartureDateTime=2026-06-01/2026-06-02&FlightNumber=201', [yy201, 'YY201 AKL-HNL 06-02 09:00']],
  ['ArrivalDateTime=2026-05-31', [yy201]],
  // The longest range and the shortest one.
  ['DepartureDateTime=2026-06-01/2026-07-01&FlightNumber=501', [xx501]],
  ['DepartureDateTime=2026-06-01T00:00/2026-07-02T00:00&FlightNumber=501', [xx501]],
  ['DepartureDateTime=2026-06-01T23:59/2026-06-01T23:59', []],
  ['DepartureDateTime=9999-12-31', []],
  ['ArrivalDateTime=9999-12-31', []],
  ['DepartureDateTime=0001-01-01', []],
  ['ArrivalDateTime=0001-01-01', []],
  [`${june1}&ArrivalDateTime=2026-06-01T16:00&DepartureAirport=JFK`, [jfk301]],
  [`${june1}&DepartureAirport=JFK,AKL`, [yy201, jfk301]],
  [`${june1}&DepartureAirport[]=JFK&DepartureAirport[]=AKL`, [yy201, jfk301]],
  [`${june1}&DepartureAirport%5B0%5D=JFK&DepartureAirport%5B1%5D=AKL`, [yy201, jfk301]],
  [`${june1}&DepartureAirport=JFK&DepartureCountryCode=GB`, []],
  [`${june1}&DepartureCountryCode=GB&ArrivalAirport=LAX`, [whole301]],
  [`${june1}&ArrivalCountryCode=FR&ServiceType=F`, [xx501]],
  [`${june1}&CarrierCode=YYB&CodeType=ICAO&FlightNumber=201`, [yy201]],
  [`${june1}&DepartureAirport=JFK&CodeType=FAA`, [jfk301]],
  [`${june1}&DepartureAirport=JFK&CarrierCode=XX&CodeType=FAA`, [jfk301]],
  [`${june1}&DepartureAirport=KJFK,AKL&CodeType=IATA,ICAO`, [yy201, jfk301]],
  [`${june1}&DepartureAirport=KJFK`, []],
  [`${june1}&DepartureAirport=QQQ`, []],
  [`${june1}&FlightNumber=0201`, [yy201]],
  [`${june1}&ServiceType=Passenger&ArrivalAirport=CDG`, [xx502]],
  [`${june1}&ServiceType=Cargo`, [xx501]],
  [`${june1}&ServiceType=G`, [xx502]],
  [`${june1}&ServiceType=undefined`, []],
  [`${june1}&Codeshare=Operating&CarrierCode=YY`, [yy201]],
  [`${june1}&Codeshare=Marketing`, [yy5101]],
  [`${june1}&Codeshare=Operating,Marketing&FlightNumber=5101`, [yy5101]],
  [`${june1}&FlightType=Unscheduled,GA`, []],
  [`${june1}&FlightType=Scheduled&FlightNumber=201`, [yy201]],
  // Names and enumerated values are case-insensitive; unknown and empty parameters are ignored.
  ['departuredatetime=2026-06-01&SERVICETYPE=cargo&codetype=&carrierCODE=xx&Bogus=1', [xx501]],
])('each parameter narrows the list %s', async (query, expected) => {
  const { data, paging } = await page(`${query}&Limit=100`);
  expect([data.map(formatFlight), paging.totalCount]).toEqual([expected, expected.length]);
});

describe('errors name the parameter and the value', () => {
  const required = ['must not be empty: one of DepartureDateTime and ArrivalDateTime is required'];
  const ofCalendar = 'must be a date of the calendar';
  const format =
    'must be a date like 2027-03-01, with a time like 2027-03-01T07:30, or two of them with a slash between';
  const badCode = "must be a code of three or four letters and digits, not 'L'";
  const departure = (message: string) => ({ DepartureDateTime: [message] });
  test.each<readonly [query: string, errors: Record<string, string[]>]>([
    ['CarrierCode=XX', { DepartureDateTime: required, ArrivalDateTime: required }],
    ['DepartureDateTime=2026-02-30', departure(`${ofCalendar}, not '2026-02-30'`)],
    ['DepartureDateTime=2026-02-30/2026-03-01', departure(`${ofCalendar}, not '2026-02-30'`)],
    ['DepartureDateTime=0000-12-31', departure(`${ofCalendar}, not '0000-12-31'`)],
    ['DepartureDateTime=2026-02-01/2026-02-30', departure(`${ofCalendar}, not '2026-02-30'`)],
    ['DepartureDateTime=2026-06-01T24:00', departure(`${ofCalendar} and a time of the day, not '2026-06-01T24:00'`)],
    [
      'ArrivalDateTime=2026-06-01T23:60',
      { ArrivalDateTime: [`${ofCalendar} and a time of the day, not '2026-06-01T23:60'`] },
    ],
    ['DepartureDateTime=2026-06-02/2026-06-01', departure("must not end before it starts: '2026-06-02/2026-06-01'")],
    ['DepartureDateTime=2026-06-01/2026-07-02', departure('must cover at most 31 calendar days, not 32')],
    ['DepartureDateTime=2026-06-01T00:00/2026-07-02', departure('must cover at most 31 calendar days, not 32')],
    [
      'DepartureDateTime=2026-06-01T00:00/2026-07-02T00:01',
      departure("must cover at most 31 times 24 hours: '2026-06-01T00:00/2026-07-02T00:01'"),
    ],
    ['DepartureDateTime=21-11-2026', departure(`${format}, not '21-11-2026'`)],
    [`${june1}&CodeType=ICAO`, { '': ['CodeType needs CarrierCode, DepartureAirport or ArrivalAirport.'] }],
    [`${june1}&DepartureAirport=L`, { DepartureAirport: [badCode] }],
    [`${june1}&After=made-up`, { After: ['is not a cursor of this query'] }],
  ])('%s', async (query, errors) => {
    expect(await world.getErrors(query)).toEqual(errors);
  });
});

test('accepts a cursor with another limit and content', async () => {
  const { paging } = await page(`${june1}&Limit=2`);
  const cursor = new URL(paging.next ?? '').searchParams.get('After');
  const { data } = await page(`${june1}&Limit=7&Content=Seats`);
  expect((await page(`${june1}&Limit=5&Content=Seats&After=${cursor}`)).data).toEqual(data.slice(2, 7));
});

// This test removes a flight.
test('rejects a cursor whose item was removed', async () => {
  const { paging } = await page(`${june1}&Limit=1`);
  await world.db`delete from flight_instance where departs_at = '2026-06-01 06:00'`;
  expect(await getJson<Problem>(world, paging.next, 400)).toMatchObject({
    type: '/docs/errors#cursor-gone',
    errors: { After: ['marks an item that is no longer in the list'] },
  });
});
