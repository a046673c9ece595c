import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StatusDetails } from '../../../../generated/flight-info/v2/types.gen.ts';
import { formatFlight, serveStatuses, xx101, xx301, type StatusService } from './status-service.ts';

let world: StatusService;

/** The facts of a message about the times at LHR, where the flights depart. */
const departedAt = (out: string, off: string) => ({ departure: { actual: { out, off } } });

beforeAll(async () => {
  world = await serveStatuses();
  const lisbon = { number: 1, airport: 'LIS' };
  // To Lisbon, which no schedule contains, and no farther.
  await world.report(
    xx101(),
    ['2026-06-01T10:20:00Z', departedAt('2026-06-01T10:00:00Z', '2026-06-01T10:15:00Z')],
    [
      '2026-06-01T10:30:00Z',
      { arrival: { estimated: { on: '2026-06-01T17:50:00Z', in: '2026-06-01T18:00:00Z' }, gate: '4', baggage: '6' } },
    ],
    ['2026-06-01T11:00:00Z', { diversions: [{ ...lisbon, estimated: { on: '2026-06-01T13:00:00Z' } }] }],
    [
      '2026-06-01T13:10:00Z',
      {
        diversions: [{ ...lisbon, actual: { on: '2026-06-01T12:58:00Z', in: '2026-06-01T13:06:00Z' } }],
        arrival: { gate: '22', terminal: '1' },
      },
    ],
  );
  // To Lisbon, and continuing to JFK.
  await world.report(
    xx101('2026-06-02'),
    ['2026-06-02T10:20:00Z', departedAt('2026-06-02T10:00:00Z', '2026-06-02T10:15:00Z')],
    ['2026-06-02T11:00:00Z', { diversions: [{ ...lisbon, continues: true }] }],
    ['2026-06-02T13:00:00Z', { diversions: [{ ...lisbon, actual: { on: '2026-06-02T12:58:00Z' } }] }],
    [
      '2026-06-02T14:20:00Z',
      {
        diversions: [{ ...lisbon, onward: { actual: { out: '2026-06-02T14:00:00Z', off: '2026-06-02T14:15:00Z' } } }],
        arrival: { estimated: { in: '2026-06-02T22:00:00Z' } },
      },
    ],
    ['2026-06-02T22:10:00Z', { arrival: { actual: { on: '2026-06-02T21:50:00Z', in: '2026-06-02T22:05:00Z' } } }],
  );
  // Back to its departure airport.
  await world.report(
    xx101('2026-06-03'),
    ['2026-06-03T10:20:00Z', departedAt('2026-06-03T10:00:00Z', '2026-06-03T10:15:00Z')],
    [
      '2026-06-03T11:30:00Z',
      {
        diversions: [{ number: 1, airport: 'LHR', actual: { on: '2026-06-03T11:20:00Z', in: '2026-06-03T11:28:00Z' } }],
      },
    ],
  );
  // The diversion airport is unknown.
  await world.report(xx301(1, '2026-06-02'), ['2026-06-02T09:00:00Z', { diversions: [{ number: 1 }] }]);
  // To Porto, and from there to Lisbon.
  await world.report(
    xx301(1, '2026-06-03'),
    ['2026-06-03T09:30:00Z', { diversions: [{ number: 1, airport: 'OPO', actual: { on: '2026-06-03T09:20:00Z' } }] }],
    ['2026-06-03T11:00:00Z', { diversions: [{ number: 1, onward: { actual: { off: '2026-06-03T10:50:00Z' } } }] }],
    ['2026-06-03T12:00:00Z', { diversions: [{ number: 2, airport: 'LIS', actual: { on: '2026-06-03T11:40:00Z' } }] }],
  );
});
afterAll(() => world.drop());

const onDay = (day: number): string => `DepartureDateTime=2026-06-0${day}`;
const statuses = async (query: string): Promise<readonly StatusDetails[]> =>
  (await world.getOnly(`${query}&Content=StatusHistory`)).statusDetails ?? [];
const latest = async (query: string): Promise<StatusDetails | undefined> =>
  (await world.getOnly(`${query}&Content=Status`)).statusDetails?.[0];
const matches = async (query: string): Promise<readonly string[]> =>
  (await world.getPage(query)).data.map(formatFlight);

const lisbon = { iata: 'LIS', icao: 'LPPT' };
const departed = {
  actualTime: {
    outGateTimeliness: 'OnTime',
    outGateVariation: '00:00:00',
    outGate: { local: '2026-06-01T11:00:00+01:00', utc: '2026-06-01T10:00:00+00:00' },
    offGround: { local: '2026-06-01T11:15:00+01:00', utc: '2026-06-01T10:15:00+00:00' },
  },
  airport: { iata: 'LHR', icao: 'EGLL' },
  country: { code: 'GB' },
};
const estimatedOn = { onGround: { local: '2026-06-01T14:00:00+01:00', utc: '2026-06-01T13:00:00+00:00' } };
const diverted = { diversionAirport: lisbon, diversionType: 'Unplanned', irregularOperationType: 'Diverted' };

