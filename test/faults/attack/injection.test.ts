/*
 * Injection payloads in every parameter, header, ID and string of a body. INJECTION_PAYLOADS is the number of payloads for each place;
 * places take them in turn, so that the short form uses every payload, too.
 */
import { afterAll, expect, test } from 'vitest';
import { isJsonObject, resolveReference, toJsonObject } from '#lib/openapi-document.ts';
import type { JsonObject, OpenApiOperation } from '#lib/openapi-document.ts';
import { findBodySchema, findTextBody } from '#test/contract/random/bodies.ts';
import { isValidText, listEnumValues, type Parameter } from '#test/contract/random/parameter-values.ts';
import { serveKnownData } from '#test/contract/services/known-service.ts';
import { isList, servedOperations, type ServedDocument } from '#test/contract/services/served-documents.ts';
import { reportFault } from '../support/report-fault.ts';
import { encodePayload, payloads, toHeaderValue } from './payloads.ts';
import { buildBaseRequest, buildPath, listAttackedHeaders, listParameters } from './target-operation.ts';
import { listUnknownValues, replaceParameter } from './target-operation.ts';

const payloadsPerPlace = Number(process.env['INJECTION_PAYLOADS'] ?? 2);
/** A response that takes longer proves an injected sleep: each injected sleep lasts three times as long. */
const MAX_RESPONSE_SECONDS = 10;

const world = await serveKnownData();
afterAll(world.drop);

let taken = 0;
const takePayloads = (): readonly string[] => {
  const all = [...payloads, ...payloads];
  const start = taken % payloads.length;
  taken += payloadsPerPlace;
  return all.slice(start, start + Math.min(payloadsPerPlace, payloads.length));
};
const takeHeaderValues = (): readonly string[] => takePayloads().flatMap((payload) => toHeaderValue(payload) ?? []);
/** Takes payloads that are a segment of a path: a URL parser removes dots. */
const takeSegments = (): readonly string[] => takePayloads().filter((text) => !/^\.*$/.test(text));

type AttackRequest = { readonly path: string; readonly headers: Record<string, string>; readonly body?: string };
/** The status, and the total count of records, 0 when the response is not a list. */
type AttackResult = { readonly status: number; readonly total: number };

const isSame = (result: AttackResult, expected: AttackResult): boolean => result.total === expected.total;
const rejected = { status: 400, total: 0 };
const notFound = { status: 404, total: 0 };

class Attack {
  readonly anomalies: string[] = [];
  #requests = 0;
  #slowestMs = 0;
  readonly #served: ServedDocument;
  readonly #operation: OpenApiOperation;

  constructor(served: ServedDocument, operation: OpenApiOperation) {
    this.#served = served;
    this.#operation = operation;
  }

