import { isJsonObject, toList, toJsonObject, type JsonObject } from '../../../src/lib/openapi-document.ts';
import { servedDocuments } from '../services/served-documents.ts';

/** A key of a flight, or of a schedule record, in an example. */
type ExampleFlight = {
  readonly document: string;
  /** The object of the key: `instance ZX101 2027-03-01 LHR-JFK`, or `record` or `status`. */
  readonly id: string;
  readonly key: string;
};

/** Yields every object in a value, including the value. */
export function* walkObjects(value: unknown): Generator<JsonObject> {
  if (Array.isArray(value)) for (const one of value) yield* walkObjects(one);
  if (!isJsonObject(value)) return;
  yield value;
  for (const one of Object.values(value)) yield* walkObjects(one);
}

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** Returns the airport of a flight end: the scheduled one when a status event reports another. */
const airportOf = (end: unknown): string => {
  const { airport, scheduled } = toJsonObject(end);
  const { iata, icao, faa } = toJsonObject(toJsonObject(scheduled)['airport'] ?? airport);
  return text(iata ?? icao ?? faa);
};

const dateOf = ({ originationDate, departure }: JsonObject): string => {
  const { date } = toJsonObject(departure);
  return text(toJsonObject(originationDate)['local'] ?? toJsonObject(date)['local'] ?? date).slice(0, 10);
};

const numberOf = ({ carrier, carrierCode, flightNumber, serviceSuffix }: JsonObject): string => {
  const { iata, icao } = toJsonObject(carrier ?? carrierCode);
  return `${text(iata ?? icao)}${text(flightNumber)}${text(serviceSuffix)}`;
};

/** Returns the keys of the marketing flights of a status event. */
const marketingKeys = ({
  marketingFlights,
  marketingInstancesKeys,
}: JsonObject): readonly (readonly [string, unknown])[] =>
  toList(marketingFlights).map((one, index) => {
    const { code, serviceNumber, suffix } = toJsonObject(one);
    return [`${text(code)}${text(serviceNumber)}${text(suffix)}`, toList(marketingInstancesKeys)[index]] as const;
  });

const keysOf = (node: JsonObject): readonly (readonly [id: string, key: unknown])[] => {
  const { flightNumber, departure, arrival, scheduleInstanceKey, operatingInstanceKey, statusKey, fingerprint } = node;
  if (flightNumber === undefined || !isJsonObject(departure)) return [];
  const route = `${airportOf(departure)}-${airportOf(arrival)}`;
  const date = dateOf(node);
  const on = (number: string): string => `instance ${number} ${date} ${route}`;
  if (date === '') return [[`record ${numberOf(node)} ${route}`, fingerprint]];
  return [
    [on(numberOf(node)), scheduleInstanceKey ?? fingerprint],
    [on(numberOf(node)), operatingInstanceKey],
    [on(numberOf(node)).replace('instance', 'status'), statusKey],
    ...marketingKeys(node).map(([number, key]) => [on(number), key] as const),
  ];
};

/** All example values of all documents, including events. */
export const exampleValues: readonly (readonly [document: string, value: unknown])[] = servedDocuments.flatMap(
  ({ name, contract: { document } }) =>
    Object.values(toJsonObject(toJsonObject(document['components'])['examples'])).map(
      (example) => [name, toJsonObject(example)['value']] as const,
    ),
);

/** Lists the keys of all flights in the examples of all documents. */
export const listExampleFlights = (): readonly ExampleFlight[] =>
  exampleValues.flatMap(([document, value]) =>
    [...walkObjects(value)].flatMap((node) =>
      keysOf(node)
        .filter(([, key]) => key !== undefined)
        .map(([id, key]) => ({ document, id, key: String(key) })),
    ),
  );
