import { resolveReference, toJsonObject, type OpenApiOperation } from '#lib/openapi-document.ts';
import { insertKnownEndpoint, ENDPOINT } from '#test/contract/services/known-endpoint.ts';
import { withParameter } from '#test/contract/responses/envelope.ts';
import { servedOperations, type ServedDocument } from '#test/contract/services/served-documents.ts';
import { findEventExample } from '#test/contract/services/event-examples.ts';
import { insertTestEvents } from '#test/products/flight-info-alerts/v1/events/account-events.ts';
import { createEndpoint } from '#test/products/flight-info-alerts/v1/endpoints/create-endpoints.ts';
import { serveAlerts } from '#test/products/flight-info-alerts/v1/alerts-service.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';

export type TenantIds = Readonly<Record<'accountId' | 'alertId' | 'endpointId' | 'eventId', string>>;
type IdName = keyof TenantIds;
const idNames: readonly string[] = ['accountId', 'alertId', 'endpointId', 'eventId'] satisfies readonly IdName[];
const isIdName = (name: string): name is IdName => idNames.includes(name);

const portAlert = { alertType: 'Port', departureAirport: 'SYD' };

/** Body members besides IDs, for operations that take a body. */
const requestBodies: Readonly<Record<string, object>> = {
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

const listIdLocations = (
  { contract }: ServedDocument,
  { operation, parameters }: OpenApiOperation,
): readonly IdLocation[] => {
  const request = toJsonObject(resolveReference(contract.document, operation['requestBody']));
  const schema = toJsonObject(toJsonObject(toJsonObject(request['content'])['application/json'])['schema']);
  const members = Object.keys(toJsonObject(toJsonObject(resolveReference(contract.document, schema))['properties']));
  const locations = [
    ...parameters.map((parameter) => ({ in: String(parameter['in']), name: String(parameter['name']) })),
    ...members.map((name) => ({ in: 'body', name })),
  ];
  return locations.flatMap(({ in: where, name }) => {
    const id = `${name[0]?.toLowerCase()}${name.slice(1)}`;
    // A new kind of ID fails here, so that the tests are extended.
    if (!/.Id$/i.test(name) || /event-id$/i.test(name)) return [];
    if (!isIdName(id))
      throw new Error(`${String(operation['operationId'])} takes ${name}, which this test does not cover`);
    return [{ in: where === 'path' || where === 'query' || where === 'header' ? where : 'body', name, id }];
  });
};

export const idUses = servedOperations
  .filter(([, { name }]) => name.startsWith('flight-info-alerts/'))
  .flatMap(([title, served, operation]) =>
    listIdLocations(served, operation).map(
      (location) => [`${title}, ${location.name}`, served, operation, location] as const,
    ),
  );

/** Without the ID that accounts share: `explain` describes why the caller's account did or did not receive an event. */
export const foreignIdUses = idUses.filter(
  ([, , { path }, { id }]) => !(id === 'eventId' && path.endsWith('/explain')),
);

const throwMissing = (): never => {
  throw new Error('the document has no operation that takes an ID');
};

/** Serves two subscriptions: the IDs of the victim, those it deleted, and those of the attacker, who sends requests. */
export const serveTenants = async () => {
  const world = await serveAlerts();
  const createResources = async (key: string): Promise<TenantIds> => {
    const accountId = await world.createAccount(key);
    const alert = await world.sendJson('POST', '/alerts', { body: { accountId, ...portAlert }, key });
    const alertId = String(toJsonObject(await alert.json())['data']);
    const endpoint = await world.sendJson('POST', '/endpoints', {
      body: { accountId, url: 'https://hooks.zx.example/a' },
      key,
    });
    const endpointId = String(toJsonObject(await endpoint.json())['endpointId']);
    const body = findEventExample(idUses[0]?.[1].contract ?? throwMissing(), 'ScheduleInstance');
    const [eventId = ''] = await insertTestEvents(world.db, accountId, {
      events: [{ body }],
      alertId,
      now: new Date('2026-06-01T11:00:00Z'),
    });
    return { accountId, alertId, endpointId, eventId };
  };
  const victimIds = await createResources(TEST_KEY);
  await world.db.begin((sql) => insertKnownEndpoint(sql, victimIds.accountId));
  const theirs = { ...victimIds, endpointId: ENDPOINT };
  const ours = await createResources(world.foreignKey);
  const { endpointId } = await createEndpoint(world, theirs.accountId);
  const alertId = await world.createAlert(theirs.accountId, { alertType: 'Port', departureAirport: 'LIS' });
  for (const path of [`/endpoints/${endpointId}`, `/alerts/${alertId}`])
    if (!(await world.sendJson('DELETE', path)).ok) throw new Error(`${path} was not deleted`);
  const deleted: TenantIds = { ...theirs, endpointId, alertId };
  return { world, victim: theirs, attacker: ours, deleted };
};

/** Builds a request with one given ID; the other IDs are those of `ids`. */
export const buildTenantRequest = (
  [, served, operation, varied]: (typeof idUses)[number],
  { ids, key, id }: { readonly ids: TenantIds; readonly key: string; readonly id: string },
): Request => {
  const idFor = (location: IdLocation): string =>
    location === varied || location.name === varied.name ? id : ids[location.id];
  const locations = listIdLocations(served, operation);
  let path = withParameter(operation.path, 'version', served.version);
  const headers: Record<string, string> = { 'subscription-key': key };
  const bodyIds: Record<string, string> = {};
  for (const location of locations)
    if (location.in === 'path') path = path.replace(`{${location.name}}`, idFor(location));
    else if (location.in === 'header') headers[location.name] = idFor(location);
    else if (location.in === 'query' && location.name === varied.name)
      path = withParameter(path, location.name, idFor(location));
    else if (location.in === 'body' && (location.name === varied.name || location.name !== 'eventId'))
      bodyIds[location.name] = idFor(location);
  const method = operation.method.toUpperCase();
  const sent = requestBodies[`${operation.method} ${operation.path}`];
  if (sent === undefined && operation.operation['requestBody'] !== undefined)
    throw new Error(`${varied.name}: no body`);
  if (sent === undefined) return new Request(`http://service.test${path}`, { method, headers });
  headers['content-type'] = 'application/json';
  return new Request(`http://service.test${path}`, { method, headers, body: JSON.stringify({ ...sent, ...bodyIds }) });
};
