import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { isJsonObject, toList, toJsonObject, type JsonObject } from '../../src/lib/openapi-document.ts';
import { listExampleFlights, walkObjects, exampleValues } from './example-world/example-flights.ts';
import {
  groupByOperation,
  removeVersion,
  responseExamples,
  formatExampleTitle,
  type ResponseExample,
} from './example-world/response-examples.ts';
import { isValidText, toParameter, type Parameter } from './random/parameter-values.ts';

const declaredIn = ({ served, operation }: ResponseExample): readonly Parameter[] =>
  operation.parameters.map((one) => toParameter(served.contract.document, one));

const textsIn = ({ items }: Parameter, text: string): readonly string[] => (items ? text.split(',') : [text]);

/** Returns what is wrong with the request of an example: undeclared, invalid or missing parameters. */
const findRequestErrors = (example: ResponseExample): readonly string[] => {
  const { operation, request } = example;
  const [path = '', query = ''] = request.split('?');
  const declared = declaredIn(example);
  const match = new RegExp(`^${operation.path.replaceAll(/\{(.+?)\}/g, '(?<$1>[^/]+)')}$`).exec(path);
  if (!match) return [`${request} is not ${operation.path}`];
  const parameters = [
    ...Object.entries(match.groups ?? {}).map(([name, text]) => ['path', name, text] as const),
    ...[...new URLSearchParams(query)].map(([name, text]) => ['query', name, text] as const),
  ];
  const invalid = parameters.filter(([location, name, text]) => {
    const parameter = declared.find((one) => one.in === location && one.name === name && name !== 'version');
    return (
      !parameter || !textsIn(parameter, text).every((one) => isValidText(parameter.items ?? parameter.schema, one))
    );
  });
  const missing = declared.filter(
    (one) => one.in === 'query' && one.isRequired && !parameters.some(([, name]) => name === one.name),
  );
  const isBody = operation.operation['requestBody'] !== undefined;
  return [
    ...invalid.map(([, name, text]) => `${name}=${text}`),
    ...missing.map(({ name }) => `no ${name}`),
    ...(isBody && query !== '' ? ['a query beside a body'] : []),
  ];
};

const repeated = (texts: readonly string[]): readonly string[] =>
  texts.filter((one, index) => texts.indexOf(one) !== index);

/** Finds the example of the same operation with this address. */
const findExample = ({ served, operation }: ResponseExample, address: unknown): ResponseExample | undefined =>
  responseExamples.find(
    (one) =>
      one.served === served &&
      one.operation.operation['operationId'] === operation.operation['operationId'] &&
      one.request === removeVersion(String(address)),
  );

describe('the request of an example', () => {
  test('exists and is valid for its operation', () => {
    expect(
      responseExamples.flatMap((one) => findRequestErrors(one).map((fault) => `${formatExampleTitle(one)}: ${fault}`)),
    ).toEqual([]);
    expect(responseExamples.length).toBeGreaterThan(100);
  });

  test('is unique among the examples of a GET operation', () => {
    const twice = [...groupByOperation().values()]
      .filter(([first]) => first?.operation.method === 'get')
      .flatMap((examples) => repeated(examples.map(({ request }) => request)));
    expect(twice).toEqual([]);
  });
});

describe('the pages', () => {
  test('of events continue after the position where they end', () => {
    const read = responseExamples.filter(({ operation }) => operation.operation['operationId'] === 'listEvents');
    const ends = read.filter(({ mediaType }) => mediaType === 'application/json');
    expect(ends.length).toBe(2);
    for (const one of ends) {
      const { data, position } = toJsonObject(one.value);
      const next = findExample(one, `${one.operation.path}?After=${String(position)}`);
      expect([next?.name, toJsonObject(next?.value)['data']]).toEqual(['noEvents', []]);
      expect(toList(data).every((event) => Number(toJsonObject(event)['position']) <= Number(position))).toBe(true);
    }
  });
});

