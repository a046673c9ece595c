import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatFlight, serveStatuses, listPages, xx101, xx301, type StatusService } from './status-service.ts';

let world: StatusService;

const lands = (number: number, airport: string) => ({ number, airport });

beforeAll(async () => {
  world = await serveStatuses();
  // To Lisbon and Porto, which no schedule contains, and to Paris, where other flights are scheduled to arrive.
  await world.report(xx101(), ['2026-06-01T11:00:00Z', { diversions: [lands(1, 'LIS')] }]);
  await world.report(xx101('2026-06-02'), ['2026-06-02T11:00:00Z', { diversions: [lands(1, 'LIS')] }]);
  await world.report(xx301(1), ['2026-06-01T09:00:00Z', { diversions: [lands(1, 'CDG')] }]);
  await world.report(xx301(1, '2026-06-03'), [
    '2026-06-03T09:30:00Z',
    { diversions: [{ ...lands(1, 'OPO'), onward: { actual: { off: '2026-06-03T10:50:00Z' } } }, lands(2, 'LIS')] },
  ]);
});
afterAll(() => world.drop());

const onDay = (day: number): string => `DepartureDateTime=2026-06-0${day}`;
const matches = async (query: string): Promise<readonly string[]> =>
  (await world.getPage(query)).data.map(formatFlight);

describe('IncludeDiverted=true', () => {
  const toParis = `${onDay(1)}&ArrivalAirport=CDG&Content=Status`;
  const atParis = ['XX501 LHR-CDG 06-01 06:00', 'XX301 LHR-JFK 06-01 08:00', 'XX502A LHR-CDG 06-01 11:00'];

  test('adds the flights that were diverted to the airport to those scheduled to arrive there', async () => {
    expect(await matches(toParis)).toEqual([atParis[0], atParis[2]]);
    expect(await matches(`${toParis}&IncludeDiverted=false`)).toEqual([atParis[0], atParis[2]]);
    const page = await world.getPage(`${toParis}&IncludeDiverted=true`);
    expect(page.data.map(formatFlight)).toEqual(atParis);
    expect(page.paging.totalCount).toBe(3);
  });

  test.each<readonly [string, string, readonly string[]]>([
    ['StatusHistory does as well as Status', `${onDay(1)}&ArrivalAirport=CDG&Content=StatusHistory`, atParis],
    [
      'an airport with diversions only, with the marketing flight',
      `${onDay(1)}&ArrivalAirport=LIS&Content=Status`,
      ['XX101 LHR-JFK 06-01 11:00', 'YY5101 LHR-JFK 06-01 11:00'],
    ],
    [
      'an airport from which the flight continued',
      `${onDay(3)}&ArrivalAirport=OPO&Content=Status`,
      ['XX301 LHR-JFK 06-03 08:00'],
    ],
    [
      'several days',
      `${onDay(1)}/2026-06-03&ArrivalAirport=LIS&Content=Status&CarrierCode=XX`,
      ['XX101 LHR-JFK 06-01 11:00', 'XX101 LHR-JFK 06-02 11:00', 'XX301 LHR-JFK 06-03 08:00'],
    ],
    [
      'the scheduled minute of arrival',
      `ArrivalDateTime=2026-06-01T11:00&ArrivalAirport=CDG&Content=Status`,
      [atParis[1] ?? ''],
    ],
    [
      'days of departure and of arrival',
      `${onDay(1)}&ArrivalDateTime=2026-06-01T12:00/2026-06-01&ArrivalAirport=LIS&Content=Status&CarrierCode=YY`,
      ['YY5101 LHR-JFK 06-01 11:00'],
    ],
    [
      'codes of ICAO',
      `${onDay(1)}&ArrivalAirport=lppt&CodeType=icao&CarrierCode=xxa&Content=Status`,
      ['XX101 LHR-JFK 06-01 11:00'],
    ],
    [
      'one airport written twice',
      `${onDay(1)}&ArrivalAirport=LIS,lis&Content=Status&CarrierCode=XX`,
      ['XX101 LHR-JFK 06-01 11:00'],
    ],
    ['a day without diversions there', `${onDay(2)}&ArrivalAirport=CDG&Content=Status&ServiceType=J`, []],
  ])('%s', async (_, query, expected) => {
    const names = await matches(`${query}&IncludeDiverted=true`);
    expect(names.toSorted()).toEqual(expected.toSorted());
  });

  test('pages over both kinds in the order of departure', async () => {
    const pages = await listPages(world, `${toParis}&IncludeDiverted=true&Limit=1`);
    expect(pages.map(({ data, paging }) => [...data.map(formatFlight), paging.totalCount])).toEqual(
      atParis.map((name) => [name, 3]),
    );
  });

  test('no longer finds a flight whose diversion was withdrawn or changed', async () => {
    const leg = 'XX301 LHR-JFK 06-02 08:00';
    const searchDiverted = async (airport: string): Promise<readonly string[]> =>
      matches(`${onDay(2)}&ArrivalAirport=${airport}&Content=Status&IncludeDiverted=true`);
    const divert = async (observedAt: string, airport: string | null): Promise<readonly (readonly string[])[]> => {
      await world.report(xx301(1, '2026-06-02'), [observedAt, { diversions: [{ number: 1, airport }] }]);
      return [await searchDiverted('SIN'), await searchDiverted('OPO')];
    };
    expect(await divert('2026-06-02T10:00:00Z', 'SIN')).toEqual([[leg], []]);
    expect(await divert('2026-06-02T10:10:00Z', 'OPO')).toEqual([[], [leg]]);
    expect(await divert('2026-06-02T10:20:00Z', null)).toEqual([[], []]);
    const flight = await world.getOnly(`${onDay(2)}&FlightNumber=301&ArrivalAirport=JFK&Content=Status`);
    const status = flight.statusDetails?.[0];
    expect(status).toMatchObject({ state: 'Scheduled', arrival: { airport: { iata: 'JFK' } } });
    expect(status).not.toHaveProperty('irregularOperationType');
  });

  const needsOne = (count: number): string => `needs exactly one ArrivalAirport, not ${count}`;
  const needsStatus = 'needs Status or StatusHistory in Content';

  test.each<readonly [string, string, readonly string[]]>([
    ['with two airports', 'ArrivalAirport=LIS,CDG&Content=Status', [needsOne(2)]],
    ['without an airport of arrival', 'Content=StatusHistory', [needsOne(0)]],
    ['with an airport of departure only', 'DepartureAirport=LHR&Content=Status', [needsOne(0)]],
    ['without Content', 'ArrivalAirport=LIS', [needsStatus]],
    ['with other datasets only', 'ArrivalAirport=LIS&Content=Seats,Map', [needsStatus]],
    ['without its required parameters', 'CarrierCode=XX', [needsOne(0), needsStatus]],
  ])('is rejected %s', async (_, query, messages) => {
    expect(await world.getErrors(`${onDay(1)}&${query}&IncludeDiverted=true`)).toEqual({ IncludeDiverted: messages });
    expect(await world.getErrors(`${onDay(1)}&${query}&includediverted=TRUE`)).toEqual({ IncludeDiverted: messages });
    expect((await world.getPage(`${onDay(1)}&${query}&IncludeDiverted=false`)).paging.limit).toBe(10);
  });
});
