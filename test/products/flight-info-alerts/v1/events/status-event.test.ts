import { beforeAll, describe, expect, test } from 'vitest';
import { buildStatusEvent } from '#products/flight-info-alerts/v1/events/event-builder.ts';
import type { StatusContent } from '#products/flight-info-alerts/v1/events/event-content.ts';
import { toStatusEventBody } from '#products/flight-info-alerts/v1/events/render-event.ts';
import { lisbon, london, newYork, seats101 } from '#test/products/flight-info/v2/example-schedule.ts';
import { serveStatuses, xx101, xx301 } from '#test/products/flight-info/v2/status-service.ts';
import type { FlightReference, ReportedFacts } from '#test/products/flight-info/v2/status-service.ts';
import { changesOf, readStatusContents, type FlightSelector } from '../alerts/stored-flights.ts';
import { sharedService } from '#test/support/shared-service.ts';

const world = sharedService(serveStatuses);

/** What all events here have. */
const head = {
  documentType: 'FlightStatus',
  version: '2',
  state: 'Scheduled',
  serviceType: 'J',
  serviceSuffix: '',
  originationDate: { local: '2026-06-01T00:00:00' },
};

/** The event content of the operating designator before and after a message. */
const reported = async (flight: FlightReference, expected: FlightSelector, facts: ReportedFacts) => {
  const [before] = await readStatusContents(world, expected);
  await world.report(flight, facts);
  const [after] = await readStatusContents(world, expected);
  return { before, after };
};

const changed = async (...request: Parameters<typeof reported>): Promise<readonly string[]> => {
  const { before, after } = await reported(...request);
  return changesOf(buildStatusEvent(before, after, 0));
};

describe('complete events', () => {
  const estimated = { out: '2026-06-01T10:16:00Z', off: '2026-06-01T10:30:00Z' };
  const facts101: ReportedFacts = [
    '2026-06-01T09:00:00Z',
    { departure: { estimated, terminal: '5', gate: 'B36' }, aircraft: { registration: 'G-ZBKA' } },
  ];
  const keys = { own: '', sold: '', status: '' };
  const shared = {
    ...head,
    flightType: 'Scheduled',
    departure: {
      times: {
        scheduled: { local: '2026-06-01T11:00:00', utc: '2026-06-01T10:00:00+00:00' },
        estimated: {
          outGateTimeliness: 'Delayed',
          outGateVariation: '00:16:00',
          outGate: { local: '2026-06-01T11:16:00+01:00', utc: '2026-06-01T10:16:00+00:00' },
          offGround: { local: '2026-06-01T11:30:00+01:00', utc: '2026-06-01T10:30:00+00:00' },
        },
      },
      ...london,
      scheduled: london,
      terminal: '5',
      gate: 'B36',
    },
    equipment: { aircraftType: { iata: '789', icao: 'B789' }, aircraftRegistrationNumber: 'GZBKA' },
  };
  let before: readonly StatusContent[];
  let after: readonly StatusContent[];
  beforeAll(async () => {
    before = await readStatusContents(world, { number: 101 });
    await world.report(xx101(), facts101);
    after = await readStatusContents(world, { number: 101 });
    const [own, sold] = after;
    keys.own = own?.scheduleInstanceKey ?? '';
    keys.sold = sold?.scheduleInstanceKey ?? '';
    keys.status = own?.statusKey ?? '';
  });
  const eventAt = (index: number) => {
    const [one, other] = [before[index], after[index]];
    return one && other && buildStatusEvent(one, other, 41);
  };
  const times = ['OutGateTimeliness', 'OutGateVariation', 'OutGate.Local', 'OutGate.UTC', 'OffGround.Local'];
  const changedNames = [
    'Equipment.AircraftRegistrationNumber',
    ...[...times, 'OffGround.UTC'].map((name) => `Departure.Times.Estimated.${name}`),
    'Departure.Gate',
  ];
  const scheduledArrival = {
    times: { scheduled: { local: '2026-06-01T14:00:00', utc: '2026-06-01T18:00:00+00:00' } },
    ...newYork,
    scheduled: newYork,
  };

  test('of a flight under the designator of its operating carrier', () => {
    const event = eventAt(0);
    expect(event && toStatusEventBody(event)).toEqual({
      ...shared,
      flightVersion: 42,
      flightNumber: '101',
      carrierCode: { iata: 'XX', icao: 'XXA' },
      arrival: { ...scheduledArrival, terminal: '8' },
      marketingFlights: [{ code: 'YY', serviceNumber: '5101', suffix: '' }],
      seatingCapacity: { actual: seats101 },
      isOperating: true,
      scheduleInstanceKey: keys.own,
      operatingInstanceKey: keys.own,
      marketingInstancesKeys: [keys.sold],
      statusKey: keys.status,
      changes: changedNames.map((propertyName) => ({ propertyName })),
    });
  });

  test('of the same flight under the designator of a marketing carrier', () => {
    const event = eventAt(1);
    expect(event && toStatusEventBody(event)).toEqual({
      ...shared,
      flightVersion: 42,
      flightNumber: '5101',
      carrierCode: { iata: 'YY', icao: 'YYB' },
      arrival: scheduledArrival,
      operatingAirlineDisclosure: { code: 'XX', name: 'Example Airways', number: '' },
      marketingFlights: [],
      operatingFlight: { code: 'XX', serviceNumber: '101', suffix: '' },
      isOperating: false,
      scheduleInstanceKey: keys.sold,
      operatingInstanceKey: keys.own,
      marketingInstancesKeys: [keys.sold],
      statusKey: keys.status,
      changes: expect.any(Array),
    });
  });

  test('each designator has the changes against the schedule of its own carrier', () => {
    const [operating, marketing] = [eventAt(0), eventAt(1)].map((event) =>
      event?.changes.map(({ propertyName }) => propertyName),
    );
    // The carrier that operates it had filed terminal 5, the one that sells it had not.
    expect(operating).toEqual(changedNames);
    expect(marketing).toEqual(operating?.toSpliced(-1, 0, 'Departure.Terminal'));
  });
});

