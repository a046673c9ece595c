import { toJsonObject } from '#lib/openapi-document.ts';
import { serveAlerts, type AlertsService } from '#test/products/flight-info-alerts/v1/alerts-service.ts';
import { insertTestEvents } from '#test/products/flight-info-alerts/v1/events/account-events.ts';
import { flattenToTexts } from '../random/bodies.ts';
import { Contract } from '../contract.ts';
import { findEventExample } from './event-examples.ts';
import type { SendRequest } from '../responses/check-response.ts';
import { ENDPOINT, insertKnownEndpoint } from './known-endpoint.ts';
import type { ParameterValues } from '../random/valid-requests.ts';

// The account and the first alert of the examples in the document, so that example requests match.
const ACCOUNT = '2c9d5a4e-7b1f-4d8a-9a36-5e0b7c4f1d20';
const EMPTY_ACCOUNT = '11111111-2222-4333-8444-555555555555';
const CARRIER_ALERT = '6f1c1d5e-3f0a-4c53-9d67-0c0f6c3ad2b1';
const PORT_ALERT = '7a2d2e6f-4a1b-4d64-8e78-1d1a7d4be3c2';
// The event of the explain example.
const EVENT = '01a400d0-c0e4-74c9-b25e-0fd36a718e4b';

const contract = new Contract('flight-info-alerts/v1');

const settings = [
  {
    id: CARRIER_ALERT,
    active: true,
    alert: {
      alertType: 'Carrier',
      iataCarrierCode: 'ZX',
      icaoCarrierCode: 'ZXA',
      departureAirport: 'LHR',
      arrivalAirport: 'JFK',
      fromFlight: 100,
      toFlight: 199,
      name: 'ZX to New York',
      content: 'seats',
    },
  },
  { id: PORT_ALERT, active: false, alert: { alertType: 'Port', arrivalAirport: 'SYD', flightNumber: 42 } },
];

/** A service with two accounts and two alerts, which are restored before each request. */
export type KnownAlertsService = AlertsService & {
  readonly sendRestored: SendRequest;
  readonly records: readonly (readonly string[])[];
  /** The properties of its alerts by ID. */
  readonly objects: ReadonlyMap<string, ParameterValues>;
};

/** The tables that requests change, each after those that it references. */
const tables =
  'account_event account_stream alert_account alert push_endpoint push_key push_progress push_attempt push_dead_letter';

/** Returns statements that restore the present rows of the tables in one round trip and one transaction. */
const buildRestore = async ({ db }: AlertsService): Promise<string> => {
  const names = tables.split(' ');
  const inserts: string[] = [];
  for (const name of names) {
    const [row] = await db<{ rows: string }[]>`select coalesce(json_agg(t), '[]')::text as rows from ${db(name)} t`;
    const source = `json_populate_recordset(null::${name}, '${row?.rows.replaceAll("'", "''")}')`;
    inserts.push(`insert into ${name} overriding system value select * from ${source}`);
  }
  const deletes = [...names, 'idempotency_key'].toReversed().map((name) => `delete from ${name}`);
  return [...deletes, ...inserts].join(';\n');
};

export const serveKnownAlerts = async (): Promise<KnownAlertsService> => {
  const world = await serveAlerts();
  for (const id of [ACCOUNT, EMPTY_ACCOUNT]) {
    const created = await world.createAccount();
    await world.db`update alert_account set id = ${id} where id = ${created}`;
  }
  for (const { id, active, alert } of settings) {
    const createdAlert = await world.createAlert(ACCOUNT, alert);
    await world.db`update alert set id = ${id}, active = ${active} where id = ${createdAlert}`;
  }
  const ids = await insertTestEvents(world.db, ACCOUNT, {
    events: (['ScheduleInstance', 'FlightStatus'] as const).map((kind) => ({ body: findEventExample(contract, kind) })),
    alertId: CARRIER_ALERT,
    now: new Date('2026-06-01T11:00:00Z'),
  });
  const [event = ''] = ids;
  await world.db`update flight_event set id = ${EVENT} where id = ${event}`;
  await world.db.begin((sql) => insertKnownEndpoint(sql, ACCOUNT));
  const restore = await buildRestore(world);
  let isUnchanged = true;
  const sendRestored: SendRequest = async (path, init) => {
    if (init.isFollowUp) return world.send(path, init);
    if (!isUnchanged) await world.db.unsafe(restore);
    isUnchanged = init.method === 'GET' || init.method === 'HEAD';
    return world.send(path, init);
  };
  const members = settings.map(({ id, alert }) => [id, flattenToTexts(toJsonObject(alert))] as const);
  return {
    ...world,
    sendRestored,
    records: [
      [ACCOUNT],
      [EMPTY_ACCOUNT],
      [EVENT, '1'],
      [ENDPOINT],
      ...members.map(([id, texts]) => [id, ...texts.map(([, text]) => text)]),
    ],
    objects: new Map(
      members.map(([id, texts]) => [id, Object.fromEntries(texts.map(([name, text]) => [name, [text]]))]),
    ),
  };
};
