import { nodeOf } from '../../src/lib/openapi-document.ts';
import { serveAlertsWorld, type AlertsWorld } from '../products/flight-info-alerts/v1/world.ts';
import { giveEvents } from '../products/flight-info-alerts/v1/events/given-events.ts';
import { textsIn } from './bodies.ts';
import { Contract } from './contract.ts';
import { bodyOf } from './shown-events.ts';
import type { Ask } from './judge.ts';
import { ENDPOINT, putKnownEndpoint } from './known-endpoint.ts';
import type { Given } from './requests.ts';

// The account and the first alert of the examples in the document, so that those who follow them find something.
const ACCOUNT = '2c9d5a4e-7b1f-4d8a-9a36-5e0b7c4f1d20';
const EMPTY_ACCOUNT = '11111111-2222-4333-8444-555555555555';
const CARRIER_ALERT = '6f1c1d5e-3f0a-4c53-9d67-0c0f6c3ad2b1';
const PORT_ALERT = '7a2d2e6f-4a1b-4d64-8e78-1d1a7d4be3c2';
// The event that is explained there.
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

/** A world with two accounts and two alerts, which are there again before each question however much the one before has changed. */
export type KnownAlerts = AlertsWorld & {
  readonly askAfresh: Ask;
  /** Values of its accounts and alerts, each by itself. */
  readonly records: readonly (readonly string[])[];
  /** The members of its alerts by their ids. */
  readonly objects: ReadonlyMap<string, Given>;
};

/** What is there at first, as rows to be put back. */
type Kept = { readonly accounts: string; readonly alerts: string };

const keep = async ({ db }: AlertsWorld): Promise<Kept> => {
  const [row] = await db<Kept[]>`
    select (select json_agg(to_json(a)) from alert_account a)::text as accounts,
      (select json_agg(to_json(a) order by a.number) from alert a)::text as alerts`;
  if (!row) throw new Error('nothing was kept');
  return row;
};

const putBack = ({ db }: AlertsWorld, { accounts, alerts }: Kept): Promise<unknown> =>
  db.begin(async (sql) => {
    await sql`delete from idempotency_key`;
    await sql`delete from push_endpoint`;
    await sql`delete from alert`;
    await sql`delete from alert_account`;
    await sql`
      insert into alert_account overriding system value select * from json_populate_recordset(null::alert_account, ${accounts}::text::json)`;
    await sql`
      insert into alert (id, account_id, active, doc, created_at, updated_at)
      select id, account_id, active, doc, created_at, updated_at from json_populate_recordset(null::alert, ${alerts}::text::json)
      order by number`;
    await putKnownEndpoint(sql, ACCOUNT);
  });

export const serveKnownAlerts = async (): Promise<KnownAlerts> => {
  const world = await serveAlertsWorld();
  for (const id of [ACCOUNT, EMPTY_ACCOUNT]) {
    const made = await world.newAccount();
    await world.db`update alert_account set id = ${id} where id = ${made}`;
  }
  for (const { id, active, alert } of settings) {
    const made = await world.newAlert(ACCOUNT, alert);
    await world.db`update alert set id = ${id}, active = ${active} where id = ${made}`;
  }
  const ids = await giveEvents(world.db, ACCOUNT, {
    news: [bodyOf(contract, 'ScheduleInstance'), bodyOf(contract, 'FlightStatus')].map((body) => ({ body })),
    alertId: CARRIER_ALERT,
    now: new Date('2026-06-01T11:00:00Z'),
  });
  const [event = ''] = ids;
  await world.db`update flight_event set id = ${EVENT} where id = ${event}`;
  const kept = await keep(world);
  await world.db.begin((sql) => putKnownEndpoint(sql, ACCOUNT));
  let isAsKept = true;
  const askAfresh: Ask = async (path, init) => {
    if (!isAsKept) await putBack(world, kept);
    isAsKept = init.method === 'GET' || init.method === 'HEAD';
    return world.ask(path, init);
  };
  const members = settings.map(({ id, alert }) => [id, textsIn(nodeOf(alert))] as const);
  return {
    ...world,
    askAfresh,
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
