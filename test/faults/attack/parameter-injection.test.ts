/* Injection payloads in every parameter of every operation that reads. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/openapi-document.ts';
import { serveKnownData, type KnownService } from '../../contract/services/known-service.ts';
import { isValidText, listEnumValues, type Parameter } from '../../contract/random/parameter-values.ts';
import { isList, servedOperations } from '../../contract/services/served-documents.ts';
import { createAttack, type AttackRequest, type Attack, type AttackResult } from './attack.ts';
import {
  buildBaseRequest,
  listParameters,
  findUnknownValueResult,
  listAttackedHeaders,
  buildPath,
  replaceParameter,
} from './baseline-requests.ts';
import { toHeaderValue, encodePayload, payloads } from './payloads.ts';

let world: KnownService;
beforeAll(async () => {
  world = await serveKnownData();
});
afterAll(() => world.drop());

const rejected = { status: 400, total: 0 };

/** Whether a parameter takes enumerated values or numbers: a payload that is valid there has a meaning. */
const isChoice = (schema: JsonObject): boolean =>
  listEnumValues(schema).length > 0 || ['integer', 'number'].includes(String([schema['type']].flat()[0]));

const readOperations = servedOperations.filter(([, , { method }]) => method === 'get');

/** Attacks a query parameter. Returns whether it filters records, so that the results could be compared with those of an unknown value. */
const attackQueryParameter = async (
  attack: Attack,
  base: AttackRequest,
  { parameter, all }: { readonly parameter: Parameter; readonly all: AttackResult },
): Promise<boolean> => {
  const baseline = await findUnknownValueResult(attack, base, { parameter, all });
  const schema = parameter.items ?? parameter.schema;
  for (const payload of payloads) {
    const request = { ...base, path: replaceParameter(base.path, parameter.name, encodePayload(payload)) };
    // A payload that the document allows, such as true, is harmless; others are rejected where the parameter is not a filter.
    if (payload.split(',').every((text) => isValidText(schema, text.trim())))
      await (baseline && !isChoice(schema) ? attack.expectSame(baseline, request) : attack.expectAtMost(all, request));
    else await attack.expectSame(baseline ?? rejected, request);
  }
  return baseline !== undefined;
};

test.each(readOperations)(
  '%s treats an injection payload like an unknown value and takes no longer',
  async (_, served, operation) => {
    const attack = createAttack(world, served, operation);
    const { path, headers, values } = await buildBaseRequest(world, served, operation);
    const base = { path, headers };
    const all = await attack.send(base);
    const declared = listParameters(served, operation);
    let filterCount = 0;
    for (const parameter of declared.filter((one) => one.in === 'query' && one.name !== 'Wait'))
      filterCount += Number(await attackQueryParameter(attack, base, { parameter, all }));
    for (const { name } of declared.filter((one) => one.in === 'path'))
      for (const payload of payloads.filter((text) => !/^\.*$/.test(text))) {
        const notFound = { status: 404, total: 0 };
        await attack.expectSame(notFound, {
          path: buildPath(served, operation, { ...values, [name]: [payload] }),
          headers,
        });
      }
    const names = listAttackedHeaders(served, operation);
    for (const name of names)
      for (const payload of payloads) {
        const headerValue = toHeaderValue(payload);
        // An unknown account has no records; the other headers filter nothing.
        const expected = name === 'accountid' ? { status: 404, total: 0 } : all;
        if (headerValue !== undefined)
          await attack.expectSame(expected, { ...base, headers: { ...headers, [name]: headerValue } });
      }
    for (const payload of payloads)
      await attack.expectAtMost(all, {
        ...base,
        path: replaceParameter(base.path, encodePayload(payload), encodePayload(payload)),
      });
    const parameters = declared.length;
    attack.report({ parameters, filters: filterCount, headers: names.length });
    // The comparison needs records to find.
    expect([all.status, !isList(served, operation) || all.total > 0]).toEqual([200, true]);
  },
);
