import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { StatusDetails } from '#generated/flight-info/v2/types.gen.ts';
import { details101, lisbon, london, newYork, paris } from './example-schedule.ts';
import { formatFlight, serveStatuses, xx101, xx301, xx502, type ReportedFacts } from './status-service.ts';
import { toKeyOrder } from '#domain/schedule/keys.ts';
import { observeQueries } from '#store/pool/driver/query-observer.ts';
import { buildFile, buildLeg, times } from '#test/feeds/ssim/build-file.ts';
import { sharedService } from '#test/support/shared-service.ts';

const onDay = (day: number): string => `DepartureDateTime=2026-06-0${day}`;
const of101 = `${onDay(1)}&CarrierCode=XX&FlightNumber=101`;
const of502 = (day: number): string => `${onDay(day)}&FlightNumber=502`;
const whole301 = (day: number): string => `${onDay(day)}&FlightNumber=301&DepartureAirport=LHR&ArrivalAirport=LAX`;

const losAngeles = { airport: { iata: 'LAX', icao: 'KLAX', faa: 'LAX' }, country: { code: 'US' } };

const beforeDeparture = { estimated: { out: '2026-06-01T10:20:00Z' }, terminal: '5', gate: 'A1' };
const aircraft = { registration: 'g-zxab', type: { iata: '789' } };
const toTheAir: readonly ReportedFacts[] = [
  ['2026-06-01T09:00:00Z', { departure: beforeDeparture, aircraft }],
  ['2026-06-01T10:22:05.250Z', { departure: { actual: { out: '2026-06-01T10:21:30Z' }, gate: 'B36' } }],
  ['2026-06-01T10:41:00Z', { departure: { actual: { off: '2026-06-01T10:40:00Z' } }, arrival: { baggage: '6' } }],
];
const inTheAir: StatusDetails = {
  state: 'inAir',
  updatedAt: '2026-06-01T10:41:00.000',
  equipment: { aircraftRegistrationNumber: 'GZXAB', actualAircraftType: { iata: '789', icao: 'B789' } },
  departure: {
    estimatedTime: {
      outGateTimeliness: 'Delayed',
      outGateVariation: '00:20:00',
      outGate: { local: '2026-06-01T11:20:00+01:00', utc: '2026-06-01T10:20:00+00:00' },
    },
    actualTime: {
      outGateTimeliness: 'Delayed',
      outGateVariation: '00:21:30',
      outGate: { local: '2026-06-01T11:21:30+01:00', utc: '2026-06-01T10:21:30+00:00' },
      offGround: { local: '2026-06-01T11:40:00+01:00', utc: '2026-06-01T10:40:00+00:00' },
    },
    ...london,
    actualTerminal: '5',
    gate: 'B36',
  },
  arrival: { ...newYork, baggage: '6' },
};

/** The messages of XX 502, in the order of their source times, and the statuses after them, newest first. */
const [gate, out, cancelled]: readonly [ReportedFacts, ReportedFacts, ReportedFacts] = [
  ['2026-06-01T09:00:00Z', { departure: { gate: 'A1' } }],
  ['2026-06-01T10:05:30.120Z', { departure: { actual: { out: '2026-06-01T10:05:00Z' } } }],
  ['2026-06-01T11:00:00Z', { cancelled: true, departure: { actual: { out: null } } }],
];
const outGate = { local: '2026-06-01T11:05:00+01:00', utc: '2026-06-01T10:05:00+00:00' };
const actualTime: StatusDetails['departure'] = {
  actualTime: { outGateTimeliness: 'Delayed', outGateVariation: '00:05:00', outGate },
};
const atGate = { ...london, gate: 'A1' };
const history: readonly StatusDetails[] = [
  { state: 'Canceled', updatedAt: '2026-06-01T11:00:00.000', departure: atGate, arrival: paris },
  { state: 'OutGate', updatedAt: '2026-06-01T10:05:30.120', departure: { ...actualTime, ...atGate }, arrival: paris },
  { state: 'Scheduled', updatedAt: '2026-06-01T09:00:00.000', departure: atGate, arrival: paris },
];

