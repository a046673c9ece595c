import { beforeAll, describe, expect, test } from 'vitest';
import type { Problem, Schedule, SchedulePage } from '#generated/schedules/v1/types.gen.ts';
import { publishText, serveTinyWorld } from '#test/support/tiny-world.ts';
import { distances, getErrors, getJson } from '#test/products/responses.ts';
import { schedule } from './example-schedule.ts';
import { plain } from './plain-schedule.ts';
import { sharedService } from '#test/support/shared-service.ts';

const world = sharedService(serveTinyWorld);
beforeAll(async () => {
  await publishText(world.db, schedule, { horizonDays: 1 });
  await world.refresh();
});

const read = (url: string | undefined): Promise<SchedulePage> => getJson(world, url);
const page = (query: string): Promise<SchedulePage> => read(`/flights?${query}`);
const errors = (query: string) => getErrors(world, `/flights?${query}`);
const record = (fingerprint: string | undefined, status = 200): Promise<Schedule & Problem> =>
  getJson(world, `/flights/${fingerprint}`, status);

const dayOf = (date: string): string => date.slice(-2);

/** `XX101 LHR-JFK 01-30`. */
const name = ({ carrierCode, flightNumber, serviceSuffix, departure, arrival, effectivePeriod }: Schedule): string =>
  `${carrierCode.iata}${flightNumber}${serviceSuffix ?? ''} ${departure.airport.iata}-${arrival.airport.iata} ${dayOf(effectivePeriod.startDate)}-${dayOf(effectivePeriod.endDate)}`;

const result = async (query: string): Promise<readonly string[]> => (await page(query)).data.map(name);

const [xx101, yy5101] = ['XX101 LHR-JFK 01-30', 'YY5101 LHR-JFK 01-30'];
const [whole301, lhr301, jfk301] = ['XX301 LHR-LAX 01-30', 'XX301 LHR-JFK 01-30', 'XX301 JFK-LAX 01-30'];
const xx501 = 'XX501 LHR-CDG 01-30';
const [early502, late502] = ['XX502A LHR-CDG 10-20', 'XX502A LHR-CDG 21-30'];
const yy201 = 'YY201 LIS-OPO 08-08';
const all = [xx101, whole301, lhr301, jfk301, xx501, early502, late502, yy201, yy5101];
const everyDay = [xx101, whole301, lhr301, jfk301, yy5101];

test('the loaded records are listed by carrier, number and first day, a flight with stops before its legs', async () => {
  expect(await result('Limit=100')).toEqual(all);
  expect((await page('')).paging).toEqual({ limit: 10, totalCount: 9, totalPages: 1 });
});