describe('the changes of a message', () => {
  const flight = xx101('2026-06-02');
  const reference = { number: 101, on: '2026-06-02' };

  // The messages arrive one after the other.
  const toOther = { arrival: { terminal: '4' }, aircraft: { type: { iata: '320' } }, seats: { totalSeats: 150 } };
  const cabins = { FirstClass: 0, BusinessClass: 30, PremiumEconomyClass: 21, EconomyClass: 178, TotalSeats: 229 };
  test.each<readonly [string, time: string, facts: object, changes: readonly string[]]>([
    ['a gate, and no state', '08:00', { departure: { gate: 'A1' } }, ['+Departure.Gate']],
    ['known facts only: no event', '08:05', { departure: { gate: 'A1' } }, []],
    ['facts as filed', '08:10', { arrival: { terminal: '8' }, aircraft: { type: { iata: '789' } } }, []],
    [
      'other facts, against the filed ones',
      '08:15',
      toOther,
      [
        'Equipment.AircraftType.Iata: "789"',
        'Equipment.AircraftType.Icao: "B789"',
        'Arrival.Terminal: "8"',
        ...Object.entries(cabins).map(([cabin, seats]) => `SeatingCapacity.Actual.${cabin}: ${seats}`),
      ],
    ],
    ['a withdrawn fact, with its previous value', '08:20', { departure: { gate: null } }, ['Departure.Gate: "A1"']],
    [
      'a late message changes facts without newer values',
      '07:00',
      { departure: { gate: 'C3', checkInCounter: 'D4' } },
      ['+Departure.CheckInCounter'],
    ],
  ])('%s', async (_, time, facts, changes) => {
    expect(await changed(flight, reference, [`2026-06-02T${time}:00Z`, facts])).toEqual(changes);
  });
});

