import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { isJsonObject, toList, toJsonObject, type JsonObject } from '#lib/openapi-document.ts';
import { groupByOperation, responseExamples } from './example-world/response-examples.ts';
import { servedDocuments } from './services/served-documents.ts';

const repeated = (texts: readonly string[]): readonly string[] =>
  texts.filter((one, index) => texts.indexOf(one) !== index);

// That requests are valid and lead to their examples, the tests of the mock prove.
test('the request of an example is unique among the examples of a GET operation', () => {
  const twice = [...groupByOperation().values()]
    .filter(([first]) => first?.operation.method === 'get')
    .flatMap((examples) => repeated(examples.map(({ request }) => request)));
  expect(twice).toEqual([]);
  expect(responseExamples.length).toBeGreaterThan(100);
});

/** Returns the newest status, which is the only one of a single flight. */
const newest = (record: JsonObject): unknown => toList(record['statusDetails'])[0];

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

function* walkObjects(value: unknown): Generator<JsonObject> {
  if (Array.isArray(value)) for (const one of value) yield* walkObjects(one);
  if (!isJsonObject(value)) return;
  yield value;
  for (const one of Object.values(value)) yield* walkObjects(one);
}

const exampleValues = servedDocuments.flatMap(({ name, contract: { document } }) =>
  Object.values(toJsonObject(toJsonObject(document['components'])['examples'])).map(
    (example) => [name, toJsonObject(example)['value']] as const,
  ),
);

const gets = new Map(
  responseExamples
    .filter(({ operation }) => operation.method === 'get')
    .map((one) => [`${one.served.name} ${one.request}`, one]),
);

describe('examples contain the objects that they name', () => {
  // That they are the same, example-responses.test.ts proves for all but alerts.
  test.each(Object.entries(singleOf))('for each record of %s', (title, addressOf) => {
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

  test('for every account, alert and endpoint', () => {
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
