import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FlightInstance } from '../../../../generated/flight-info/v2/types.gen.ts';
import { serveStatuses, xx301, type StatusService, type ReportedFacts } from './status-service.ts';

let world: StatusService;
beforeAll(async () => {
  world = await serveStatuses();
});
afterAll(() => world.drop());

const whole = (day: number): string =>
  `DepartureDateTime=2026-06-0${day}&FlightNumber=301&DepartureAirport=LHR&ArrivalAirport=LAX`;

const lhr = { airport: { iata: 'LHR', icao: 'EGLL' }, country: { code: 'GB' } };
const lax = { airport: { iata: 'LAX', icao: 'KLAX', faa: 'LAX' }, country: { code: 'US' } };
const departed = {
  actualTime: {
    outGateTimeliness: 'Delayed',
    outGateVariation: '00:02:00',
    outGate: { local: '2026-06-01T08:02:00+01:00', utc: '2026-06-01T07:02:00+00:00' },
    offGround: { local: '2026-06-01T08:15:00+01:00', utc: '2026-06-01T07:15:00+00:00' },
  },
  ...lhr,
};
const first = { aircraftRegistrationNumber: 'GZXAB' };
const second = { aircraftRegistrationNumber: 'N342UP' };

/** Newest first. */
const history = [
  {
    state: 'Landed',
    updatedAt: '2026-06-01T23:00:00.000',
    equipment: second,
    departure: departed,
    arrival: {
      actualTime: { onGround: { local: '2026-06-01T15:55:00-07:00', utc: '2026-06-01T22:55:00+00:00' } },
      ...lax,
    },
  },
  { state: 'inAir', updatedAt: '2026-06-01T17:20:00.000', equipment: second, departure: departed, arrival: lax },
  { state: 'InGate', updatedAt: '2026-06-01T15:10:00.000', equipment: first, departure: departed, arrival: lax },
  // The arrival is unknown until the last leg has an observation.
  { state: 'inAir', updatedAt: '2026-06-01T07:20:00.000', equipment: first, departure: departed },
];

test('a flight with stops departs with its first leg, arrives with its last, and has the state of the current one', async () => {
  await world.report(
    xx301(1),
    [
      '2026-06-01T07:20:00Z',
      {
        aircraft: { registration: 'G-ZXAB' },
        departure: { actual: { out: '2026-06-01T07:02:00Z', off: '2026-06-01T07:15:00Z' } },
      },
    ],
    ['2026-06-01T15:09:00Z', { arrival: { actual: { in: '2026-06-01T15:08:00Z' } } }],
  );
  await world.report(
    xx301(2),
    ['2026-06-01T15:10:00Z', { aircraft: { registration: 'N342UP' } }],
    ['2026-06-01T17:20:00Z', { departure: { actual: { off: '2026-06-01T17:15:00Z' } } }],
    ['2026-06-01T23:00:00Z', { arrival: { actual: { on: '2026-06-01T22:55:00Z' } } }],
  );
  const flight = await world.getOnly(`${whole(1)}&Content=StatusHistory`);
  const latest = { state: 'InGate', updatedAt: '2026-06-01T15:09:00.000', equipment: first, departure: departed };
  expect(flight.statusDetails).toEqual([...history.slice(0, 3), latest, ...history.slice(3)]);
});

test('its latest state is its status, in a list and on the single flight', async () => {
  const plain = await world.getOnly(whole(1));
  expect(await world.getOnly(`${whole(1)}&Content=Status`)).toEqual({ ...plain, statusDetails: history.slice(0, 1) });
  expect((await world.getSingle(plain)).statusDetails).toEqual(history.slice(0, 1));
  expect((await world.getSingle(plain, '&Content=StatusHistory')).statusDetails).toHaveLength(5);
});

test('each leg has its own status', async () => {
  const { data } = await world.getPage('DepartureDateTime=2026-06-01&FlightNumber=301&Content=StatusHistory');
  const legs = data.filter(({ segmentInfo }) => segmentInfo.numberOfStops === 0);
  expect(legs.map(({ statusDetails = [] }) => statusDetails.map(({ state }) => state))).toEqual([
    ['InGate', 'inAir'],
    ['Landed', 'inAir', 'Scheduled'],
  ]);
});

test('a flight with stops without observations has no status', async () => {
  expect((await world.getOnly(`${whole(2)}&Content=Status`)).statusDetails).toEqual([]);
  expect((await world.getOnly(`${whole(2)}&Content=StatusHistory`)).statusDetails).toEqual([]);
});

const latest = async (day: number) => (await world.getOnly(`${whole(day)}&Content=Status`)).statusDetails?.[0];

test('it is diverted when one of its legs is, and cancelled when one of its legs is', async () => {
  await world.report(xx301(1, '2026-06-03'), ['2026-06-03T09:00:00Z', { diversions: [{ number: 1, airport: 'CDG' }] }]);
  const diversion = {
    diversionAirport: { iata: 'CDG', icao: 'LFPG' },
    diversionType: 'Unplanned',
    irregularOperationType: 'Diverted',
  };
  expect(await latest(3)).toEqual({
    state: 'Scheduled',
    updatedAt: '2026-06-03T09:00:00.000',
    departure: lhr,
    ...diversion,
  });
  await world.report(xx301(2, '2026-06-03'), ['2026-06-03T12:00:00Z', { cancelled: true }]);
  expect(await latest(3)).toEqual({
    state: 'Canceled',
    updatedAt: '2026-06-03T12:00:00.000',
    departure: lhr,
    arrival: lax,
    ...diversion,
  });
});

test('facts of the flight as a whole are its status, and its history', async () => {
  const facts: readonly ReportedFacts[] = [
    ['2026-06-02T06:00:00Z', { departure: { gate: 'B1' } }],
    ['2026-06-02T06:30:00Z', { departure: { gate: 'B2' } }],
  ];
  const { statusKey }: FlightInstance = await world.getOnly(whole(2));
  await world.report({ statusKey, departureDate: '2026-06-02' }, ...facts);
  const gates = async (content: string) =>
    (await world.getOnly(`${whole(2)}&Content=${content}`)).statusDetails?.map(({ departure }) => departure?.gate);
  expect(await gates('Status')).toEqual(['B2']);
  expect(await gates('StatusHistory')).toEqual(['B2', 'B1']);
  expect(await gates('StatusHistory,Map')).toEqual(['B2', 'B1']);
});
