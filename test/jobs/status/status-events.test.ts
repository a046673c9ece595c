import { beforeEach, describe, expect, test } from 'vitest';
import type { FlightFacts, StatusMessage } from '../../../src/domain/status/message.ts';
import { localDate } from '../../../src/domain/time/dates.ts';
import { readMasterDataIndex } from '../../../src/jobs/cache/read-master-data-index.ts';
import { ingestMessages } from '../../../src/jobs/status/ingest/status-ingester.ts';
import { deleteEvents, listEventChanges, listStatusEvents } from './emitted-events.ts';
import { formatOutcomes, flight, message, noon, second, ingest } from './messages.ts';
import { db, useStatusWorld } from './status-world.ts';

useStatusWorld();
beforeEach(() => deleteEvents(db));

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
const at = (time: string, id: string, facts: FlightFacts): StatusMessage =>
  message({ id, at: `2026-06-01T${time}Z`, facts });

/** Ingests messages one by one after others, and returns the changes of their events. */
const changesOf = async (messages: readonly StatusMessage[], before: readonly StatusMessage[] = []) => {
  for (const one of before) await ingest(db, [one]);
  await deleteEvents(db);
  for (const one of messages) await ingest(db, [one]);
  return listEventChanges(db);
};
const ofBoth = (...changes: readonly string[]) => ['XX101', 'YY5101'].map((name) => [name, ...changes]);

