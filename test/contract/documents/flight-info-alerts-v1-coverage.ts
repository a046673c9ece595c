import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toJsonObject, type JsonObject } from '../../../src/lib/openapi-document.ts';
import { createEndpoint } from '../../products/flight-info-alerts/v1/endpoints/create-endpoints.ts';
import { profile, serveAlerts, type AlertsService } from '../../products/flight-info-alerts/v1/alerts-service.ts';
import { TEST_KEY } from '../../support/tiny-world.ts';
import { Contract } from '../contract.ts';
import { createCoverage, listParameterNames, type Coverage } from '../coverage/coverage.ts';
import {
  coverEventResponses,
  coverPull,
  insertExampleEvents,
  pullBodies,
  pullParameters,
} from '../coverage/pull-coverage.ts';
import { coverPush, pushBodies } from '../coverage/push-coverage.ts';

const contract = new Contract('flight-info-alerts/v1');
const base = '/flight-info-alerts';

let world: AlertsService;
let coverage: Coverage;
let accountId = '';
let alertId = '';
let eventId = '';

/** Asks an operation by its name in the coverage, with a body and headers. */
const ask = (
  operation: string,
  { path, body, headers = {} }: { path: string; body?: unknown; headers?: Record<string, string> },
): Promise<string> => {
  const [, method = 'get'] = /^(\w+) /.exec(operation) ?? [];
  return coverage.ask(operation, `${base}${path}`, (question) =>
    world.send(question, {
      method: method.toUpperCase(),
      headers: { 'subscription-key': TEST_KEY, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  );
};

const post = `post ${base}/alerts`;
const patch = `patch ${base}/alerts`;
const changed = (change: object, headers = {}): Promise<string> =>
  ask(patch, { path: '/alerts', body: { alertId, ...change }, headers });

beforeAll(async () => {
  world = await serveAlerts({ eventLimits: { previewMs: 0 } });
  coverage = createCoverage(contract, world.get);
  accountId = await world.createAccount();
  alertId = await world.createAlert(accountId, { alertType: 'Carrier', iataCarrierCode: 'XX' });
  eventId = await insertExampleEvents(world, contract, { accountId, alertId });
});
afterAll(() => world.drop());

/** A change of each member of an alert to a value that it has not by default. */
const members: readonly JsonObject[] = [
  { iataCarrierCode: 'YY' },
  { icaoCarrierCode: 'YYB' },
  { departureAirport: 'LHR' },
  { arrivalAirport: 'JFK' },
  { name: 'n' },
  { description: 'd' },
  { flightNumber: 7 },
  { fromFlight: 1 },
  { toFlight: 9 },
  { departureDate: '2026-06-01' },
  { arrivalDate: '2026-06-02' },
  { content: 'seats' },
  { schedules: false },
  { status: false },
  { gaFlights: true },
  { unscheduledFlights: true },
  { codeshare: false },
  { changeIndicator: true },
  { estimatedDepartureTimeThreshold: -5 },
  { estimatedArrivalTimeThreshold: 5 },
  { alertType: 'Port' },
  { alertType: 'Global' },
  { statusChangeFilters: { baggage: false } },
  { statusChangeFilters: { aircraftRegistrationNumber: false } },
  { statusChangeFilters: { gates: false } },
  { statusChangeFilters: { terminal: false } },
  { statusChangeFilters: { seats: false } },
  { statusChangeFilters: { aircraftType: false } },
  { active: false },
];

const profileMembers: readonly JsonObject[] = [
  { firstName: 'Bea' },
  { lastName: 'Hill' },
  { email: 'bea@example.test' },
  { country: 'FR' },
  { companyName: 'Other' },
  { secondaryEmail: 'ops@example.test' },
  { content: 'seats' },
];

const propertiesOf = (name: string): JsonObject =>
  toJsonObject(
    toJsonObject(toJsonObject(toJsonObject(contract.document['components'])['schemas'])[name])['properties'],
  );

describe('every member of a body changes what is there', () => {
  test.each(members)('%j', async (change) => {
    const before = await ask(`${base}/alerts/{alertId}`, { path: `/alerts/${alertId}` });
    const answer = await changed(change);
    expect(answer).not.toBe(before);
    expect(answer).toMatch(/^\{"alertId"/);
    expect(await ask(`${base}/alerts/{alertId}`, { path: `/alerts/${alertId}` })).toBe(answer);
  });

  test.each(profileMembers)('%j', async (change) => {
    const at = { path: `/profile/${accountId}` };
    const before = await ask(`${base}/profile/{accountId}`, at);
    const answer = await ask(`patch ${base}/profile/{accountId}`, { ...at, body: change });
    expect(answer).not.toBe(before);
    expect(answer).toMatch(/^\{"firstName"/);
    expect(await ask(`${base}/profile/{accountId}`, at)).toBe(answer);
  });

  test('a new alert can say all that a change can say, save that it rests', async () => {
    const wanted = Object.assign({}, ...members.filter((one) => !('active' in one)));
    const made: { data: string } = JSON.parse(
      JSON.stringify({ data: await world.createAlert(await world.createAccount(), wanted) }),
    );
    const { status: _, ...shown } = await (await world.sendJson('GET', `/alerts/${made.data}`)).json();
    const { status: _status, ...asked } = wanted;
    expect(shown).toMatchObject({ ...asked, alertType: 'Global', statusChangeFilters: { aircraftType: false } });
  });

  test('and none is left out above', () => {
    const named = (all: readonly JsonObject[]): string[] => [...new Set(all.flatMap(Object.keys))].toSorted();
    expect(named(members)).toEqual(
      Object.keys(propertiesOf('AlertChange'))
        .filter((one) => one !== 'alertId')
        .toSorted(),
    );
    expect(named(profileMembers)).toEqual(Object.keys(propertiesOf('ProfileChange')).toSorted());
    const ofNew = Object.keys(propertiesOf('NewAlert')).filter((one) => one !== 'accountId');
    expect(ofNew.toSorted()).toEqual(named(members).filter((one) => one !== 'active'));
    const toPreview = Object.keys(propertiesOf('AlertToPreview')).filter((one) => one !== 'days');
    expect(toPreview).toEqual(Object.keys(propertiesOf('NewAlert')));
    expect(Object.keys(propertiesOf('NewProfile'))).toEqual(Object.keys(propertiesOf('ProfileChange')));
  });
});

test('every header of a request changes the answer', async () => {
  const other = await world.createAccount();
  const listed = (id: string): Promise<string> =>
    ask(`${base}/alerts`, { path: '/alerts', headers: { accountid: id } });
  expect(await listed(accountId)).not.toBe(await listed(other));
  const once = { headers: { 'idempotency-key': 'k' } };
  const newAlert = { path: '/alerts', body: { accountId: other, alertType: 'Port', departureAirport: 'SYD' } };
  const first = await ask(post, { ...newAlert, ...once });
  expect([await ask(post, { ...newAlert, ...once }), await ask(post, newAlert)]).toEqual([
    first,
    '400 /docs/errors#already-covered',
  ]);
  const newAccount = { path: '/profile', body: profile };
  const account = await ask(`post ${base}/profile`, { ...newAccount, ...once, headers: { 'idempotency-key': 'p' } });
  expect(await ask(`post ${base}/profile`, { ...newAccount, headers: { 'idempotency-key': 'p' } })).toBe(account);
  expect(await ask(`post ${base}/profile`, newAccount)).not.toBe(account);
  expect(await changed({ name: 'm' }, { 'if-match': '"x"' })).toBe('412 /docs/errors#precondition-failed');
  expect(await changed({ name: 'm' }, { 'if-match': '*' })).toMatch(/^\{"alertId"/);
  const asked = (name: string, value: string): Promise<Response> =>
    world.sendJson('GET', `/alerts/${alertId}`, { headers: { [name]: value } });
  const known = await asked('x', 'y');
  const answers = await Promise.all([
    asked('If-None-Match', known.headers.get('etag') ?? ''),
    asked('If-None-Match', '"another"'),
    asked('If-Modified-Since', known.headers.get('last-modified') ?? ''),
    asked('If-Modified-Since', 'Mon, 01 Jan 2024 00:00:00 GMT'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([304, 200, 304, 200]);
});

test('every parameter and member of the operations on endpoints makes a difference', async () => {
  const pairs = await coverPush(world, ask);
  expect(pairs.filter(([, without, having]) => without === having)).toEqual([]);
  expect(pairs.length).toBeGreaterThan(20);
});

test('every parameter of events, of explanations and of previews makes a difference', async () => {
  const groups = await coverPull(world, ask, { accountId, eventId });
  expect(groups.filter((answers) => new Set(answers).size < answers.length)).toEqual([]);
});

test('every operation has its version chosen, and no parameter is left out above', async () => {
  const headers = { accountid: accountId };
  const bodies: Readonly<Record<string, object>> = {
    [`post ${base}/profile`]: profile,
    [`patch ${base}/profile/{accountId}`]: { firstName: 'Cleo' },
    [post]: { accountId: await world.createAccount(), alertType: 'Global' },
    [patch]: { alertId, name: 'o' },
    ...pushBodies(accountId),
    ...pullBodies(accountId),
  };
  const { endpointId } = await createEndpoint(world, accountId);
  for (const { method, path } of contract
    .operations()
    .toSorted((a, b) => (a.method === 'delete' ? 1 : b.method === 'delete' ? -1 : 0))) {
    const name = method === 'get' ? path : `${method} ${path}`;
    const at = path
      .replace(base, '')
      .replace('{accountId}', accountId)
      .replace('{alertId}', alertId)
      .replace('{endpointId}', endpointId)
      .replace('{eventId}', eventId);
    const body = bodies[name];
    const asked = (version: string): Promise<string> =>
      ask(name, { path: `${at}?version=${version}`, headers, ...(body && { body }) });
    expect(await asked('v9')).toBe('404 /docs/errors#unknown-version');
    expect(await asked('v1')).not.toMatch(/^4/);
  }
  const parameters = new Set(listParameterNames(contract).map((name) => name.split(' ')[1]));
  expect(parameters).toEqual(
    new Set([
      ...pullParameters,
      'version',
      'accountId',
      'alertId',
      'Idempotency-Key',
      'If-Match',
      'If-None-Match',
      'If-Modified-Since',
      'endpointId',
      'Outcome',
      'EventId',
      'Limit',
      'After',
    ]),
  );
});

test('every property has a value in an answer, and every value of an enumeration is in one', async () => {
  await world.db`alter table alert rename to alert_elsewhere`;
  await ask(`${base}/health`, { path: '/health' });
  await world.db`alter table alert_elsewhere rename to alert`;
  for (const body of ['{', {}, { alertType: 'x' }]) await ask(post, { path: '/alerts', body });
  await coverEventResponses(world, ask, { contract, accountId });
  const { declared, unseen } = coverage.places();
  // That all which is declared of events is told in one is tested where events are made.
  expect(unseen.filter((place) => !/^(Status|Schedule)Event(Sample)?\b/.test(place))).toEqual([]);
  expect(declared.length).toBeGreaterThan(80);
});

test('and all those answers are as the document says', () => {
  expect(coverage.problems).toEqual([]);
});
