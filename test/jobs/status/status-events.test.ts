import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { localDate } from '../../../src/domain/time/dates.ts';
import type { Database } from '../../../src/store/pool/database.ts';
import { readMasterDataIndex } from '../../../src/jobs/cache/read-master-data-index.ts';
import { ingestMessages } from '../../../src/jobs/status/ingest/status-ingester.ts';
import { schedule } from '../../products/flight-info/v2/example-schedule.ts';
import { publishText, serveTinyWorld, type TinyService } from '../../support/tiny-world.ts';
import { formatOutcomes, flight, deleteStatuses, message, noon, second, ingest } from './messages.ts';
import { deleteEvents, listEventChanges, listStatusEvents } from './emitted-events.ts';

let world: TinyService;
let db: Database;
beforeAll(async () => {
  world = await serveTinyWorld();
  db = world.db;
  await publishText(db, schedule);
});
afterAll(() => world.drop());
beforeEach(() => deleteEvents(db));
afterEach(() => deleteStatuses(db));

const xx101 = '6962483c4cb8d059f08a5d64f412ed6d2c07a71325aef5470f215ff2991397b7';
const yy5101 = '87d956b0f58cf2f5079502b9a6dff98198790592b588ce043c8cb56965b08519';
const june1 = localDate('2026-06-01');

/** The facts by which alerts select both events of a change of gate. */
const facts = {
  kind: 'status',
  flightType: 'Scheduled',
  departureAirport: 'LHR',
  arrivalAirport: 'JFK',
  departureDate: june1,
  arrivalDate: june1,
  changed: ['gates'],
  changedElse: false,
};
const xx = { iataCarrierCode: 'XX', icaoCarrierCode: 'XXA', flightNumber: 101, isMarketing: false };
const yy = { iataCarrierCode: 'YY', icaoCarrierCode: 'YYB', flightNumber: 5101, isMarketing: true };

const london = { airport: { iata: 'LHR', icao: 'EGLL' }, country: { code: 'GB' } };
const newYork = { airport: { iata: 'JFK', icao: 'KJFK', faa: 'JFK' }, country: { code: 'US' } };
const shared = {
  documentType: 'FlightStatus',
  version: '2',
  flightVersion: 1,
  flightType: 'Scheduled',
  state: 'Scheduled',
  serviceType: 'J',
  serviceSuffix: '',
  equipment: { aircraftType: { iata: '789', icao: 'B789' } },
  originationDate: { local: '2026-06-01T00:00:00' },
  operatingInstanceKey: xx101,
  marketingInstancesKeys: [yy5101],
  statusKey: '2fd02a494902730bb76ec5260e9c65ecdf66a988d11c73e4c33745bfbf8b923b',
  changes: [{ propertyName: 'Departure.Gate' }],
};
const departure = {
  ...london,
  times: { scheduled: { local: '2026-06-01T11:00:00', utc: '2026-06-01T10:00:00+00:00' } },
  scheduled: london,
  gate: 'A1',
};
const arrival = {
  ...newYork,
  times: { scheduled: { local: '2026-06-01T14:00:00', utc: '2026-06-01T18:00:00+00:00' } },
  scheduled: newYork,
};
const operating = {
  ...shared,
  flightNumber: '101',
  carrierCode: { iata: 'XX', icao: 'XXA' },
  departure: { ...departure, terminal: '5' },
  arrival: { ...arrival, terminal: '8' },
  marketingFlights: [{ code: 'YY', serviceNumber: '5101', suffix: '' }],
  seatingCapacity: {
    actual: { firstClass: 0, businessClass: 30, premiumEconomyClass: 21, economyClass: 178, totalSeats: 229 },
  },
  isOperating: true,
  scheduleInstanceKey: xx101,
};
const marketing = {
  ...shared,
  flightNumber: '5101',
  carrierCode: { iata: 'YY', icao: 'YYB' },
  departure,
  arrival,
  marketingFlights: [],
  operatingAirlineDisclosure: { code: 'XX', name: 'Example Airways', number: '' },
  operatingFlight: { code: 'XX', serviceNumber: '101', suffix: '' },
  isOperating: false,
  scheduleInstanceKey: yy5101,
};

const gate = message({ id: 'gate', facts: { departureGate: 'A1' } });