/** Returns the newest status, which is the only one of a single flight. */
const newest = (record: JsonObject): unknown => toList(record['statusDetails'])[0];

/** The path of a single record by the list that contains it. */
const singleOf: Readonly<Record<string, (record: JsonObject) => string>> = {
  'flight-info/v2 listFlightInstances': (record) =>
    `/flight-instances/${String(toJsonObject(toJsonObject(record['departure'])['date'])['local'])}/${String(record['scheduleInstanceKey'] ?? record['statusKey'])}`,
  'schedules/v1 listSchedules': ({ fingerprint }) => `/flights/${String(fingerprint)}`,
  'master-data/v1 listLocations': (record) => byCode('/locations', record),
  'master-data/v1 listCarriers': (record) => byCode('/carriers', record),
  'master-data/v1 listEquipment': (record) => byCode('/equipment', record),
  'flight-info-alerts/v1 listAlerts': ({ alertId }) => `/flight-info-alerts/alerts/${String(alertId)}`,
  'flight-info-alerts/v1 listPushEndpoints': ({ endpointId }) => `/flight-info-alerts/endpoints/${String(endpointId)}`,
};

/** Returns the path by IATA code if the record is the first one with that code, or else by another code. */
const byCode = (path: string, { code, iataCodeRank = 1 }: JsonObject): string => {
  const codes = new Map(Object.entries(toJsonObject(code)).map(([system, one]) => [system, String(one)]));
  const [iata, icao] = [codes.get('iata'), codes.get('icao')];
  if (iata !== undefined && iataCodeRank === 1) return `${path}/${iata}`;
  return icao === undefined ? `${path}/${codes.get('faa')}?CodeType=FAA` : `${path}/${icao}?CodeType=ICAO`;
};

const gets = new Map(
  responseExamples
    .filter(({ operation }) => operation.method === 'get')
    .map((one) => [`${one.served.name} ${one.request}`, one]),
);

describe('examples contain the objects that they name', () => {
  // That they are the same, example-responses.test.ts proves for all but alerts.
  test.each(Object.entries(singleOf))('each record of %s alone', (title, addressOf) => {
    const listed = (groupByOperation().get(title) ?? []).flatMap(({ served, value }) =>
      toList(Array.isArray(value) ? value : toJsonObject(value)['data']).map(
        (record) => [served.name, toJsonObject(record)] as const,
      ),
    );
    expect(listed.length).toBeGreaterThan(1);
    const mismatches = listed.flatMap(([name, record]) => {
      const single = gets.get(`${name} ${addressOf(record)}`);
      const isSame = !name.startsWith('flight-info-alerts/') || isDeepStrictEqual(record, single?.value);
      return single && isSame ? [] : [`nothing, or another record, at ${addressOf(record)}`];
    });
    expect(mismatches).toEqual([]);
  });

  test('every account, alert and endpoint', () => {
    const texts = responseExamples
      .filter(({ served }) => served.name === 'flight-info-alerts/v1')
      .map(({ request, value }) => `${request} ${JSON.stringify(value)}`)
      .join('\n');
    const named = (members: string, path: string): readonly string[] =>
      [...texts.matchAll(new RegExp(`(?:"(?:${members})":"|/${path}/)([0-9a-f]{8}-[0-9a-f-]{27})`, 'g'))].map(
        ([, id = '']) => `flight-info-alerts/v1 /flight-info-alerts/${path}/${id}`,
      );
    const all = [
      ...named('accountId', 'profile'),
      ...named('alertId|coveredBy|data', 'alerts'),
      ...named('endpointId', 'endpoints'),
    ];
    expect(new Set(all).size).toBe(5);
    expect([...new Set(all)].filter((one) => !gets.has(one))).toEqual([]);
  });
});