  get figure(): { readonly injections: number; readonly slowestMs: number } {
    return { injections: this.#requests, slowestMs: Math.round(this.#slowestMs) };
  }

  /** Sends a request; checks the response against the document and the time limit. */
  async send(request: AttackRequest): Promise<AttackResult> {
    const method = this.#operation.method.toUpperCase();
    const { path, headers, body } = request;
    const startedAt = performance.now();
    const response = await world.on(this.#served)(path, { method, headers, ...(body !== undefined && { body }) });
    const text = await response.clone().text();
    const ms = performance.now() - startedAt;
    this.#requests += 1;
    this.#slowestMs = Math.max(this.#slowestMs, ms);
    const problems = [...(await this.#served.contract.problems(method, this.#operation.path, response))];
    if (ms > MAX_RESPONSE_SECONDS * 1000) problems.push(`took ${Math.round(ms)} ms`);
    if (response.status >= 500) problems.push(`${response.status}`);
    if (response.headers.has('x-injected')) problems.push('has an injected header');
    for (const problem of problems) this.#report(request, problem);
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const { paging } = isJson ? toJsonObject(JSON.parse(text)) : {};
    return { status: response.status, total: Number(toJsonObject(paging)['totalCount'] ?? 0) };
  }

  /** Sends a request; 400 and 404 are always accepted, otherwise the result must be that of a harmless value. */
  async expectSame(expected: AttackResult, request: AttackRequest, fits = isSame): Promise<void> {
    const result = await this.send(request);
    if ([400, 404].includes(result.status) || (result.status === expected.status && fits(result, expected))) return;
    this.#report(request, `${JSON.stringify(result)}, expected ${JSON.stringify(expected)}`);
  }

  /** The same for a value that may match records, but no more than there are. */
  async expectAtMost(all: AttackResult, request: AttackRequest): Promise<void> {
    await this.expectSame(all, request, ({ total }) => total <= all.total);
  }

  #report({ path, headers, body = '' }: AttackRequest, problem: string): void {
    this.anomalies.push(`${this.#operation.method} ${path} ${JSON.stringify(headers)} ${body}: ${problem}`);
  }
}

/** Attacks an ID in the path: each payload is an unknown ID. */
const attackPath = async (attack: Attack, served: ServedDocument, operation: OpenApiOperation): Promise<void> => {
  const { values, ...base } = await buildBaseRequest(world, served, operation);
  for (const { name } of listParameters(served, operation).filter((one) => one.in === 'path'))
    for (const payload of takeSegments())
      await attack.expectSame(notFound, {
        ...base,
        path: buildPath(served, operation, { ...values, [name]: [payload] }),
      });
};

/** Whether a parameter takes enumerated values or numbers: a payload that is valid there has a meaning. */
const isChoice = (schema: JsonObject): boolean =>
  listEnumValues(schema).length > 0 || ['integer', 'number'].includes(String([schema['type']].flat()[0]));

/** Returns the result of a value that matches fewer records than exist; undefined where the parameter does not filter. */
const findUnknownValueResult = async (
  attack: Attack,
  base: AttackRequest,
  { parameter, all }: { readonly parameter: Parameter; readonly all: AttackResult },
): Promise<AttackResult | undefined> => {
  for (const text of listUnknownValues(parameter)) {
    const path = replaceParameter(base.path, parameter.name, encodeURIComponent(text));
    const result = await attack.send({ ...base, path });
    if (result.status === 200 && result.total < all.total) return result;
  }
  return undefined;
};

const attackQueryParameter = async (
  attack: Attack,
  base: AttackRequest,
  { parameter, all }: { readonly parameter: Parameter; readonly all: AttackResult },
): Promise<void> => {
  const baseline = await findUnknownValueResult(attack, base, { parameter, all });
  const schema = parameter.items ?? parameter.schema;
  for (const payload of takePayloads()) {
    const request = { ...base, path: replaceParameter(base.path, parameter.name, encodePayload(payload)) };
    // A payload that the document allows, such as true, is harmless; others are rejected where the parameter is not a filter.
    if (payload.split(',').every((text) => isValidText(schema, text.trim())))
      await (baseline && !isChoice(schema) ? attack.expectSame(baseline, request) : attack.expectAtMost(all, request));
    else await attack.expectSame(baseline ?? rejected, request);
  }
};

test.each(servedOperations.filter(([, , { method }]) => method === 'get'))(
  '28: %s treats an injection payload like an unknown value and takes no longer',
  async (part, served, operation) => {
    const attack = new Attack(served, operation);
    const { values: _, ...base } = await buildBaseRequest(world, served, operation);
    const all = await attack.send(base);
    // The comparison needs records to find.
    expect([all.status, !isList(served, operation) || all.total > 0]).toEqual([200, true]);
    for (const parameter of listParameters(served, operation))
      if (parameter.in === 'query' && parameter.name !== 'Wait')
        await attackQueryParameter(attack, base, { parameter, all });
    await attackPath(attack, served, operation);
    for (const name of listAttackedHeaders(served, operation))
      for (const value of takeHeaderValues())
        // An unknown account has no records; the other headers filter nothing.
        await attack.expectSame(name === 'accountid' ? notFound : all, {
          ...base,
          headers: { ...base.headers, [name]: value },
        });
    for (const text of takePayloads().map(encodePayload))
      await attack.expectAtMost(all, { ...base, path: replaceParameter(base.path, text, text) });
    reportFault(28, attack.figure, part);
    expect(attack.anomalies).toEqual([]);
  },
);

type MemberPath = readonly string[];

const listTextMembers = (document: JsonObject, schema: JsonObject, before: MemberPath = []): readonly MemberPath[] =>
  Object.entries(toJsonObject(schema['properties'])).flatMap(([name, one]) => {
    const member = toJsonObject(resolveReference(document, one));
    const types = [member['type']].flat();
    if (types.includes('object')) return listTextMembers(document, member, [...before, name]);
    return types.includes('string') ? [[...before, name]] : [];
  });

const withText = (body: JsonObject, [name = '', ...rest]: MemberPath, text: string): JsonObject => {
  const inner = body[name];
  return { ...body, [name]: rest.length === 0 ? text : withText(isJsonObject(inner) ? inner : {}, rest, text) };
};

/** How a payload is written in a text body, so that a reader gets it as it is. */
const escapes: Readonly<Record<string, (payload: string) => string>> = {
  'application/x-ndjson': (payload) => JSON.stringify(payload).slice(1, -1),
  'application/xml': (payload) =>
    payload.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&apos;'),
};

/** Lists bodies with a payload in place of each text of a JSON body, or of each word of another one. */
const listAttackedBodies = (
  served: ServedDocument,
  operation: OpenApiOperation,
  valid: string | undefined,
): readonly string[] => {
  const text = findTextBody(served, operation);
  if (text && valid !== undefined) {
    const escape = escapes[text.mediaType] ?? String;
    return [...valid.matchAll(/[\w.:+-]{2,}/g)].flatMap(({ index, 0: word }) =>
      takePayloads().map((payload) => valid.slice(0, index) + escape(payload) + valid.slice(index + word.length)),
    );
  }
  const body = toJsonObject(JSON.parse(valid ?? '{}'));
  return listTextMembers(served.contract.document, findBodySchema(served, operation) ?? {}).flatMap((member) =>
    takePayloads().map((payload) => JSON.stringify(withText(body, member, payload))),
  );
};

const countRecords = async (document: ServedDocument): Promise<unknown> => {
  const totals: unknown[] = [];
  for (const [title, served, operation] of servedOperations)
    if (served === document && isList(served, operation))
      totals.push([title, await new Attack(served, operation).send(await buildBaseRequest(world, served, operation))]);
  return totals;
};

test.each(servedOperations.filter(([, , { method }]) => method !== 'get'))(
  '28: %s stores an injection payload as plain text or rejects it',
  async (part, served, operation) => {
    const attack = new Attack(served, operation);
    const before = await countRecords(served);
    const { values: _, ...base } = await buildBaseRequest(world, served, operation);
    await attackPath(attack, served, operation);
    for (const name of listAttackedHeaders(served, operation))
      for (const value of takeHeaderValues())
        await attack.send({ ...base, headers: { ...base.headers, [name]: value } });
    for (const body of listAttackedBodies(served, operation, base.body)) await attack.send({ ...base, body });
    reportFault(28, attack.figure, part);
    expect(attack.anomalies).toEqual([]);
    expect(await countRecords(served)).toEqual(before);
  },
);