describe('a message that changes a flight', () => {
  test('writes an event for each of its designators', async () => {
    await ingest(db, [gate]);
    const [ours, sold, ...others] = await listStatusEvents(db);
    expect(ours).toEqual({ flightKey: xx101, version: 1, madeAt: noon(), facts: { ...facts, ...xx }, body: operating });
    expect(sold).toEqual({
      flightKey: yy5101,
      version: 1,
      madeAt: noon(),
      facts: { ...facts, ...yy },
      body: marketing,
    });
    expect(others).toEqual([]);
  });

  test('for a delay', async () => {
    await ingest(db, [message({ id: 'on time', facts: { estimatedOut: second('2026-06-01T10:00Z') } })]);
    await deleteEvents(db);
    await ingest(db, [
      message({ id: 'late', at: '2026-06-01T09:10Z', facts: { estimatedOut: second('2026-06-01T10:25Z') } }),
    ]);
    const changes = [
      'Departure.Times.Estimated.OutGateTimeliness: "OnTime"',
      'Departure.Times.Estimated.OutGateVariation: "00:00:00"',
      'Departure.Times.Estimated.OutGate.Local: "2026-06-01T11:00:00+01:00"',
      'Departure.Times.Estimated.OutGate.UTC: "2026-06-01T10:00:00+00:00"',
    ];
    expect(await listEventChanges(db)).toEqual([
      ['XX101', ...changes],
      ['YY5101', ...changes],
    ]);
    const [event] = await listStatusEvents(db);
    expect(event?.body.departure.times?.estimated).toEqual({
      outGateTimeliness: 'Delayed',
      outGateVariation: '00:25:00',
      outGate: { local: '2026-06-01T11:25:00+01:00', utc: '2026-06-01T10:25:00+00:00' },
    });
    expect(event?.facts).toEqual({ ...facts, ...xx, changed: [], changedElse: true, outGateVariationMinutes: 25 });
  });

  test('for a cancellation and its withdrawal', async () => {
    await ingest(db, [message({ id: 'off', facts: { cancelled: true } })]);
    await ingest(db, [message({ id: 'on', at: '2026-06-01T09:10Z', facts: { cancelled: false } })]);
    const events = await listStatusEvents(db);
    expect(events.map(({ body }) => [body.flightNumber, body.flightVersion, body.state, body.changes])).toEqual([
      ['101', 1, 'Canceled', [{ propertyName: 'State', previousValue: 'Scheduled' }]],
      ['5101', 1, 'Canceled', [{ propertyName: 'State', previousValue: 'Scheduled' }]],
      ['101', 2, 'Scheduled', [{ propertyName: 'State', previousValue: 'Canceled' }]],
      ['5101', 2, 'Scheduled', [{ propertyName: 'State', previousValue: 'Canceled' }]],
    ]);
  });

  test('for a diversion, a landing elsewhere and the continuation', async () => {
    await ingest(db, [message({ id: '1', facts: { actualOff: second('2026-06-01T10:10Z') } })]);
    await deleteEvents(db);
    await ingest(db, [message({ id: '2', at: '2026-06-01T11:00Z', landings: [{ id: '1', airport: 'CDG' }] })]);
    await ingest(db, [
      message({
        id: '3',
        at: '2026-06-01T12:01Z',
        landings: [{ id: '1', actualOn: second('2026-06-01T12:00Z'), continues: true }],
      }),
    ]);
    await ingest(db, [
      message({ id: '4', at: '2026-06-01T14:01Z', landings: [{ id: '1', actualOff: second('2026-06-01T14:00Z') }] }),
    ]);
    expect((await listEventChanges(db)).filter(([name]) => name === 'XX101')).toEqual([
      [
        'XX101',
        'Arrival.Airport.Iata: "JFK"',
        'Arrival.Airport.Icao: "KJFK"',
        'Arrival.Airport.Faa: "JFK"',
        'Arrival.Country.Code: "US"',
        'Arrival.Terminal: "8"',
        '+DiversionAirport.Iata',
        '+DiversionAirport.Icao',
        '+IrregularOperationType',
        '+DiversionType',
      ],
      [
        'XX101',
        'State: "inAir"',
        '+Arrival.Times.Actual.OnGround.Local',
        '+Arrival.Times.Actual.OnGround.UTC',
        'DiversionType: "Unplanned"',
      ],
      [
        'XX101',
        'State: "Landed"',
        'Arrival.Times.Actual.OnGround.Local: "2026-06-01T14:00:00+02:00"',
        'Arrival.Times.Actual.OnGround.UTC: "2026-06-01T12:00:00+00:00"',
        'Arrival.Airport.Iata: "CDG"',
        'Arrival.Airport.Icao: "LFPG"',
        '+Arrival.Airport.Faa',
        'Arrival.Country.Code: "FR"',
      ],
    ]);
  });

  test('for the aircraft: its registration, its type and its seats', async () => {
    await ingest(db, [
      message({
        id: 'm',
        facts: {
          registration: 'GXXAB',
          aircraftType: { iata: '320', icao: '' },
          seats: {
            first: 0,
            business: 12,
            premiumEconomy: undefined,
            economyPlus: undefined,
            economy: 150,
            total: 162,
          },
        },
      }),
    ]);
    const aircraft = [
      'Equipment.AircraftType.Iata: "789"',
      'Equipment.AircraftType.Icao: "B789"',
      '+Equipment.AircraftRegistrationNumber',
    ];
    expect(await listEventChanges(db)).toEqual([
      [
        'XX101',
        ...aircraft,
        'SeatingCapacity.Actual.BusinessClass: 30',
        'SeatingCapacity.Actual.PremiumEconomyClass: 21',
        'SeatingCapacity.Actual.EconomyClass: 178',
        'SeatingCapacity.Actual.TotalSeats: 229',
      ],
      [
        'YY5101',
        ...aircraft,
        '+SeatingCapacity.Actual.FirstClass',
        '+SeatingCapacity.Actual.BusinessClass',
        '+SeatingCapacity.Actual.EconomyClass',
        '+SeatingCapacity.Actual.TotalSeats',
      ],
    ]);
    const seats = { actual: { firstClass: 0, businessClass: 12, economyClass: 150, totalSeats: 162 } };
    expect((await listStatusEvents(db)).map(({ body }) => body.seatingCapacity)).toEqual([seats, seats]);
  });
});