describe('the products describe one world', () => {
  test('a flight has the same keys in all products, and no other flight has them', () => {
    const flights = listExampleFlights();
    const keys = Map.groupBy(flights, ({ id }) => id);
    const torn = [...keys].filter(([, same]) => new Set(same.map(({ key }) => key)).size > 1);
    expect(torn.map(([id]) => id)).toEqual([]);
    const documents = (id: string): readonly string[] =>
      [...new Set((keys.get(id) ?? []).map(({ document }) => document))].toSorted();
    expect(documents('instance ZX101 2027-03-01 LHR-JFK')).toEqual([
      'flight-info-alerts/v1',
      'flight-info/v1',
      'flight-info/v2',
    ]);
    expect(documents('record ZX101 LHR-JFK')).toEqual(['connections/v1', 'schedules/v1']);
    const own = flights.filter(({ id }) => !id.startsWith('status '));
    expect(new Set(own.map(({ key }) => key)).size).toBe(new Set(own.map(({ id }) => id)).size);
  });

  test('events match the flight in Flight Info', () => {
    const of101 = ({ scheduleInstanceKey, flightNumber }: JsonObject): boolean =>
      String(flightNumber) === '101' && scheduleInstanceKey !== undefined;
    const events = exampleValues
      .filter(([document]) => document === 'flight-info-alerts/v1')
      .flatMap(([, value]) => [...walkObjects(value)].filter(of101));
    const [flight = {}] = responseExamples
      .filter(({ served, name }) => served.name === 'flight-info/v2' && name === 'scheduled')
      .map(({ value }) => toJsonObject(value));
    const scheduled = events.filter(({ documentType }) => documentType === 'ScheduleInstance');
    const common = Object.keys(flight).filter((name) => name in toJsonObject(scheduled[0]));
    expect(common.length).toBeGreaterThan(15);
    for (const event of scheduled)
      expect(common.map((name) => [name, event[name]])).toEqual(common.map((name) => [name, flight[name]]));
    const { state, departure, arrival } = toJsonObject(newest(flight));
    const [leaves, reaches] = [toJsonObject(departure), toJsonObject(arrival)];
    const observed = events.filter(({ documentType }) => documentType === 'FlightStatus');
    expect(observed.length).toBeGreaterThan(2);
    for (const event of observed) {
      const [from, to] = [toJsonObject(event['departure']), toJsonObject(event['arrival'])];
      expect({ state: event['state'], out: toJsonObject(from['times'])['actual'], gate: from['gate'] }).toEqual({
        state,
        out: leaves['actualTime'],
        gate: leaves['gate'],
      });
      expect({ in: toJsonObject(to['times'])['estimated'], gate: to['gate'], baggage: to['baggage'] }).toEqual({
        in: reaches['estimatedTime'],
        gate: reaches['gate'],
        baggage: reaches['baggage'],
      });
    }
  });

  test('all airports, carriers and aircraft are in the master data', () => {
    const known = [...gets.values()]
      .filter(({ served }) => served.name === 'master-data/v1')
      .map(({ request, value }) => [request.split('/')[1], toJsonObject(toJsonObject(value)['code'])] as const);
    const isKnown = (kind: string, code: JsonObject): boolean => {
      const codes = Object.entries(code).filter(([, one]) => one !== null);
      return known.some(([of, other]) => of === kind && codes.every(([name, one]) => other[name] === one));
    };
    const carriers = { carrier: 'carriers', carrierCode: 'carriers' };
    const kinds = { airport: 'locations', ...carriers, aircraftType: 'equipment', actualAircraftType: 'equipment' };
    const named = exampleValues.flatMap(([, value]) =>
      [...walkObjects(value)].flatMap((node) =>
        Object.entries(kinds).flatMap(([name, kind]) =>
          isJsonObject(node[name]) ? [[kind, node[name], JSON.stringify(node[name])] as const] : [],
        ),
      ),
    );
    const unknown = named.filter(([kind, code]) => !isKnown(kind, code)).map(([kind, , text]) => `${kind} ${text}`);
    expect([...new Set(unknown)]).toEqual([]);
    expect(new Set(named.map(([, , text]) => text)).size).toBeGreaterThan(20);
  });
});
