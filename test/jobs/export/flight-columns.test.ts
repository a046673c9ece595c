import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { flightColumns } from '#jobs/export/flight-columns.ts';
import { resolveReference, toJsonObject, toList } from '#lib/openapi-document.ts';

const document = toJsonObject(
  JSON.parse(readFileSync(new URL('../../../generated/flight-info/v2/openapi.json', import.meta.url), 'utf8')),
);

/** Lists the paths of the values of a schema; a list of objects is represented by its first item. */
const listValues = (schema: unknown, path: string): readonly string[] => {
  const { properties, allOf, items } = toJsonObject(resolveReference(document, schema));
  const { properties: ofItems } = toJsonObject(items && resolveReference(document, items));
  if (ofItems) return listValues(items, `${path}[0]`);
  const parts = toList(allOf).flatMap((part) => listValues(part, path));
  const members = Object.entries(toJsonObject(properties)).flatMap(([name, member]) =>
    listValues(member, path === '' ? name : `${path}.${name}`),
  );
  return parts.length + members.length > 0 ? [...parts, ...members] : [path];
};

test('every value of a status has a column', () => {
  const { FlightInstance } = toJsonObject(toJsonObject(document['components'])['schemas']);
  const values = listValues(FlightInstance, '').filter((path) => path.startsWith('statusDetails[0].'));
  expect(values.length).toBeGreaterThan(50);
  const sources = flightColumns.map(({ source }) => source);
  // A flight can have any number of public feeds.
  const withColumn = values.filter((path) => !path.includes('.sources['));
  expect(withColumn.filter((path) => !sources.some((source) => source.startsWith(path)))).toEqual([]);
});
