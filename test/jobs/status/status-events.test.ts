import { beforeEach, expect, test } from 'vitest';
import type { FlightFacts, StatusMessage } from '#domain/status/message.ts';
import { localDate } from '#domain/time/dates.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import { ingestMessages, matchBatch, storeMatched } from '#jobs/status/ingest/status-ingester.ts';
import { deleteEvents, listEventChanges, listStatusEvents } from './emitted-events.ts';
import { formatOutcomes, flight, message, noon, plan, planned, second, ingest } from './messages.ts';
import { db, useStatusWorld } from './status-world.ts';

useStatusWorld();
beforeEach(() => deleteEvents(db));

const facts = {
  kind: 'status',
  flightType: 'Scheduled',
  departureAirport: 'LHR',
  arrivalAirport: 'JFK',
  departureDate: localDate('2026-06-01'),
  arrivalDate: localDate('2026-06-01'),
  changed: ['gates'],
  changedElse: false,
};
const xx = { iataCarrierCode: 'XX', icaoCarrierCode: 'XXA', flightNumber: 101, isMarketing: false };
const yy = { iataCarrierCode: 'YY', icaoCarrierCode: 'YYB', flightNumber: 5101, isMarketing: true };
const gate = message({ id: 'gate', facts: { departureGate: 'A1' } });
const at = (time: string, id: string, facts: FlightFacts) => message({ id, at: `2026-06-01T${time}Z`, facts });

/** Ingests messages one by one after others, and returns the changes of their events. */
const changesOf = async (messages: readonly StatusMessage[], before: readonly StatusMessage[] = []) => {
  for (const one of before) await ingest(db, [one]);
  await deleteEvents(db);
  for (const one of messages) await ingest(db, [one]);
  return listEventChanges(db);
};
const ofBoth = (...changes: readonly string[]) => ['XX101', 'YY5101'].map((name) => [name, ...changes]);

test('a message that changes a flight writes an event for each of its designators', async () => {
  await ingest(db, [gate]);
  const events = await listStatusEvents(db);
  expect(events.map(({ version, madeAt, facts }) => ({ version, madeAt, facts }))).toEqual(
    [xx, yy].map((own) => ({ version: 1, madeAt: noon(), facts: { ...facts, ...own } })),
  );
  expect(events.map(({ flightKey, body }) => flightKey === body.scheduleInstanceKey)).toEqual([true, true]);
  expect(await listEventChanges(db)).toEqual(ofBoth('+Departure.Gate'));
});

test('a delay, a cancellation and its withdrawal emit events', async () => {
  const onTime = at('09:00', 'on time', { estimatedOut: second('2026-06-01T10:00Z') });
  const late = at('09:10', 'late', { estimatedOut: second('2026-06-01T10:25Z') });
  const cancelled = [at('09:20', 'off', { cancelled: true }), at('09:30', 'on', { cancelled: false })];
  expect(await changesOf([late, ...cancelled], [onTime])).toEqual([
    ...ofBoth(
      'Departure.Times.Estimated.OutGateTimeliness: "OnTime"',
      'Departure.Times.Estimated.OutGateVariation: "00:00:00"',
      'Departure.Times.Estimated.OutGate.Local: "2026-06-01T11:00:00+01:00"',
      'Departure.Times.Estimated.OutGate.UTC: "2026-06-01T10:00:00+00:00"',
    ),
    ...ofBoth('State: "Scheduled"'),
    ...ofBoth('State: "Canceled"'),
  ]);
  const events = await listStatusEvents(db);
  expect(events.map(({ version, body }) => [version, body.flightVersion])).toEqual(
    [1, 1, 2, 2, 3, 3].map((n) => [n, n]),
  );
  const variations = { outGateVariationMinutes: 25, previousOutGateVariationMinutes: 0 };
  const delayed = { ...facts, ...xx, changed: [], changedElse: true, ...variations };
  expect(events[0]?.facts).toEqual(delayed);
});

