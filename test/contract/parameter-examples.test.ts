/** Checks that tools which fill in the first example of every parameter, such as API clients with a form, get a success. */
import { afterAll, expect, test } from 'vitest';
import { resolveReference, toJsonObject, type JsonObject } from '#lib/openapi-document.ts';
import type { OpenApiOperation } from '#lib/openapi-document.ts';
import { serveMock } from '../mock/serve-mock.ts';
import { EXAMPLE_DAY, EXAMPLE_KEY, serveExampleWorld } from './example-world/serve-example-world.ts';
import { findBodyType, listBodyTexts } from './random/bodies.ts';
import { servedOperations, type ServedDocument } from './services/served-documents.ts';

const world = await serveExampleWorld();
afterAll(world.drop);
const mock = serveMock();

/** Returns the first example of a parameter as text; undefined where it has none. */
const findExample = (document: JsonObject, parameter: JsonObject): string | undefined => {
  const [first] = Object.values(toJsonObject(parameter['examples']));
  const value =
    'example' in parameter ? parameter['example'] : toJsonObject(resolveReference(document, first))['value'];
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** A parameter without an example gets what such tools fill in then. */
const listFirstExamples = (
  { contract: { document } }: ServedDocument,
  { parameters }: OpenApiOperation,
  location: string,
): readonly (readonly [name: string, text: string])[] =>
  parameters
    .filter((one) => one['in'] === location)
    .map((one) => [String(one['name']), findExample(document, one) ?? '<string>']);

const buildRequest = (served: ServedDocument, operation: OpenApiOperation): Request => {
  const values = new Map(listFirstExamples(served, operation, 'path'));
  const path = operation.path.replaceAll(/\{(.+?)\}/g, (_, name: string) => values.get(name) ?? '');
  const query = new URLSearchParams(listFirstExamples(served, operation, 'query').map(([name, text]) => [name, text]));
  const [body] = listBodyTexts(served, operation);
  const type = findBodyType(served, operation);
  return new Request(`http://service.test${path}?${query.toString()}`, {
    method: operation.method.toUpperCase(),
    headers: {
      'Subscription-Key': EXAMPLE_KEY,
      ...Object.fromEntries(listFirstExamples(served, operation, 'header')),
      ...(type !== undefined && { 'Content-Type': type }),
    },
    ...(body !== undefined && { body }),
  });
};

test.each(servedOperations)('the first examples of the parameters of %s agree', async (_, served, operation) => {
  const request = buildRequest(served, operation);
  const mocked = new Request(request.clone());
  mocked.headers.set('Prefer', `today=${served.day}`);
  world.setToday(served.isCurrent ? EXAMPLE_DAY : served.day);
  // The accounts and alerts of the examples are those of the mock.
  // One key belongs to one request.
  request.headers.delete('Idempotency-Key');
  const isStored = !served.name.startsWith('flight-info-alerts/');
  const responses = [await mock.fetch(mocked), ...(isStored ? [await world.app.fetch(request)] : [])];
  const texts = await Promise.all(responses.map(async (response) => (response.ok ? 'success' : response.text())));
  expect([request.url, ...texts]).toEqual([request.url, ...responses.map(() => 'success')]);
});
