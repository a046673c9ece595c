import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FlightInstancePage } from '../../../../generated/flight-info/v1/types.gen.ts';
import { requestAs, serveStatuses, xx101, xx301, type StatusService, type ReportedFacts } from './status-service.ts';

let world: StatusService;

/** A late departure and an early arrival. */
const toTheAir: readonly ReportedFacts[] = [
  [
    '2026-06-01T09:00:00Z',
    {
      departure: { estimated: { out: '2026-06-01T10:20:00Z', off: '2026-06-01T10:35:00Z' }, terminal: '5', gate: 'A1' },
      arrival: { estimated: { in: '2026-06-01T18:20:00Z' } },
      aircraft: { registration: 'g-zxab', type: { iata: '789' } },
    },
  ],
  [
    '2026-06-01T10:22:05.250Z',
    { departure: { actual: { out: '2026-06-01T10:21:30Z' }, gate: 'B36', checkInCounter: 'C1-C8' } },
  ],
  [
    '2026-06-01T10:41:00Z',
    {
      departure: { actual: { off: '2026-06-01T10:40:00Z' } },
      arrival: {
        estimated: { on: '2026-06-01T17:42:00Z', in: '2026-06-01T17:54:00Z' },
        terminal: '8',
        gate: '4',
        baggage: '6',
      },
    },
  ],
];

beforeAll(async () => {
  world = await serveStatuses();
  await world.report(xx101(), ...toTheAir);
});
afterAll(() => world.drop());

const june1 = 'DepartureDateTime=2026-06-01';
const of101 = `${june1}&CarrierCode=XX&FlightNumber=101`;

const inTheAir = {
  state: 'inAir',
  updatedAt: '2026-06-01T10:41:00.000',
  equipment: { aircraftRegistrationNumber: 'GZXAB', actualAircraftType: { iata: '789', icao: 'B789' } },
  departure: {
    estimatedTime: {
      outGateTimeliness: 'Delayed',
      outGateVariation: '00:20:00',
      outGate: { local: '2026-06-01T11:20:00+01:00', utc: '2026-06-01T10:20:00+00:00' },
      offGround: { local: '2026-06-01T11:35:00+01:00', utc: '2026-06-01T10:35:00+00:00' },
    },
    actualTime: {
      outGateTimeliness: 'Delayed',
      outGateVariation: '00:21:30',
      outGate: { local: '2026-06-01T11:21:30+01:00', utc: '2026-06-01T10:21:30+00:00' },
      offGround: { local: '2026-06-01T11:40:00+01:00', utc: '2026-06-01T10:40:00+00:00' },
    },
    airport: { iata: 'LHR', icao: 'EGLL' },
    country: { code: 'GB' },
    actualTerminal: '5',
    gate: 'B36',
    checkInCounter: 'C1-C8',
  },
  arrival: {
    estimatedTime: {
      inGateTimeliness: 'Early',
      inGateVariation: '-00:06:00',
      onGround: { local: '2026-06-01T13:42:00-04:00', utc: '2026-06-01T17:42:00+00:00' },
      inGate: { local: '2026-06-01T13:54:00-04:00', utc: '2026-06-01T17:54:00+00:00' },
    },
    airport: { iata: 'JFK', icao: 'KJFK', faa: 'JFK' },
    country: { code: 'US' },
    actualTerminal: '8',
    gate: '4',
    baggage: '6',
  },
};

describe('Content=Status', () => {
  test('adds the latest status, and no other property', async () => {
    const plain = await world.getOnly(of101);
    expect(await world.getOnly(`${of101}&Content=Status`)).toEqual({ ...plain, statusDetails: [inTheAir] });
    expect(plain).not.toHaveProperty('statusDetails');
  });

  test('of a flight without observations is an empty list', async () => {
    const flight = await world.getOnly(`${june1}&FlightNumber=201&Content=Status`);
    expect(flight.statusDetails).toEqual([]);
    expect((await world.getSingle(flight)).statusDetails).toEqual([]);
  });

  test('of a marketing flight is that of its operating flight', async () => {
    const marketing = await world.getOnly(`${june1}&FlightNumber=5101&Content=Status`);
    expect(marketing.statusDetails).toEqual([inTheAir]);
  });

  test('is not needed on the single flight, which always has status and seats', async () => {
    const row = await world.getOnly(`${of101}&Content=Status,Seats`);
    expect(await world.getSingle(row)).toEqual({
      ...row,
      bookingClasses: [
        { code: 'J', meal: 'M' },
        { code: 'W', meal: '' },
        { code: 'Y', meal: 'M' },
      ],
      freightClasses: [],
      restrictions: [],
      planeChangeWithoutAircraftChange: false,
      inFlightServices: ['9'],
      automatedCheckIn: false,
      electronicTicketing: true,
      secureFlightIndicator: true,
      governmentApproval: false,
      seatingCapacity: {
        actual: { firstClass: 0, businessClass: 30, premiumEconomyClass: 21, economyClass: 178, totalSeats: 229 },
      },
      statusDetails: [inTheAir],
    });
  });
});