test('one event is emitted for all messages of a flight in a batch', async () => {
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

test('a known message, one with known facts and an older one emit no event', async () => {
  const [same, older] = [at('09:10', 'same', { departureGate: 'A1' }), at('08:50', 'older', { departureGate: 'B9' })];
  expect(await changesOf([gate, same, older], [gate])).toEqual([]);
});

test.each([
  ['is written until a week after the flight', '2026-06-08', 2],
  ['is not written for a flight of more than a week ago, whose status is stored', '2026-06-09', 0],
])('an event %s', async (_, today, events) => {
  const taking = { masterDataIndex: await readMasterDataIndex(db), clock: () => new Date(`${today}T00:00:00Z`) };
  expect(formatOutcomes(await ingestMessages(db, [gate], taking))).toEqual(['stored']);
  const statuses = await db`select from flight_status where doc like '%A1%'`;
  expect([(await listEventChanges(db)).length, statuses.length]).toEqual([events, 1]);
});

test('an event is stored with its message or not at all', async () => {
  await db`alter table event_outbox add constraint planted check (false) not valid`;
  await expect(ingest(db, [gate])).rejects.toThrow('planted');
  await db`alter table event_outbox drop constraint planted`;
  expect(await listEventChanges(db)).toEqual([]);
  expect(formatOutcomes(await ingest(db, [gate]))).toEqual(['stored']);
  expect(await listEventChanges(db)).toEqual(ofBoth('+Departure.Gate'));
});

const statusKeyOfXx101 = '2fd02a494902730bb76ec5260e9c65ecdf66a988d11c73e4c33745bfbf8b923b';
const created = {
  version: 1,
  madeAt: noon(),
  facts: {
    kind: 'status',
    flightType: 'GA',
    iataCarrierCode: 'WW',
    icaoCarrierCode: '',
    flightNumber: 7,
    isMarketing: false,
    departureAirport: 'OPO',
    arrivalAirport: 'LIS',
    departureDate: localDate('2026-06-01'),
    arrivalDate: localDate('2026-06-01'),
    changed: ['aircraftType'],
    changedElse: true,
  },
};
const endNames = ['Times.Scheduled.Local', 'Times.Scheduled.UTC', 'Airport.Iata', 'Airport.Icao', 'Country.Code'];
const scheduledNames = ['Scheduled.Airport.Iata', 'Scheduled.Airport.Icao', 'Scheduled.Country.Code'];
const added = [
  'FlightType',
  'State',
  'ServiceType',
  'CarrierCode.Iata',
  'Equipment.AircraftType.Icao',
  ...['Departure', 'Arrival'].flatMap((end) => [...endNames, ...scheduledNames].map((name) => `${end}.${name}`)),
  'MarketingFlights',
  'IsOperating',
  'MarketingInstancesKeys',
  'StatusKey',
];

const described = message({ id: 'plan', flight: planned, plan: plan() });

test('an unscheduled flight emits a created event, and an event for each new description', async () => {
  await ingest(db, [described]);
  const events = await listStatusEvents(db);
  expect(events.map(({ version, madeAt, facts }) => ({ version, madeAt, facts }))).toEqual([created]);
  expect(events[0]?.flightKey).toBe(events[0]?.body.statusKey);
  expect(await listEventChanges(db)).toEqual([['WW7', ...added.map((name) => `+${name}`)]]);
  await deleteEvents(db);
  const later = plan({ departs: '2026-06-01T10:30Z', arrives: '' });
  for (const one of [
    message({ id: 'gate', at: '2026-06-01T09:10Z', flight: planned, facts: { departureGate: '4' } }),
    message({ id: 'again', at: '2026-06-01T09:20Z', flight: planned, plan: later }),
    message({ id: 'older', at: '2026-06-01T09:15Z', flight: planned, plan: plan() }),
  ])
    await ingest(db, [one]);
  expect(await listEventChanges(db)).toEqual([
    ['WW7', '+Departure.Gate'],
    [
      'WW7',
      'Departure.Times.Scheduled.Local: "2026-06-01T11:00:00"',
      'Departure.Times.Scheduled.UTC: "2026-06-01T10:00:00+00:00"',
      'Arrival.Times.Scheduled.Local: "2026-06-01T12:00:00"',
      'Arrival.Times.Scheduled.UTC: "2026-06-01T11:00:00+00:00"',
    ],
  ]);
});

test('an unscheduled flight that is described again during a query emits its newest description', async () => {
  await ingest(db, [described]);
  const later = plan({ departs: '2026-06-01T10:30Z' });
  const replanned = message({ id: 'again', at: '2026-06-01T09:20Z', flight: planned, plan: later });
  const meanwhile = new Proxy(db, {
    apply: (sql, self, args) => {
      const query = (): unknown => Reflect.apply(sql, self, args);
      return String(args[0]).includes('planned_at is not null') ? ingest(db, [replanned]).then(query) : query();
    },
  });
  const masterDataIndex = await readMasterDataIndex(db);
  const gate = message({ id: 'gate', at: '2026-06-01T09:30Z', flight: planned, facts: { departureGate: '4' } });
  await storeMatched(db, await matchBatch(meanwhile, [gate], { masterDataIndex }), { masterDataIndex, clock: noon });
  const times = (await listStatusEvents(db)).map(({ body }) => body.departure.times?.scheduled?.local.slice(11));
  expect(times).toEqual(['11:00:00', '11:30:00', '11:30:00']);
});

test('the event of an unscheduled flight contains the flight that it recovers', async () => {
  const way = { departureAirport: 'LHR', arrivalAirport: 'JFK' };
  const times = { departs: '2026-06-01T12:00Z', arrives: '2026-06-01T19:00Z' };
  const recovery = plan({ flightType: 'Unscheduled', ...way, ...times, recovers: flight() });
  const xx9101 = flight({ flightNumber: 9101 });
  await ingest(db, [message({ id: 'm', flight: xx9101, plan: recovery })]);
  await ingest(db, [message({ id: 'n', at: '2026-06-01T09:10Z', flight: xx9101, facts: { departureGate: '1' } })]);
  const emitted = await listStatusEvents(db);
  expect(emitted.map(({ body }) => [body.originalStatusKey, body.irregularOperationType, body.flightVersion])).toEqual(
    [1, 2].map((version) => [statusKeyOfXx101, 'Recovery', version]),
  );
});
