/* Injection payloads in every string of every body, every ID and every header of the operations that write. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isJsonObject, toJsonObject, resolveReference, type JsonObject } from '../../../src/lib/openapi-document.ts';
import { findBodySchema } from '../../contract/random/bodies.ts';
import { serveKnownData, type KnownService } from '../../contract/services/known-service.ts';
import { isList, servedOperations, type ServedDocument } from '../../contract/services/served-documents.ts';
import { createAttack } from './attack.ts';
import { buildBaseRequest, listParameters, listAttackedHeaders, buildHeaders, buildPath } from './baseline-requests.ts';
import { toHeaderValue, payloads } from './payloads.ts';

let world: KnownService;
beforeAll(async () => {
  world = await serveKnownData();
});
afterAll(() => world.drop());

const writeOperations = servedOperations.filter(([, , { method }]) => method !== 'get');

type MemberPath = readonly string[];

/** Lists the string members of a schema by their paths. */
const listTextMembers = (document: JsonObject, schema: JsonObject, before: MemberPath = []): readonly MemberPath[] =>
  Object.entries(toJsonObject(schema['properties'])).flatMap(([name, one]) => {
    const member = toJsonObject(resolveReference(document, one));
    const types = [member['type']].flat();
    if (types.includes('object')) return listTextMembers(document, member, [...before, name]);
    return types.includes('string') ? [[...before, name]] : [];
  });

/** Returns a copy of a body with a text at a member path. */
const withText = (body: JsonObject, [name = '', ...rest]: MemberPath, text: string): JsonObject => {
  const inner = body[name];
  return { ...body, [name]: rest.length === 0 ? text : withText(isJsonObject(inner) ? inner : {}, rest, text) };
};

/** Counts the records of every list of a product. */
const countRecords = async (served: ServedDocument): Promise<unknown> => {
  const totals: unknown[] = [];
  for (const [title, , operation] of servedOperations.filter(
    ([, one, other]) => one === served && isList(one, other),
  )) {
    const { path, headers } = await buildBaseRequest(world, served, operation);
    totals.push([title, await createAttack(world, served, operation).send({ path, headers })]);
  }
  return totals;
};

test.each(writeOperations)(
  '%s stores an injection payload as plain text or rejects it',
  async (_, served, operation) => {
    const attack = createAttack(world, served, operation);
    const before = await countRecords(served);
    const isDelete = operation.method === 'delete';
    const { values, ...base } = isDelete
      ? { ...buildHeaders(served, operation), path: '' }
      : await buildBaseRequest(world, served, operation);
    const path = isDelete ? buildPath(served, operation, values) : base.path;
    for (const { name } of listParameters(served, operation).filter((one) => one.in === 'path'))
      for (const payload of payloads.filter((text) => !/^\.*$/.test(text)))
        await attack.expectSame(
          { status: 404, total: 0 },
          { ...base, path: buildPath(served, operation, { ...values, [name]: [payload] }) },
        );
    const names = listAttackedHeaders(served, operation);
    for (const name of names)
      for (const header of payloads.flatMap((payload) => toHeaderValue(payload) ?? []))
        await attack.send({ ...base, path, headers: { ...base.headers, [name]: header } });
    const schema = findBodySchema(served, operation);
    const members = schema ? listTextMembers(served.contract.document, schema) : [];
    const body = toJsonObject(JSON.parse(('body' in base ? base.body : undefined) ?? '{}'));
    for (const member of members)
      for (const payload of payloads)
        await attack.send({ ...base, path, body: JSON.stringify(withText(body, member, payload)) });
    const after = await countRecords(served);
    attack.report({ headers: names.length, 'strings of the body': members.length });
    expect(after).toEqual(before);
  },
);