const world = sharedService(serveStatuses);
beforeAll(async () => {
  await world.report(xx101(), ...toTheAir);
  // The messages arrive in another order than their source times.
  await world.report(xx502(), out, cancelled);
  await world.report(xx502(), gate);
});

const statuses = async (query: string): Promise<readonly StatusDetails[]> =>
  (await world.getOnly(`${query}&Content=StatusHistory`)).statusDetails ?? [];
const latest = async (query: string): Promise<StatusDetails | undefined> =>
  (await world.getOnly(`${query}&Content=Status`)).statusDetails?.[0];

test('Content=Status adds the latest status, and no other property', async () => {
  const plain = await world.getOnly(of101);
  expect(await world.getOnly(`${of101}&Content=Status`)).toEqual({ ...plain, statusDetails: [inTheAir] });
  expect(plain).not.toHaveProperty('statusDetails');
  expect(await latest(of502(1))).toEqual(history[0]);
});

test('Content=Status of a flight without observations, with stops or not, is an empty list', async () => {
  for (const query of [`${onDay(1)}&FlightNumber=201`, whole301(2)])
    for (const content of ['status,seats', 'StatusHistory']) {
      const flight = await world.getOnly(`${query}&Content=${content}`);
      const single = await world.getSingle(flight, `&Content=${content.replace('status,seats', 'Status')}`);
      expect([flight.statusDetails, single.statusDetails]).toEqual([[], []]);
    }
});

test('Content=Status of flights with stops takes one query more while their legs have no status', async () => {
  const queries: string[] = [];
  onTestFinished(observeQueries(world.db, (text) => void queries.push(text)));
  await world.getPage(`${whole301(2)}&Content=Status`);
  expect(queries.filter((text) => /\bflight_(?:instance|status)\b/.test(text))).toEqual([
    expect.stringMatching(/^select .* from flight_instance i left join flight_status/),
    expect.stringMatching(/ join flight_status s using \(departs_on, status_order\)$/),
  ]);
});

test('Content=Status of a marketing flight is that of its operating flight, with its history', async () => {
  const of5101 = `${onDay(1)}&FlightNumber=5101`;
  expect(await latest(of5101)).toEqual(inTheAir);
  const operating = await statuses(of101);
  expect(operating).toHaveLength(3);
  expect(await statuses(of5101)).toEqual(operating);
});

test('Content=Status is not needed on the single flight, which always has status and seats', async () => {
  const row = await world.getOnly(`${of101}&Content=Status,Seats`);
  expect(await world.getSingle(row)).toEqual({ ...row, ...details101, statusDetails: [inTheAir] });
});

test('Content=StatusHistory is every status of the flight, newest first by the time at the source', async () => {
  const plain = await world.getOnly(of502(1));
  const whole = { ...plain, statusDetails: history };
  for (const content of ['StatusHistory', 'Status,StatusHistory', 'statushistory,STATUS'])
    expect(await world.getOnly(`${of502(1)}&Content=${content}`)).toEqual(whole);
});

test('Content=StatusHistory on the single flight replaces the latest status by all, and changes nothing else', async () => {
  const row = await world.getOnly(of502(1));
  const plain = await world.getSingle(row);
  for (const content of ['StatusHistory', 'Status,StatusHistory'])
    expect(await world.getSingle(row, `&Content=${content}`)).toEqual({ ...plain, statusDetails: history });
});

const divert = (at: string, ...diversions: readonly object[]): ReportedFacts => [at, { diversions }];
const toLisbon = { number: 1, airport: 'LIS', actual: { on: '2026-06-02T12:58:00Z' } };

