/* Values that would be code elsewhere, in every text of every body, every id and every header of the operations that write. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isJsonObject, toJsonObject, resolveReference, type JsonObject } from '../../../src/lib/openapi-document.ts';
import { findBodySchema } from '../../contract/random/bodies.ts';
import { serveKnownData, type KnownService } from '../../contract/services/known-service.ts';
import { isList, servedOperations, type ServedDocument } from '../../contract/services/served-documents.ts';
import { createAttack } from './attack.ts';
import { baseOf, declaredBy, headerNames, headersOf, pathWith } from './baseline-requests.ts';
import { asHeader, payloads } from './payloads.ts';

let world: KnownService;
beforeAll(async () => {
  world = await serveKnownData();
});
afterAll(() => world.drop());

const writing = servedOperations.filter(([, , { method }]) => method !== 'get');

type Place = readonly string[];

/** Where a schema has texts: the names that lead there. */
const textPlaces = (document: JsonObject, schema: JsonObject, before: Place = []): readonly Place[] =>
  Object.entries(toJsonObject(schema['properties'])).flatMap(([name, one]) => {
    const member = toJsonObject(resolveReference(document, one));
    const types = [member['type']].flat();
    if (types.includes('object')) return textPlaces(document, member, [...before, name]);
    return types.includes('string') ? [[...before, name]] : [];
  });

/** A body with a text at a place. */
const withText = (body: JsonObject, [name = '', ...rest]: Place, text: string): JsonObject => {
  const inner = body[name];
  return { ...body, [name]: rest.length === 0 ? text : withText(isJsonObject(inner) ? inner : {}, rest, text) };
};

/** How many records every list of a product has in all, by its path. */
const totalsOf = async (served: ServedDocument): Promise<unknown> => {
  const totals: unknown[] = [];
  for (const [title, , operation] of servedOperations.filter(
    ([, one, other]) => one === served && isList(one, other),
  )) {
    const { path, headers } = await baseOf(world, served, operation);
    totals.push([title, await createAttack(world, served, operation).ask({ path, headers })]);
  }
  return totals;
};

test.each(writing)('%s takes what would be code elsewhere as a text, or refuses it', async (_, served, operation) => {
  const attack = createAttack(world, served, operation);
  const before = await totalsOf(served);
  const isGone = operation.method === 'delete';
  const { given, ...base } = isGone
    ? { ...headersOf(served, operation), path: '' }
    : await baseOf(world, served, operation);
  const path = isGone ? pathWith(served, operation, given) : base.path;
  for (const { name } of declaredBy(served, operation).filter((one) => one.in === 'path'))
    for (const payload of payloads.filter((text) => !/^\.*$/.test(text)))
      await attack.askLike(
        { status: 404, total: 0 },
        { ...base, path: pathWith(served, operation, { ...given, [name]: [payload] }) },
      );
  const names = headerNames(served, operation);
  for (const name of names)
    for (const said of payloads.flatMap((payload) => asHeader(payload) ?? []))
      await attack.ask({ ...base, path, headers: { ...base.headers, [name]: said } });
  const schema = findBodySchema(served, operation);
  const places = schema ? textPlaces(served.contract.document, schema) : [];
  const body = toJsonObject(JSON.parse(('body' in base ? base.body : undefined) ?? '{}'));
  for (const place of places)
    for (const payload of payloads)
      await attack.ask({ ...base, path, body: JSON.stringify(withText(body, place, payload)) });
  const after = await totalsOf(served);
  attack.judge({ headers: names.length, 'texts of the body': places.length });
  expect(after).toEqual(before);
});
