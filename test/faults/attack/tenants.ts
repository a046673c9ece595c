import { resolveReference, toJsonObject, type OpenApiOperation } from '../../../src/lib/openapi-document.ts';
import { insertKnownEndpoint, ENDPOINT } from '../../contract/services/known-endpoint.ts';
import { withParameter } from '../../contract/responses/envelope.ts';
import { servedOperations, type ServedDocument } from '../../contract/services/served-documents.ts';
import { findEventExample } from '../../contract/services/event-examples.ts';
import { insertTestEvents } from '../../products/flight-info-alerts/v1/events/account-events.ts';
import { createEndpoint } from '../../products/flight-info-alerts/v1/endpoints/create-endpoints.ts';
import { serveAlerts, type AlertsService } from '../../products/flight-info-alerts/v1/alerts-service.ts';
import { TEST_KEY } from '../../support/tiny-world.ts';

/** What one subscription has, by the names that ids have in the document. */
export type TenantIds = Readonly<Record<'accountId' | 'alertId' | 'endpointId' | 'eventId', string>>;
type IdName = keyof TenantIds;
const idNames: readonly string[] = ['accountId', 'alertId', 'endpointId', 'eventId'] satisfies readonly IdName[];
const isIdName = (name: string): name is IdName => idNames.includes(name);

export const portAlert = { alertType: 'Port', departureAirport: 'SYD' };

/** What is sent beside ids, for operations that take a body. */
export const requestBodies: Readonly<Record<string, object>> = {
  'patch /flight-info-alerts/profile/{accountId}': { lastName: 'Other' },
  'post /flight-info-alerts/alerts': { alertType: 'Port', departureAirport: 'SIN' },
  'patch /flight-info-alerts/alerts': { name: 'other' },
  'post /flight-info-alerts/alerts/preview': portAlert,
  'post /flight-info-alerts/endpoints': { url: 'https://hooks.zx.example/more' },
  'patch /flight-info-alerts/endpoints/{endpointId}': { description: 'other' },
  'post /flight-info-alerts/endpoints/{endpointId}/secret/rotate': { overlapHours: 1 },
  'post /flight-info-alerts/endpoints/{endpointId}/redeliveries': {},
};

type IdLocation = { readonly in: 'path' | 'query' | 'header' | 'body'; readonly name: string; readonly id: IdName };

/** Where an operation takes ids. */
const listIdLocations = (
  { contract }: ServedDocument,
  { operation, parameters }: OpenApiOperation,
): readonly IdLocation[] => {
  const request = toJsonObject(resolveReference(contract.document, operation['requestBody']));
  const schema = toJsonObject(toJsonObject(toJsonObject(request['content'])['application/json'])['schema']);
  const members = Object.keys(toJsonObject(toJsonObject(resolveReference(contract.document, schema))['properties']));
  const all = [
    ...parameters.map((one) => ({ in: String(one['in']), name: String(one['name']) })),
    ...members.map((name) => ({ in: 'body', name })),
  ];
  return all.flatMap(({ in: where, name }) => {
    const id = `${name[0]?.toLowerCase()}${name.slice(1)}`;
    // Whatever is named as an id and is not one of these is unknown here, and has to be thought of.
    if (!/.Id$/i.test(name) || /event-id$/i.test(name)) return [];
    if (!isIdName(id))
      throw new Error(`${String(operation['operationId'])} takes ${name}, of which this test knows nothing`);
    return [{ in: where === 'path' || where === 'query' || where === 'header' ? where : 'body', name, id }];
  });
};

/** An event belongs to nobody: what is explained is why one's own account has or has not got it. */
export const isShared = ({ path }: OpenApiOperation, { id }: IdLocation): boolean =>
  id === 'eventId' && path.endsWith('/explain');

export const idUses = servedOperations
  .filter(([, { name }]) => name.startsWith('flight-info-alerts/'))
  .flatMap(([title, served, operation]) =>
    listIdLocations(served, operation).map((place) => [`${title}, ${place.name}`, served, operation, place] as const),
  );

/** A world with two subscriptions: what belongs to one, what it had and deleted, and what the other has, who asks. */
export type Tenants = {
  readonly world: AlertsService;
  readonly victim: TenantIds;
  readonly deleted: TenantIds;
  readonly attacker: TenantIds;
};

const fail = (): never => {
  throw new Error('the document has no operation that takes an id');
};

export const serveTenants = async (): Promise<Tenants> => {
  const world = await serveAlerts();
  const have = async (key: string): Promise<TenantIds> => {
    const accountId = await world.createAccount(key);
    const alert = await world.sendJson('POST', '/alerts', { body: { accountId, ...portAlert }, key });
    const alertId = String(toJsonObject(await alert.json())['data']);
    const made = await world.sendJson('POST', '/endpoints', {
      body: { accountId, url: 'https://hooks.zx.example/a' },
      key,
    });
    const endpointId = String(toJsonObject(await made.json())['endpointId']);
    const body = findEventExample(idUses[0]?.[1].contract ?? fail(), 'ScheduleInstance');
    const [eventId = ''] = await insertTestEvents(world.db, accountId, {
      events: [{ body }],
      alertId,
      now: new Date('2026-06-01T11:00:00Z'),
    });
    return { accountId, alertId, endpointId, eventId };
  };
  const first = await have(TEST_KEY);
  await world.db.begin((sql) => insertKnownEndpoint(sql, first.accountId));
  const theirs = { ...first, endpointId: ENDPOINT };
  const ours = await have(world.foreignKey);
  const { endpointId } = await createEndpoint(world, theirs.accountId);
  const alertId = await world.createAlert(theirs.accountId, { alertType: 'Port', departureAirport: 'LIS' });
  for (const path of [`/endpoints/${endpointId}`, `/alerts/${alertId}`])
    if (!(await world.sendJson('DELETE', path)).ok) throw new Error(`${path} was not deleted`);
  return { world, victim: theirs, attacker: ours, deleted: { ...theirs, endpointId, alertId } };
};

/** A request of an operation with one id in its place, the others being those of `ids`, asked with a key. */
export const buildTenantRequest = (
  [, served, operation, place]: (typeof idUses)[number],
  { ids, key, id }: { readonly ids: TenantIds; readonly key: string; readonly id: string },
): Request => {
  const put = (one: IdLocation): string => (one === place || one.name === place.name ? id : ids[one.id]);
  const places = listIdLocations(served, operation);
  let path = withParameter(operation.path, 'version', served.version);
  const headers: Record<string, string> = { 'subscription-key': key };
  const added: Record<string, string> = {};
  for (const one of places)
    if (one.in === 'path') path = path.replace(`{${one.name}}`, put(one));
    else if (one.in === 'header') headers[one.name] = put(one);
    else if (one.in === 'query' && one.name === place.name) path = withParameter(path, one.name, put(one));
    else if (one.in === 'body' && (one.name === place.name || one.name !== 'eventId')) added[one.name] = put(one);
  const method = operation.method.toUpperCase();
  const sent = requestBodies[`${operation.method} ${operation.path}`];
  if (sent === undefined) return new Request(`http://service.test${path}`, { method, headers });
  headers['content-type'] = 'application/json';
  return new Request(`http://service.test${path}`, { method, headers, body: JSON.stringify({ ...sent, ...added }) });
};