test('a diverted flight keeps its schedule, and is found by it', async () => {
  await world.report(xx101('2026-06-02'), divert('2026-06-02T13:10:00Z', toLisbon));
  const of101 = `${onDay(2)}&CarrierCode=XX&FlightNumber=101`;
  const flight = await world.getOnly(`${of101}&ArrivalAirport=JFK&ArrivalCountryCode=US&ArrivalDateTime=2026-06-02`);
  expect(flight.arrival).toMatchObject({ ...newYork, terminal: '8', time: { local: '14:00', utc: '18:00' } });
  expect(await latest(of101)).toMatchObject({
    state: 'Landed',
    arrival: lisbon,
    diversionAirport: lisbon.airport,
    diversionType: 'Unplanned',
    irregularOperationType: 'Diverted',
  });
  for (const place of ['ArrivalAirport=LIS', 'ArrivalCountryCode=PT'])
    expect((await world.getPage(`${onDay(2)}&${place}`)).data.map(formatFlight)).toEqual([]);
});

test('a diverted flight that continues is a technical stop, and arrives as scheduled', async () => {
  const onward = { number: 1, onward: { actual: { off: '2026-06-02T14:15:00Z' } } };
  const arrived: ReportedFacts = ['2026-06-02T22:10:00Z', { arrival: { actual: { on: '2026-06-02T21:50:00Z' } } }];
  const stopping = divert('2026-06-02T11:00:00Z', { ...toLisbon, actual: undefined, continues: true });
  await world.report(xx502('2026-06-02'), stopping, divert('2026-06-02T13:00:00Z', toLisbon));
  await world.report(xx502('2026-06-02'), divert('2026-06-02T14:20:00Z', onward), arrived);
  const seen = (await statuses(of502(2))).map(({ state, arrival, diversionAirport, diversionType }) =>
    [state, arrival?.airport?.iata, diversionAirport?.iata, diversionType].join(' '),
  );
  expect(seen).toEqual([
    'Landed CDG LIS TechnicalStop',
    'inAir CDG LIS TechnicalStop',
    'Landed LIS LIS TechnicalStop',
    'Scheduled LIS LIS TechnicalStop',
  ]);
});

/** Moves the status and the messages of 3 June from the flight with one status key to that with another. */
const moveStatus = async (keys: readonly string[]): Promise<void> => {
  const [from, to] = keys.map((key) => String(toKeyOrder(Buffer.from(key, 'hex'))));
  for (const table of ['flight_status', 'status_message'])
    await world.db.unsafe(
      `update ${table} set status_order = $2::bigint where departs_on = '2026-06-03' and status_order = $1::bigint`,
      [from ?? '', to ?? ''],
    );
};