test('a list row has all members, with null for absent values', async () => {
  expect((await page('FlightNumber=501')).data).toEqual([
    {
      ...plain,
      carrierCode: { iata: 'XX', icao: 'XXA' },
      flightNumber: 501,
      departure: { ...plain.departure, passengerLocalTime: '06:00', passengerUtcTime: '05:00' },
      arrival: {
        ...plain.arrival,
        airport: { iata: 'CDG', icao: 'LFPG', faa: null },
        country: { code: 'FR' },
        passengerLocalTime: '08:15',
        passengerUtcTime: '06:15',
      },
      elapsedTime: 75,
      aircraftType: { iata: '320', icao: 'A320' },
      cargoTonnage: null,
      serviceTypeCode: { iata: 'F' },
      legDaysOfOperation: ['monday'],
      frequencyRate: 2,
      distance: distances([347.2, 215.7, 187.5]),
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  ]);
});

test('the single record is the list row with its seats', async () => {
  const [row] = (await page('FlightNumber=101&Content=Seats')).data;
  for (const fingerprint of [row?.fingerprint, row?.fingerprint.toUpperCase()])
    expect(await record(`${fingerprint}?version=v1`)).toEqual(row);
});

test('a fingerprint that no record has returns 404', async () => {
  const detail = 'No current schedule record has this fingerprint.';
  expect(await record('0'.repeat(64), 404)).toMatchObject({ type: '/docs/errors#not-found', detail });
});

test.each<readonly [string, readonly string[]]>([
  ['DepartureAirport=jfk', [jfk301]],
  ['DepartureAirport=JFK,LIS', [jfk301, yy201]],
  ['ArrivalAirport=LAX&DepartureAirport=LHR', [whole301]],
  ['IataCarrierCode=yy', [yy201, yy5101]],
  ['IcaoCarrierCode=YYB', [yy201, yy5101]],
  ['IataCarrierCode=YY&IcaoCarrierCode=XXA&ServiceType=F,G&FlightNumber=501', [xx501]],
  ['IataCarrierCode=WW', []],
  ['DepartureAirport=QQQ', []],
  ['FlightNumber=0201', [yy201]],
  ['ServiceType=cargo', [xx501]],
  ['ServiceType=G', [early502, late502]],
  // Names and enumerated values are case-insensitive; unknown and empty parameters are ignored.
  ['servicetype=CARGO&arrivalairport=cdg&Bogus=1&FlightNumber=', [xx501]],
])('filters %s', async (query, expected) => {
  const { data, paging } = await page(`${query}&Limit=100`);
  expect([data.map(name), paging.totalCount]).toEqual([expected, expected.length]);
});

test.each<readonly [string, string, readonly string[]]>([
  ['a day returns what operates on it', '2026-06-01', [...everyDay, xx501]],
  ['a day of an omitted week', '2026-06-08', [...everyDay, yy201]],
  ['a day on which a period starts without a flight', '2026-06-10', everyDay],
  ['a range returns periods that start in it without a flight', '2026-06-10/2026-06-12', [...everyDay, early502]],
  ['a range of one day is a range', '2026-06-10/2026-06-10', [...everyDay, early502]],
  ['a range within a period and without a flight of it', '2026-06-11/2026-06-13', everyDay],
  ['a range with a flight of every record', '2020-01-01/2030-12-31', all],
  ['a time before all periods', '2026-05-01/2026-05-31', []],
  ['a time after all periods', '2026-07-01', []],
])('filters %s', async (_, dates, expected) => {
  expect((await result(`DepartureDate=${dates}&Limit=100`)).toSorted()).toEqual(expected.toSorted());
});

test('Content=Seats adds the seats, and no other property', async () => {
  const [row] = (await page('FlightNumber=101')).data;
  const [withSeats] = (await page('FlightNumber=101&Content=seats')).data;
  const cabins = { firstClass: 0, businessClass: 30, premiumEconomyClass: 21, economyPlusClass: null };
  expect(row?.premiumContent).toBeNull();
  const expected = { ...row, premiumContent: { seatingCapacity: { ...cabins, economyClass: 178, totalSeats: 229 } } };
  expect(withSeats).toEqual(expected);
  expect((await page('FlightNumber=501&Content=Seats')).data[0]?.premiumContent).toBeNull();
});

test('a flight with stops has the punctuality of its last leg', async () => {
  const observed = {
    onTimePercentage: 66.67,
    latePercentage: 16.67,
    cancelledPercentage: 16.67,
    divertedPercentage: 0,
    departedOnTimePercentage: 83.33,
    flights: 6,
    departures: 6,
    period: { startDate: '2026-05-01', endDate: '2026-05-06' },
    rule: 'D15/A14',
  };
  await world.db`
    insert into on_time
    select c.id, 301, d.id, a.id, '2026-05-01', '2026-05-06', 6, 4, 1, 1, 0, 6, 5 from carrier c, location d, location a
    where c.iata = 'XX' and d.iata = 'JFK' and a.iata = 'LAX'`;
  const { data } = await page('FlightNumber=301');
  const byName = { [whole301]: observed, [lhr301]: null, [jfk301]: observed };
  expect(Object.fromEntries(data.map((one) => [name(one), one.onTimePerformance.observed]))).toEqual(byName);
});

const reversed = "must not end before it starts: '2026-06-02/2026-06-01'";
test.each<readonly [string, Record<string, string[]>]>([
  ['DepartureDate=2026-02-30', { DepartureDate: ["must be a date of the calendar, not '2026-02-30'"] }],
  ['DepartureDate=2026-02-01/2026-02-30', { DepartureDate: ["must be a date of the calendar, not '2026-02-30'"] }],
  ['DepartureDate=2026-06-02/2026-06-01', { DepartureDate: [reversed] }],
])('errors name the parameter and the value: %s', async (query, expected) => {
  expect(await errors(query)).toEqual(expected);
});

test('accepts a cursor with another limit', async () => {
  const { paging } = await page('Limit=2');
  const cursor = new URL(paging.next ?? '').searchParams.get('cursor');
  expect((await page(`Limit=3&cursor=${cursor}`)).data).toHaveLength(3);
});

// These tests change the schedule.
describe('when records are added and deleted during a walk', () => {
  test('reloading the same file keeps cursors valid', async () => {
    const first = await page('Limit=3');
    const second = await read(first.paging.next);
    await publishText(world.db, schedule, { horizonDays: 1 });
    expect([await read(first.paging.next), await read(second.paging.previous)]).toEqual([second, first]);
  });

  test('rejects a cursor whose record was removed, under the name of its parameter', async () => {
    const first = await page('IataCarrierCode=YY&Limit=1');
    await world.db`delete from schedule_record where flight_number = 201`;
    expect(await getJson(world, first.paging.next, 400)).toMatchObject({
      type: '/docs/errors#cursor-gone',
      errors: { cursor: ['marks an item that is no longer in the list'] },
    });
  });

  test('a page without remaining records still links back to the rest of the list', async () => {
    const first = await page('IataCarrierCode=XX&Limit=6');
    await world.db`delete from schedule_record where from_date = '2026-06-21'`;
    const last = await read(first.paging.next);
    expect([last.data, last.paging.next]).toEqual([[], undefined]);
    expect((await read(last.paging.previous)).data).toEqual(first.data);
    const second = await read((await page('IataCarrierCode=XX&Limit=1')).paging.next);
    await world.db`delete from schedule_record where flight_number = 101`;
    const before = await read(second.paging.previous);
    expect([before.data, before.paging.previous]).toEqual([[], undefined]);
    const again = await read(before.paging.next);
    const links = [again.paging.previous, again.paging.next];
    expect([again.data, ...links]).toEqual([second.data, undefined, second.paging.next]);
  });
});
