/* Values that would be code elsewhere, in every parameter of every operation that reads. */
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

/** Whether one of a few values is chosen, or a number is told: what fits then means something. */
const isChoice = (schema: JsonObject): boolean =>
  listEnumValues(schema).length > 0 || ['integer', 'number'].includes(String([schema['type']].flat()[0]));

const readOperations = servedOperations.filter(([, , { method }]) => method === 'get');

/** Attacks a parameter of the query; answers whether it chooses records, so that what was found could be held against what nobody has. */
const attackQueryParameter = async (
  attack: Attack,
  base: AttackRequest,
  { parameter, all }: { readonly parameter: Parameter; readonly all: AttackResult },
): Promise<boolean> => {
  const harmless = await findUnknownValueResult(attack, base, { parameter, all });
  const schema = parameter.items ?? parameter.schema;
  for (const payload of payloads) {
    const asked = { ...base, path: replaceParameter(base.path, parameter.name, encodePayload(payload)) };
    // What the document allows as a value, such as true, is code nowhere; all else is refused where nothing is chosen by it.
    if (payload.split(',').every((text) => isValidText(schema, text.trim())))
      await (harmless && !isChoice(schema) ? attack.expectSame(harmless, asked) : attack.expectAtMost(all, asked));
    else await attack.expectSame(harmless ?? rejected, asked);
  }
  return harmless !== undefined;
};

test.each(readOperations)(
  '%s finds for what would be code elsewhere what it finds for what nobody has, and takes no longer',
  async (_, served, operation) => {
    const attack = createAttack(world, served, operation);
    const { path, headers, given } = await buildBaseRequest(world, served, operation);
    const base = { path, headers };
    const all = await attack.send(base);
    const declared = listParameters(served, operation);
    let filters = 0;
    for (const parameter of declared.filter((one) => one.in === 'query' && one.name !== 'Wait'))
      filters += Number(await attackQueryParameter(attack, base, { parameter, all }));
    for (const { name } of declared.filter((one) => one.in === 'path'))
      for (const payload of payloads.filter((text) => !/^\.*$/.test(text))) {
        const nothing = { status: 404, total: 0 };
        await attack.expectSame(nothing, {
          path: buildPath(served, operation, { ...given, [name]: [payload] }),
          headers,
        });
      }
    const names = listAttackedHeaders(served, operation);
    for (const name of names)
      for (const payload of payloads) {
        const said = toHeaderValue(payload);
        // An account that there is not has nothing; the other headers choose no records.
        const expected = name === 'accountid' ? { status: 404, total: 0 } : all;
        if (said !== undefined) await attack.expectSame(expected, { ...base, headers: { ...headers, [name]: said } });
      }
    for (const payload of payloads)
      await attack.expectAtMost(all, {
        ...base,
        path: replaceParameter(base.path, encodePayload(payload), encodePayload(payload)),
      });
    const parameters = declared.length;
    attack.report({ parameters, filters, headers: names.length });
    // Where nothing is found to begin with, finding more would prove little.
    expect([all.status, !isList(served, operation) || all.total > 0]).toEqual([200, true]);
  },
);