describe('one event', () => {
  test('emits one event for all messages of a flight in a batch', async () => {
    await ingest(db, [
      gate,
      message({ id: 'other', at: '2026-06-01T09:01Z', facts: { departureGate: 'A2' } }),
      message({
        id: 'elsewhere',
        flight: flight({ flightNumber: 301, arrivalAirport: 'JFK' }),
        facts: { departureGate: 'C1' },
      }),
      message({ id: 'third', at: '2026-06-01T09:02Z', facts: { departureGate: 'A3', checkInCounter: '9' } }),
    ]);
    expect(await listEventChanges(db)).toEqual([
      ['XX101', '+Departure.Gate', '+Departure.CheckInCounter'],
      ['YY5101', '+Departure.Gate', '+Departure.CheckInCounter'],
      ['XX301', '+Departure.Gate'],
    ]);
    expect((await listStatusEvents(db)).map(({ body }) => body.departure.gate)).toEqual(['A3', 'A3', 'C1']);
  });

  test('is not emitted for a known message, for one with known facts, nor for an older one', async () => {
    await ingest(db, [gate]);
    await deleteEvents(db);
    await ingest(db, [gate]);
    await ingest(db, [message({ id: 'same', at: '2026-06-01T09:10Z', facts: { departureGate: 'A1' } })]);
    await ingest(db, [message({ id: 'older', at: '2026-06-01T08:50Z', facts: { departureGate: 'B9' } })]);
    expect(await listEventChanges(db)).toEqual([]);
  });

  test('emits an event of an older message for facts without newer values', async () => {
    await ingest(db, [gate]);
    await deleteEvents(db);
    await ingest(db, [
      message({ id: 'older', at: '2026-06-01T08:50Z', facts: { departureGate: 'B9', checkInCounter: '7' } }),
    ]);
    expect(await listEventChanges(db)).toEqual([
      ['XX101', '+Departure.CheckInCounter'],
      ['YY5101', '+Departure.CheckInCounter'],
    ]);
  });

  test.each([
    ['2026-06-08', 'is still written a week after the flight', 2],
    [
      '2026-06-09',
      'is not written of a flight that departed more than a week ago, whose status is kept all the same',
      0,
    ],
  ])('on %s %s', async (today, _, events) => {
    const taking = { masterDataIndex: await readMasterDataIndex(db), clock: () => new Date(`${today}T00:00:00Z`) };
    expect(formatOutcomes(await ingestMessages(db, [gate], taking))).toEqual(['stored']);
    const statuses = await db`select from flight_status where doc like '%A1%'`;
    expect([await listEventChanges(db).then((changes) => changes.length), statuses.length]).toEqual([events, 1]);
  });

  test('is stored with its message or not at all', async () => {
    await db`alter table event_outbox add constraint planted check (false) not valid`;
    await expect(ingest(db, [gate])).rejects.toThrow('planted');
    await db`alter table event_outbox drop constraint planted`;
    expect(await listEventChanges(db)).toEqual([]);
    expect(formatOutcomes(await ingest(db, [gate]))).toEqual(['stored']);
    expect(await listEventChanges(db)).toEqual([
      ['XX101', '+Departure.Gate'],
      ['YY5101', '+Departure.Gate'],
    ]);
  });
});
