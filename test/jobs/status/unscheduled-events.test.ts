import { beforeEach, describe, expect, test } from 'vitest';
import { localDate } from '../../../src/domain/time/dates.ts';
import { readMasterDataIndex } from '../../../src/jobs/cache/read-master-data-index.ts';
import { matchBatch, storeMatched } from '../../../src/jobs/status/ingest/status-ingester.ts';
import { deleteEvents, listEventChanges, listStatusEvents } from './emitted-events.ts';
import { flight, message, noon, plan, planned, ingest } from './messages.ts';
import { db, useStatusWorld } from './status-world.ts';

useStatusWorld();
beforeEach(() => deleteEvents(db));

const statusKeyOfXx101 = '2fd02a494902730bb76ec5260e9c65ecdf66a988d11c73e4c33745bfbf8b923b';
const key = 'd241c2db67513f6f0b23af002375f558b32ab40f36ce64befe86322ede22d848';
const porto = { airport: { iata: 'OPO', icao: 'LPPR' }, country: { code: 'PT' } };
const lisbon = { airport: { iata: 'LIS', icao: 'LPPT' }, country: { code: 'PT' } };
const created = {
  flightKey: key,
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
  body: {
    documentType: 'FlightStatus',
    version: '2',
    flightVersion: 1,
    flightType: 'GA',
    state: 'Scheduled',
    serviceType: 'D',
    flightNumber: '7',
    serviceSuffix: '',
    carrierCode: { iata: 'WW' },
    equipment: { aircraftType: { icao: 'C56X' } },
    originationDate: { local: '2026-06-01T00:00:00' },
    departure: {
      ...porto,
      scheduled: porto,
      times: { scheduled: { local: '2026-06-01T11:00:00', utc: '2026-06-01T10:00:00+00:00' } },
    },
    arrival: {
      ...lisbon,
      scheduled: lisbon,
      times: { scheduled: { local: '2026-06-01T12:00:00', utc: '2026-06-01T11:00:00+00:00' } },
    },
    marketingFlights: [],
    isOperating: true,
    marketingInstancesKeys: [],
    statusKey: key,
    changes: [
      'FlightType',
      'State',
      'ServiceType',
      'CarrierCode.Iata',
      'Equipment.AircraftType.Icao',
      ...['Departure', 'Arrival'].flatMap((end) => [
        ...['Times.Scheduled.Local', 'Times.Scheduled.UTC'].map((name) => `${end}.${name}`),
        ...['Airport.Iata', 'Airport.Icao', 'Country.Code'].map((name) => `${end}.${name}`),
        ...['Airport.Iata', 'Airport.Icao', 'Country.Code'].map((name) => `${end}.Scheduled.${name}`),
      ]),
      'MarketingFlights',
      'IsOperating',
      'MarketingInstancesKeys',
      'StatusKey',
    ].map((propertyName) => ({ propertyName })),
  },
};

describe('an unscheduled flight', () => {
  const described = message({ id: 'plan', flight: planned, plan: plan() });

  test('emits a created event, and an event for each new description', async () => {
    await ingest(db, [described]);
    expect(await listStatusEvents(db)).toEqual([created]);
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

  test('that is described again during a query emits its newest description', async () => {
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

  test('emits the flight that it recovers', async () => {
    const way = { departureAirport: 'LHR', arrivalAirport: 'JFK' };
    const times = { departs: '2026-06-01T12:00Z', arrives: '2026-06-01T19:00Z' };
    const recovery = plan({ flightType: 'Unscheduled', ...way, ...times, recovers: flight() });
    const xx9101 = flight({ flightNumber: 9101 });
    await ingest(db, [message({ id: 'm', flight: xx9101, plan: recovery })]);
    await ingest(db, [message({ id: 'n', at: '2026-06-01T09:10Z', flight: xx9101, facts: { departureGate: '1' } })]);
    const emitted = await listStatusEvents(db);
    expect(
      emitted.map(({ body }) => [body.originalStatusKey, body.irregularOperationType, body.flightVersion]),
    ).toEqual([1, 2].map((version) => [statusKeyOfXx101, 'Recovery', version]));
  });
});