describe('a flight with stops', () => {
  const first = { aircraftRegistrationNumber: 'GZXAB' };
  const second = { aircraftRegistrationNumber: 'N342UP' };
  const offGround = { local: '2026-06-01T08:15:00+01:00', utc: '2026-06-01T07:15:00+00:00' };
  const departed = { equipment: first, departure: { actualTime: { offGround }, ...london } };

  test('departs with its first leg, arrives with its last, and has the state of the current one', async () => {
    const aircraft = (registration: string) => ({ aircraft: { registration } });
    const takeOff = { departure: { actual: { off: '2026-06-01T07:15:00Z' } } };
    await world.report(
      xx301(1),
      ['2026-06-01T07:20:00Z', { ...aircraft('G-ZXAB'), ...takeOff }],
      ['2026-06-01T15:09:00Z', { arrival: { actual: { in: '2026-06-01T15:08:00Z' } } }],
    );
    await world.report(
      xx301(2),
      ['2026-06-01T15:10:00Z', aircraft('N342UP')],
      ['2026-06-01T17:20:00Z', { departure: { actual: { off: '2026-06-01T17:15:00Z' } } }],
    );
    const expected = [
      { ...departed, state: 'inAir', updatedAt: '2026-06-01T17:20:00.000', equipment: second, arrival: losAngeles },
      { ...departed, state: 'InGate', updatedAt: '2026-06-01T15:10:00.000', arrival: losAngeles },
      // The arrival is unknown until the last leg has an observation.
      { ...departed, state: 'InGate', updatedAt: '2026-06-01T15:09:00.000' },
      { ...departed, state: 'inAir', updatedAt: '2026-06-01T07:20:00.000' },
    ];
    const plain = await world.getOnly(whole301(1));
    expect(await statuses(whole301(1))).toEqual(expected);
    expect(await latest(whole301(1))).toEqual(expected[0]);
    expect((await world.getSingle(plain)).statusDetails).toEqual(expected.slice(0, 1));
    expect((await world.getSingle(plain, '&Content=StatusHistory')).statusDetails).toEqual(expected);
  });

  test('has legs with a status of their own', async () => {
    const { data } = await world.getPage(`${onDay(1)}&FlightNumber=301&Content=StatusHistory`);
    const legs = data.filter(({ segmentInfo }) => segmentInfo.numberOfStops === 0);
    const expected = [
      ['InGate', 'inAir'],
      ['inAir', 'Scheduled'],
    ];
    expect(legs.map(({ statusDetails = [] }) => statusDetails.map(({ state }) => state))).toEqual(expected);
  });

  test('has the status of its legs once they have one, not the one that an earlier version stored for it', async () => {
    const gates = async (content: string) =>
      (await world.getOnly(`${whole301(3)}&Content=${content}`)).statusDetails?.map(({ departure }) => departure?.gate);
    await world.report(xx502('2026-06-03'), ['2026-06-03T06:00:00Z', { departure: { gate: 'B1' } }]);
    const ids = await Promise.all([of502(3), whole301(3)].map(async (query) => (await world.getOnly(query)).statusKey));
    await moveStatus(ids);
    expect([await gates('Status'), await gates('StatusHistory')]).toEqual([['B1'], ['B1']]);
    await world.report(xx301(1, '2026-06-03'), ['2026-06-03T05:00:00Z', { departure: { gate: 'C1' } }]);
    expect([await gates('Status'), await gates('StatusHistory')]).toEqual([['C1'], ['C1']]);
    expect(await gates('StatusHistory,Map')).toEqual(['C1']);
  });
});

test('an unplanned diversion stays one when the flight continues', async () => {
  const unplanned = { ...toLisbon, type: 'Unplanned' };
  const onward = { number: 1, onward: { actual: { off: '2026-06-03T14:15:00Z' } } };
  const landed = { ...unplanned, actual: { on: '2026-06-03T12:58:00Z' }, continues: true };
  await world.report(
    xx502('2026-06-03'),
    divert('2026-06-03T13:00:00Z', landed),
    divert('2026-06-03T14:20:00Z', onward),
  );
  const { state, arrival, diversionType } = (await latest(`${onDay(3)}&FlightNumber=502`)) ?? {};
  expect([state, arrival?.airport?.iata, diversionType]).toEqual(['inAir', 'CDG', 'Unplanned']);
});

test('on a night on which the clock skips the scheduled time, scheduled, estimated and actual times are by one clock', async () => {
  const leg = { 15: '08MAR26', 22: '08MAR26', 37: 'JFK', 48: '-0500', 55: 'LHR', 66: '+0000' };
  const text = buildFile(buildLeg(leg, times('0230', '1430')));
  const world = await serveStatuses({ text, today: '2026-03-08' });
  onTestFinished(world.drop);
  const flight = { ...xx101('2026-03-08'), departureAirport: 'JFK', arrivalAirport: 'LHR' };
  await world.report(flight, ['2026-03-08T07:00:00Z', { departure: { actual: { out: '2026-03-08T07:30:00Z' } } }]);
  const { departure, statusDetails } = await world.getOnly('DepartureDateTime=2026-03-08&Content=Status');
  expect([departure.date, departure.time]).toEqual([
    { local: '2026-03-08', utc: '2026-03-08' },
    { local: '03:30', utc: '07:30', filed: '02:30' },
  ]);
  expect(statusDetails?.[0]?.departure?.actualTime).toEqual({
    outGateTimeliness: 'OnTime',
    outGateVariation: '00:00:00',
    outGate: { local: '2026-03-08T03:30:00-04:00', utc: '2026-03-08T07:30:00+00:00' },
  });
});