describe('a diverted flight', () => {
  const flight = xx101('2026-06-03');
  const reference = { number: 101, on: '2026-06-03' };
  const takeOff = { actual: { out: '2026-06-03T10:00:00Z', off: '2026-06-03T10:15:00Z' } };
  const arrival = { gate: '4', estimated: { on: '2026-06-03T17:50:00Z' } };
  const departed: ReportedFacts = ['2026-06-03T10:20:00Z', { departure: takeOff, arrival }];
  const diversion: ReportedFacts = [
    '2026-06-03T11:00:00Z',
    { diversions: [{ number: 1, airport: 'LIS', continues: true, estimated: { on: '2026-06-03T13:00:00Z' } }] },
  ];
  const stop = { actual: { on: '2026-06-03T12:58:00Z' }, onward: { actual: { off: '2026-06-03T14:15:00Z' } } };
  const onward: ReportedFacts = [
    '2026-06-03T14:20:00Z',
    { diversions: [{ number: 1, ...stop }], arrival: { terminal: '4' } },
  ];

  test('arrives at another airport, with unchanged scheduled airports', async () => {
    await world.report(flight, departed);
    const { before, after } = await reported(flight, reference, diversion);
    expect(after.arrival).toEqual({
      times: {
        scheduled: { local: '2026-06-03T14:00:00', utc: '2026-06-03T18:00:00+00:00' },
        estimated: { onGround: { local: '2026-06-03T14:00:00+01:00', utc: '2026-06-03T13:00:00+00:00' } },
      },
      ...lisbon,
      scheduled: newYork,
    });
    expect([after.departure.airport, after.departure.scheduled]).toEqual([london.airport, london]);
    expect(changesOf(buildStatusEvent(before, after, 0))).toEqual([
      'Arrival.Times.Estimated.OnGround.Local: "2026-06-03T13:50:00-04:00"',
      'Arrival.Times.Estimated.OnGround.UTC: "2026-06-03T17:50:00+00:00"',
      'Arrival.Airport.Iata: "JFK"',
      'Arrival.Airport.Icao: "KJFK"',
      'Arrival.Airport.Faa: "JFK"',
      'Arrival.Country.Code: "US"',
      'Arrival.Terminal: "8"',
      'Arrival.Gate: "4"',
      '+DiversionAirport.Iata',
      '+DiversionAirport.Icao',
      '+IrregularOperationType',
      '+DiversionType',
    ]);
  });

  test('that continues arrives as scheduled and stays marked as diverted', async () => {
    const { after } = await reported(flight, reference, onward);
    expect(after).toMatchObject({
      arrival: { airport: newYork.airport, terminal: '4' },
      diversionAirport: lisbon.airport,
      diversionType: 'TechnicalStop',
    });
  });

  test('to an unknown airport has neither filed terminal nor diversion airport', async () => {
    const nowhere: ReportedFacts = ['2026-06-03T09:00:00Z', { diversions: [{ number: 1 }] }];
    const changes = await changed(xx301(1, '2026-06-03'), { number: 301, on: '2026-06-03' }, nowhere);
    expect(changes).toEqual(['+IrregularOperationType', '+DiversionType']);
  });
});

test('an unscheduled recovery flight has the status key of the recovered flight', async () => {
  const flight = { ...xx101(), flightNumber: 9101, departureAirport: 'LIS' };
  const plan = {
    flightType: 'Unscheduled',
    departs: { airport: 'LIS', at: '2026-06-01T16:00:00Z' },
    aircraftType: { icao: 'B789' },
    recovers: xx101(),
  };
  const original = 'e'.repeat(64);
  await world.report(flight, ['2026-06-01T13:30:00Z', { plan: { ...plan, arrives: { airport: 'JFK' } } }]);
  const [after, ...others] = await readStatusContents(world, { number: 9101, from: 'LIS' }, original);
  const event = buildStatusEvent(undefined, after, 0);
  expect(others).toEqual([]);
  expect(event && toStatusEventBody(event)).toEqual({
    ...head,
    flightVersion: 1,
    flightType: 'Unscheduled',
    flightNumber: '9101',
    carrierCode: { iata: 'XX', icao: 'XXA' },
    equipment: { aircraftType: { icao: 'B789' } },
    departure: {
      times: { scheduled: { local: '2026-06-01T17:00:00', utc: '2026-06-01T16:00:00+00:00' } },
      ...lisbon,
      scheduled: lisbon,
    },
    arrival: { ...newYork, scheduled: newYork },
    irregularOperationType: 'Recovery',
    originalStatusKey: original,
    marketingFlights: [],
    isOperating: true,
    marketingInstancesKeys: [],
    statusKey: after.statusKey,
    changes: expect.any(Array),
  });
});
