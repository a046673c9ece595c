import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import { statusProperties } from '#products/flight-info-alerts/v1/events/event-properties.ts';
import { resolveReference, toJsonObject, type JsonObject } from '#lib/openapi-document.ts';
import { parseFlight, toStatusContents } from '#products/flight-info-alerts/v1/events/build-content.ts';
import { getValue, withValues } from './edit-content.ts';

/** Properties of a status that events do not have, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  UpdatedAt: 'an event has the time of its own creation',
  Correction: 'an event lists its changes',
  Sources: 'an event is about values; the status names the feeds that they are from',
};

/** Names that events have for properties of a status. */
const toEventName = (name: string): string =>
  name
    .replace(/^(Departure|Arrival)\.(Estimated|Actual)Time\./, '$1.Times.$2.')
    .replace('.ActualTerminal', '.Terminal')
    .replace('.ActualAircraftType.', '.AircraftType.');

/** The properties of a schema by name, without descriptions. An object is not a property, its members are. */
const listLeaves = (document: JsonObject, schema: unknown, path: readonly string[] = []): [string, JsonObject][] => {
  const { description: _, ...resolved } = toJsonObject(resolveReference(document, schema));
  if (resolved['properties'] === undefined) return [[path.join('.').replaceAll(/\bUtc\b/g, 'UTC'), resolved]];
  return Object.entries(toJsonObject(resolved['properties'])).flatMap(([member, one]) =>
    listLeaves(document, one, [...path, `${member.charAt(0).toUpperCase()}${member.slice(1)}`]),
  );
};

const readLeaves = (product: string, name: string): ReadonlyMap<string, JsonObject> => {
  const file = new URL(`../../../../../generated/${product}/openapi.json`, import.meta.url);
  const document = toJsonObject(JSON.parse(readFileSync(file, 'utf8')));
  return new Map(listLeaves(document, { $ref: `#/components/schemas/${name}` }));
};

const statusLeaves = readLeaves('flight-info/v2', 'StatusDetails');
const statusNames = [...statusLeaves.keys()];
const shared = statusNames.filter((name) => !(name in exceptions));

test('the exceptions are properties of a status', () => {
  expect(Object.keys(exceptions).filter((name) => !statusNames.includes(name))).toEqual([]);
});

test('a status event has each property of a status, with the same schema', () => {
  const eventLeaves = readLeaves('flight-info-alerts/v1', 'StatusEvent');
  expect(shared.map((name) => [name, eventLeaves.get(toEventName(name))])).toEqual(
    shared.map((name) => [name, statusLeaves.get(name)]),
  );
});

test('changes of each property of a status are reported', () => {
  const reported = new Set<string>(statusProperties.map(({ name }) => name));
  expect(shared.filter((name) => !reported.has(toEventName(name)))).toEqual([]);
});

test('the content of an event has the value of each property of a status', () => {
  const place = (end: string) => ({
    airport: { iata: `${end}.Airport.Iata`, icao: `${end}.Airport.Icao`, faa: `${end}.Airport.Faa` },
    country: { code: `${end}.Country.Code` },
    date: { local: '2026-06-01', utc: '2026-06-01' },
    time: { local: '10:00', utc: '10:00' },
  });
  const row: FlightInstance = {
    carrier: { iata: 'XX' },
    flightNumber: 101,
    flightType: 'Unscheduled',
    departure: place('Departure'),
    arrival: place('Scheduled'),
    elapsedTime: 60,
    aircraftType: {},
    serviceType: {},
    segmentInfo: { numberOfStops: 0, intermediateAirports: { iata: [] } },
    codeshare: { jointOperationAirlineDesignators: [], marketingFlights: [] },
    statusKey: '0'.repeat(64),
    isOperating: true,
  };
  const stored = { doc: JSON.stringify(row), details: undefined, seats: undefined, isMarketing: false };
  const status = withValues(
    {},
    statusNames.map((name) => [name, name]),
  );
  const [content] = toStatusContents(parseFlight([stored]), {
    doc: JSON.stringify(status),
    seats: undefined,
    originalStatusKey: undefined,
  });
  expect(shared.map((name) => getValue(content ?? {}, toEventName(name)))).toEqual(shared);
});
