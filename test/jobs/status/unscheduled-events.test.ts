import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { localDate } from '../../../src/domain/time/dates.ts';
import type { Database } from '../../../src/store/pool/database.ts';
import { readMasterDataIndex } from '../../../src/jobs/cache/read-master-data-index.ts';
import { matchBatch, storeMatched } from '../../../src/jobs/status/ingest/status-ingester.ts';
import { schedule } from '../../products/flight-info/v2/example-schedule.ts';
import { publishText, serveTinyWorld, type TinyService } from '../../support/tiny-world.ts';
import { flight, deleteStatuses, message, noon, plan, planned, ingest } from './messages.ts';
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

const statusKeyOfXx101 = '2fd02a494902730bb76ec5260e9c65ecdf66a988d11c73e4c33745bfbf8b923b';

describe('an unscheduled flight', () => {
  test('emits a created event, and an event for each new description', async () => {
    await ingest(db, [message({ id: 'plan', flight: planned, plan: plan() })]);
    const [first, ...others] = await listStatusEvents(db);
    const key = 'd241c2db67513f6f0b23af002375f558b32ab40f36ce64befe86322ede22d848';
    const porto = { airport: { iata: 'OPO', icao: 'LPPR' }, country: { code: 'PT' } };
    const lisbon = { airport: { iata: 'LIS', icao: 'LPPT' }, country: { code: 'PT' } };
    expect([first, others]).toEqual([
      {
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
            'Departure.Times.Scheduled.Local',
            'Departure.Times.Scheduled.UTC',
            'Departure.Airport.Iata',
            'Departure.Airport.Icao',
            'Departure.Country.Code',
            'Departure.Scheduled.Airport.Iata',
            'Departure.Scheduled.Airport.Icao',
            'Departure.Scheduled.Country.Code',
            'Arrival.Times.Scheduled.Local',
            'Arrival.Times.Scheduled.UTC',
            'Arrival.Airport.Iata',
            'Arrival.Airport.Icao',
            'Arrival.Country.Code',
            'Arrival.Scheduled.Airport.Iata',
            'Arrival.Scheduled.Airport.Icao',
            'Arrival.Scheduled.Country.Code',
            'MarketingFlights',
            'IsOperating',
            'MarketingInstancesKeys',
            'StatusKey',
          ].map((propertyName) => ({ propertyName })),
        },
      },
      [],
    ]);
    await deleteEvents(db);
    await ingest(db, [
      message({ id: 'gate', at: '2026-06-01T09:10Z', flight: planned, facts: { departureGate: '4' } }),
    ]);
    await ingest(db, [
      message({
        id: 'again',
        at: '2026-06-01T09:20Z',
        flight: planned,
        plan: plan({ departs: '2026-06-01T10:30Z', arrives: '' }),
      }),
    ]);
    await ingest(db, [message({ id: 'older', at: '2026-06-01T09:15Z', flight: planned, plan: plan() })]);
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
    await ingest(db, [message({ id: 'plan', flight: planned, plan: plan() })]);
    const replanned = message({
      id: 'again',
      at: '2026-06-01T09:20Z',
      flight: planned,
      plan: plan({ departs: '2026-06-01T10:30Z' }),
    });
    const meanwhile = new Proxy(db, {
      apply: (sql, self, args) => {
        const query = (): unknown => Reflect.apply(sql, self, args);
        return String(args[0]).includes('planned_at is not null') ? ingest(db, [replanned]).then(query) : query();
      },
    });
    const masterDataIndex = await readMasterDataIndex(db);
    const gate = message({ id: 'gate', at: '2026-06-01T09:30Z', flight: planned, facts: { departureGate: '4' } });
    await storeMatched(db, await matchBatch(meanwhile, [gate], { masterDataIndex }), { masterDataIndex, clock: noon });
    expect((await listStatusEvents(db)).map(({ body }) => body.departure.times?.scheduled?.local.slice(11))).toEqual([
      '11:00:00',
      '11:30:00',
      '11:30:00',
    ]);
  });

  test('emits the flight that it recovers', async () => {
    const recovery = plan({
      flightType: 'Unscheduled',
      departureAirport: 'LHR',
      arrivalAirport: 'JFK',
      departs: '2026-06-01T12:00Z',
      arrives: '2026-06-01T19:00Z',
      recovers: flight(),
    });
    await ingest(db, [message({ id: 'm', flight: flight({ flightNumber: 9101 }), plan: recovery })]);
    await ingest(db, [
      message({
        id: 'n',
        at: '2026-06-01T09:10Z',
        flight: flight({ flightNumber: 9101 }),
        facts: { departureGate: '1' },
      }),
    ]);
    const emitted = await listStatusEvents(db);
    expect(
      emitted.map(({ body }) => [body.originalStatusKey, body.irregularOperationType, body.flightVersion]),
    ).toEqual([
      [statusKeyOfXx101, 'Recovery', 1],
      [statusKeyOfXx101, 'Recovery', 2],
    ]);
  });
});
