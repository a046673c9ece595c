import { toJsonObject, type OpenApiOperation } from '#lib/openapi-document.ts';
import { toParameter } from '#test/contract/random/parameter-values.ts';
import { servedOperations, type ServedDocument } from '#test/contract/services/served-documents.ts';
import { createMapKey, xx101, type StatusService } from '#test/products/flight-info/v2/status-service.ts';
import { profile } from '#test/products/flight-info-alerts/v1/alerts-service.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';

/** Values of path parameters: a flight, and an account with its alert and endpoint. */
export type PathParameters = Readonly<Record<string, string>>;

const send = async (world: StatusService, path: string, body: object): Promise<Readonly<Record<string, unknown>>> => {
  const response = await world.send(`/flight-info-alerts${path}`, {
    method: 'POST',
    headers: { 'subscription-key': TEST_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 201 && response.status !== 200) throw new Error(`${path}: ${await response.text()}`);
  return toJsonObject(await response.json());
};

/** Creates an account with an alert for all flights and an endpoint that receives all events. */
export const prepareAccount = async (world: StatusService): Promise<PathParameters> => {
  const accountId = String((await send(world, '/profile', profile))['accountId']);
  const alert = await send(world, '/alerts', { accountId, alertType: 'Global', changeIndicator: true });
  const hook = { accountId, url: 'https://hooks.zx.example/events', after: 0 };
  const endpointId = String((await send(world, '/endpoints', hook))['endpointId']);
  const query = `DepartureDateTime=2026-06-01&CarrierCode=XX&FlightNumber=${xx101().flightNumber}`;
  const flight = await world.getOnly(query);
  return {
    accountId,
    alertId: String(alert['data']),
    endpointId,
    departureDate: '2026-06-01',
    scheduleInstanceKey: flight.scheduleInstanceKey ?? '',
    eventId: '00000000-0000-4000-8000-000000000000',
  };
};

const requiredParameters: Readonly<Record<string, string>> = {
  'flight-info/v1 /flight-instances': 'DepartureDate=2026-06-01',
  'flight-info/v2 /flight-instances': 'DepartureDateTime=2026-06-01',
  'connections/v1 /flight-connections': 'ViaPoint=JFK',
  'schedules/v1 /flights': 'DepartureDate=2026-06-01',
};

const contentsOf = ({ contract }: ServedDocument, operation: OpenApiOperation): readonly string[] => {
  const content = operation.parameters
    .map((one) => toParameter(contract.document, one))
    .find(({ name }) => name === 'Content');
  const values = toJsonObject(toJsonObject(content?.schema)['items'])['enum'];
  return Array.isArray(values) ? values.map(String) : [];
};

const listReadRequests = (pathParameters: PathParameters) =>
  servedOperations
    .filter(([, , { method }]) => method === 'get')
    .flatMap(([title, served, operation]) => {
      const path = operation.path.replaceAll(/\{(.+?)\}/g, (_, name: string) => pathParameters[name] ?? 'ZZZ');
      const required = requiredParameters[`${served.name} ${operation.path}`] ?? '';
      const requested = `${path}?version=${served.version}&${required}`;
      return ['', ...contentsOf(served, operation)].map((content) => ({
        title,
        day: served.day,
        path: `${requested}${content && `&Content=${content}`}`,
      }));
    });

/** Reads a stream up to its first flight event, which follows the position. */
const readFirstChunk = async (response: Response): Promise<string> => {
  const reader = response.body?.getReader();
  let text = '';
  while (reader && !/^event: (?!position).*\ndata: .*\n/m.test(text)) {
    const { done, value } = await reader.read();
    if (done) break;
    text += Buffer.from(value).toString();
  }
  await reader?.cancel();
  return text;
};

/** Returns the requests whose response contains a text, among all operations, streams, previews and maps. */
export const findDisclosures = async (world: StatusService, pathParameters: PathParameters, text: string) => {
  const disclosures = new Set<string>();
  const check = (title: string, body: string): void => void (body.includes(text) && disclosures.add(title));
  const headers = { 'subscription-key': TEST_KEY, accountid: pathParameters['accountId'] ?? '' };
  const withMaps = { ...headers, ...(await createMapKey(world)) };
  for (const { title, day, path } of listReadRequests(pathParameters)) {
    world.setToday(day);
    const isOfFlights = title.startsWith('flight-info/');
    const body = await (await world.send(path, { headers: isOfFlights ? withMaps : headers })).text();
    check(title, body);
    const [map] = /http:\/\/service\.test(\/flight-map\/[\w-]+)/.exec(body)?.slice(1) ?? [];
    if (map !== undefined) check('map', await (await world.send(map, {})).text());
  }
  world.setToday('2026-06-01');
  const events = '/flight-info-alerts/events';
  const stream = await world.send(events, { headers: { ...headers, accept: 'text/event-stream' } });
  check('stream', await readFirstChunk(stream));
  const preview = { accountId: pathParameters['accountId'], alertType: 'Global', changeIndicator: true, days: 3 };
  check('preview', JSON.stringify(await send(world, '/alerts/preview', preview)));
  return [...disclosures].toSorted();
};