describe('a response with statuses', () => {
  test('has no null, and is the same byte for byte when repeated', async () => {
    const path = `/flight-instances?${june1}&Content=StatusHistory,Seats,Map&Limit=100`;
    const first = await (await world.get(path)).text();
    expect(first).not.toContain('null');
    expect(await (await world.get(path)).text()).toBe(first);
  });

  test('has the same length for HEAD, without a body', async () => {
    const path = `/flight-instances?${of101}&Content=Status`;
    const body = await (await world.get(path)).text();
    const head = await requestAs(world, { path, method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String(Buffer.byteLength(body)),
      '',
    ]);
  });
});

describe('the state follows from the facts', () => {
  const stateOf = async (flight: string): Promise<unknown> => {
    const { statusDetails = [] } = await world.getOnly(`${flight}&Content=Status`);
    return statusDetails.map(({ state, correction }) => (correction ? `${state}, corrected` : state));
  };
  const june2 = 'DepartureDateTime=2026-06-02&CarrierCode=XX&FlightNumber=101';

  test.each<readonly [string, ReportedFacts, readonly string[]]>([
    [
      'an estimate',
      ['2026-06-02T08:00:00Z', { departure: { estimated: { out: '2026-06-02T10:00:00Z' } } }],
      ['Scheduled'],
    ],
    ['a cancellation', ['2026-06-02T08:10:00Z', { cancelled: true }], ['Canceled']],
    ['a reinstatement', ['2026-06-02T08:20:00Z', { cancelled: false }], ['Scheduled']],
    [
      'leaving the gate',
      ['2026-06-02T10:05:00Z', { departure: { actual: { out: '2026-06-02T10:00:00Z' } } }],
      ['OutGate'],
    ],
    ['a return to the gate', ['2026-06-02T10:30:00Z', { returnedToGate: true }], ['Scheduled']],
    ['taking off', ['2026-06-02T11:30:00Z', { departure: { actual: { off: '2026-06-02T11:29:00Z' } } }], ['inAir']],
    ['a touchdown', ['2026-06-02T19:00:00Z', { arrival: { actual: { on: '2026-06-02T18:59:00Z' } } }], ['Landed']],
    [
      'an arrival at the gate',
      ['2026-06-02T19:10:00Z', { arrival: { actual: { in: '2026-06-02T19:08:00Z' } } }],
      ['InGate'],
    ],
    ['a withdrawn arrival', ['2026-06-02T19:20:00Z', { arrival: { actual: { in: null } } }], ['Landed, corrected']],
  ])('%s', async (_, facts, expected) => {
    await world.report(xx101('2026-06-02'), facts);
    expect(await stateOf(june2)).toEqual(expected);
  });

  test.each<readonly [string, observedAt: string, out: string, timeliness: string, variation: string]>([
    ['the scheduled minute is on time', '2026-06-02T05:00:00Z', '2026-06-02T07:00:00Z', 'OnTime', '00:00:00'],
    ['a minute later is delayed', '2026-06-02T05:10:00Z', '2026-06-02T07:01:00Z', 'Delayed', '00:01:00'],
    ['a second before is early', '2026-06-02T05:20:00Z', '2026-06-02T06:59:59Z', 'Early', '-00:00:01'],
    ['more than four days later is in hours', '2026-06-02T05:30:00Z', '2026-06-06T11:02:03Z', 'Delayed', '100:02:03'],
  ])('of a gate time %s', async (_, observedAt, out, timeliness, variation) => {
    await world.report(xx301(1, '2026-06-02'), [observedAt, { departure: { estimated: { out } } }]);
    const flight = await world.getOnly(
      'DepartureDateTime=2026-06-02&FlightNumber=301&ArrivalAirport=JFK&Content=Status',
    );
    const times = flight.statusDetails?.[0]?.departure?.estimatedTime;
    expect([times?.outGateTimeliness, times?.outGateVariation]).toEqual([timeliness, variation]);
  });
});

test('v1 returns the statuses of v2', async () => {
  const before = await serveStatuses({ today: '2024-06-01' });
  try {
    await before.report(xx101(), ...toTheAir);
    const v2 = await before.getPage(`${june1}&Content=Status&Limit=100`);
    const response = await before.get(
      '/flight-instances?version=1.0&DepartureDate=2026-06-01&Content=Status&Limit=100',
    );
    const v1: FlightInstancePage = await response.json();
    expect(v1.data.map(({ statusDetails }) => statusDetails)).toEqual(
      v2.data.map(({ statusDetails }) => statusDetails),
    );
    expect(v1.data.flatMap(({ statusDetails = [] }) => statusDetails)).toEqual([inTheAir, inTheAir]);
  } finally {
    await before.drop();
  }
});