describe('a message that changes a flight', () => {
  test('writes an event for each of its designators', async () => {
    await ingest(db, [gate]);
    const common = { version: 1, madeAt: noon() };
    expect(await listStatusEvents(db)).toEqual([
      { ...common, flightKey: xx101, facts: { ...facts, ...xx }, body: operating },
      { ...common, flightKey: yy5101, facts: { ...facts, ...yy }, body: marketing },
    ]);
  });

  test('for a delay', async () => {
    const onTime = at('09:00', 'on time', { estimatedOut: second('2026-06-01T10:00Z') });
    const late = at('09:10', 'late', { estimatedOut: second('2026-06-01T10:25Z') });
    expect(await changesOf([late], [onTime])).toEqual(
      ofBoth(
        'Departure.Times.Estimated.OutGateTimeliness: "OnTime"',
        'Departure.Times.Estimated.OutGateVariation: "00:00:00"',
        'Departure.Times.Estimated.OutGate.Local: "2026-06-01T11:00:00+01:00"',
        'Departure.Times.Estimated.OutGate.UTC: "2026-06-01T10:00:00+00:00"',
      ),
    );
    const [event] = await listStatusEvents(db);
    expect(event?.body.departure.times?.estimated).toEqual({
      outGateTimeliness: 'Delayed',
      outGateVariation: '00:25:00',
      outGate: { local: '2026-06-01T11:25:00+01:00', utc: '2026-06-01T10:25:00+00:00' },
    });
    expect(event?.facts).toEqual({ ...facts, ...xx, changed: [], changedElse: true, outGateVariationMinutes: 25 });
  });

  test('for a cancellation and its withdrawal', async () => {
    await changesOf([at('09:00', 'off', { cancelled: true }), at('09:10', 'on', { cancelled: false })]);
    const events = await listStatusEvents(db);
    const change = (previousValue: string) => [{ propertyName: 'State', previousValue }];
    expect(events.map(({ body }) => [body.flightNumber, body.flightVersion, body.state, body.changes])).toEqual([
      ['101', 1, 'Canceled', change('Scheduled')],
      ['5101', 1, 'Canceled', change('Scheduled')],
      ['101', 2, 'Scheduled', change('Canceled')],
      ['5101', 2, 'Scheduled', change('Canceled')],
    ]);
  });

  test('for a diversion, a landing elsewhere and the continuation', async () => {
    const [on, off] = [second('2026-06-01T12:00Z'), second('2026-06-01T14:00Z')];
    const landings = [{ airport: 'CDG' }, { actualOn: on, continues: true }, { actualOff: off }];
    const messages = landings.map((landing, index) =>
      message({ id: String(index), at: `2026-06-01T${11 + index}:01Z`, landings: [{ id: '1', ...landing }] }),
    );
    const departed = at('09:00', 'departed', { actualOff: second('2026-06-01T10:10Z') });
    expect((await changesOf(messages, [departed])).filter(([name]) => name === 'XX101')).toEqual([
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
    const none = { premiumEconomy: undefined, economyPlus: undefined };
    const seats = { ...none, first: 0, business: 12, economy: 150, total: 162 };
    const changed = { registration: 'GXXAB', aircraftType: { iata: '320', icao: '' }, seats };
    const type = ['Equipment.AircraftType.Iata: "789"', 'Equipment.AircraftType.Icao: "B789"'];
    const aircraft = [...type, '+Equipment.AircraftRegistrationNumber'];
    const previous = ['BusinessClass: 30', 'PremiumEconomyClass: 21', 'EconomyClass: 178', 'TotalSeats: 229'];
    const added = ['FirstClass', 'BusinessClass', 'EconomyClass', 'TotalSeats'];
    expect(await changesOf([message({ id: 'm', facts: changed })])).toEqual([
      ['XX101', ...aircraft, ...previous.map((one) => `SeatingCapacity.Actual.${one}`)],
      ['YY5101', ...aircraft, ...added.map((one) => `+SeatingCapacity.Actual.${one}`)],
    ]);
    const actual = { firstClass: 0, businessClass: 12, economyClass: 150, totalSeats: 162 };
    expect((await listStatusEvents(db)).map(({ body }) => body.seatingCapacity)).toEqual([{ actual }, { actual }]);
  });
});

describe('one event', () => {
  test('is emitted for all messages of a flight in a batch', async () => {
    const elsewhere = flight({ flightNumber: 301, arrivalAirport: 'JFK' });
    await ingest(db, [
      gate,
      at('09:01', 'other', { departureGate: 'A2' }),
      message({ id: 'elsewhere', flight: elsewhere, facts: { departureGate: 'C1' } }),
      at('09:02', 'third', { departureGate: 'A3', checkInCounter: '9' }),
    ]);
    expect(await listEventChanges(db)).toEqual([
      ...ofBoth('+Departure.Gate', '+Departure.CheckInCounter'),
      ['XX301', '+Departure.Gate'],
    ]);
    expect((await listStatusEvents(db)).map(({ body }) => body.departure.gate)).toEqual(['A3', 'A3', 'C1']);
  });

  test('is not emitted for a known message, for one with known facts, nor for an older one', async () => {
    const [same, older] = [at('09:10', 'same', { departureGate: 'A1' }), at('08:50', 'older', { departureGate: 'B9' })];
    expect(await changesOf([gate, same, older], [gate])).toEqual([]);
  });

  test('is emitted for an older message with facts without newer values', async () => {
    const older = at('08:50', 'older', { departureGate: 'B9', checkInCounter: '7' });
    expect(await changesOf([older], [gate])).toEqual(ofBoth('+Departure.CheckInCounter'));
  });

  test.each([
    ['is written until a week after the flight', '2026-06-08', 2],
    ['is not written for a flight of more than a week ago, whose status is stored', '2026-06-09', 0],
  ])('%s', async (_, today, events) => {
    const taking = { masterDataIndex: await readMasterDataIndex(db), clock: () => new Date(`${today}T00:00:00Z`) };
    expect(formatOutcomes(await ingestMessages(db, [gate], taking))).toEqual(['stored']);
    const statuses = await db`select from flight_status where doc like '%A1%'`;
    expect([(await listEventChanges(db)).length, statuses.length]).toEqual([events, 1]);
  });

  test('is stored with its message or not at all', async () => {
    await db`alter table event_outbox add constraint planted check (false) not valid`;
    await expect(ingest(db, [gate])).rejects.toThrow('planted');
    await db`alter table event_outbox drop constraint planted`;
    expect(await listEventChanges(db)).toEqual([]);
    expect(formatOutcomes(await ingest(db, [gate]))).toEqual(['stored']);
    expect(await listEventChanges(db)).toEqual(ofBoth('+Departure.Gate'));
  });
});