describe('a diverted flight', () => {
  const of101 = `${onDay(1)}&CarrierCode=XX&FlightNumber=101`;

  test('has its diversion airport as arrival: airport, country, clock, gate', async () => {
    expect(await latest(of101)).toEqual({
      state: 'InGate',
      updatedAt: '2026-06-01T13:10:00.000',
      departure: departed,
      arrival: {
        estimatedTime: estimatedOn,
        actualTime: {
          inGateTimeliness: 'Early',
          inGateVariation: '-04:54:00',
          onGround: { local: '2026-06-01T13:58:00+01:00', utc: '2026-06-01T12:58:00+00:00' },
          inGate: { local: '2026-06-01T14:06:00+01:00', utc: '2026-06-01T13:06:00+00:00' },
        },
        airport: lisbon,
        country: { code: 'PT' },
        actualTerminal: '1',
        gate: '22',
      },
      ...diverted,
    });
  });

  test('shows values from before the diversion at the scheduled airport, and none from after it', async () => {
    const [, turned, before] = await statuses(of101);
    expect(before).toEqual({
      state: 'inAir',
      updatedAt: '2026-06-01T10:30:00.000',
      departure: departed,
      arrival: {
        estimatedTime: {
          inGateTimeliness: 'OnTime',
          inGateVariation: '00:00:00',
          onGround: { local: '2026-06-01T13:50:00-04:00', utc: '2026-06-01T17:50:00+00:00' },
          inGate: { local: '2026-06-01T14:00:00-04:00', utc: '2026-06-01T18:00:00+00:00' },
        },
        airport: { iata: 'JFK', icao: 'KJFK', faa: 'JFK' },
        country: { code: 'US' },
        gate: '4',
        baggage: '6',
      },
    });
    expect(turned).toEqual({
      state: 'inAir',
      updatedAt: '2026-06-01T11:00:00.000',
      departure: departed,
      arrival: { estimatedTime: estimatedOn, airport: lisbon, country: { code: 'PT' } },
      ...diverted,
    });
  });

  test('keeps its schedule, and is found by it', async () => {
    const flight = await world.getOnly(`${of101}&ArrivalAirport=JFK&ArrivalCountryCode=US&ArrivalDateTime=2026-06-01`);
    expect(flight.arrival).toEqual({
      airport: { iata: 'JFK', icao: 'KJFK', faa: 'JFK' },
      terminal: '8',
      country: { code: 'US' },
      date: { local: '2026-06-01', utc: '2026-06-01' },
      time: { local: '14:00', utc: '18:00' },
    });
    expect(await matches(`${onDay(1)}&ArrivalAirport=LIS`)).toEqual([]);
    expect(await matches(`${onDay(1)}&ArrivalCountryCode=PT`)).toEqual([]);
  });

  test('that continues is a technical stop, and arrives as scheduled', async () => {
    const history = await statuses(`${onDay(2)}&CarrierCode=XX&FlightNumber=101`);
    expect(
      history.map(({ state, arrival, diversionAirport, diversionType, irregularOperationType, correction }) => [
        state,
        arrival?.airport?.iata,
        diversionAirport?.iata,
        diversionType,
        irregularOperationType,
        correction,
      ]),
    ).toEqual([
      ['InGate', 'JFK', 'LIS', 'TechnicalStop', 'Diverted', undefined],
      ['inAir', 'JFK', 'LIS', 'TechnicalStop', 'Diverted', undefined],
      ['Landed', 'LIS', 'LIS', 'TechnicalStop', 'Diverted', undefined],
      ['inAir', 'LIS', 'LIS', 'TechnicalStop', 'Diverted', undefined],
      ['inAir', 'JFK', undefined, undefined, undefined, undefined],
    ]);
    expect(history[0]?.arrival?.actualTime).toEqual({
      inGateTimeliness: 'Delayed',
      inGateVariation: '04:05:00',
      onGround: { local: '2026-06-02T17:50:00-04:00', utc: '2026-06-02T21:50:00+00:00' },
      inGate: { local: '2026-06-02T18:05:00-04:00', utc: '2026-06-02T22:05:00+00:00' },
    });
  });

  test.each<readonly [string, number, string, object]>([
    [
      'back to its departure airport is a return in the air',
      3,
      'CarrierCode=XX&FlightNumber=101',
      {
        state: 'InGate',
        arrival: 'LHR',
        diversionAirport: { iata: 'LHR', icao: 'EGLL' },
        diversionType: 'InAirReturn',
      },
    ],
    [
      'to an unknown airport is undefined, and has no diversion airport yet',
      2,
      'FlightNumber=301&ArrivalAirport=JFK',
      { state: 'Scheduled', arrival: 'JFK', diversionAirport: undefined, diversionType: 'Undefined' },
    ],
    [
      'twice has the airport of the later landing',
      3,
      'FlightNumber=301&ArrivalAirport=JFK',
      { state: 'Landed', arrival: 'LIS', diversionAirport: lisbon, diversionType: 'Unplanned' },
    ],
  ])('%s', async (_, day, query, expected) => {
    const status = await latest(`${onDay(day)}&${query}`);
    expect({
      state: status?.state,
      arrival: status?.arrival?.airport?.iata,
      diversionAirport: status?.diversionAirport,
      diversionType: status?.diversionType,
    }).toEqual(expected);
    expect(status?.irregularOperationType).toBe('Diverted');
  });
});
