import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  resolveReference,
  toJsonObject,
  type JsonObject,
  type OpenApiOperation,
} from '../../src/lib/openapi-document.ts';
import { TEST_KEY } from '../support/tiny-world.ts';
import { listBodyExamples } from './random/bodies.ts';
import { withParameter } from './responses/envelope.ts';
import { serveKnownData, type KnownService } from './services/known-service.ts';
import { createPrismValidator, toPrismResponse, type PrismValidator } from './services/prism-validator.ts';
import { createValidRequests, type TestRequest } from './random/valid-requests.ts';
import { toParameter } from './random/parameter-values.ts';
import { isList, servedDocuments, servedOperations, type ServedDocument } from './services/served-documents.ts';

const headers = { 'subscription-key': TEST_KEY };
const nothing = { question: [], answer: [] };

let world: KnownService;
const witnesses = new Map<string, PrismValidator>();
beforeAll(async () => {
  world = await serveKnownData();
  for (const { name, contract } of servedDocuments) witnesses.set(name, await createPrismValidator(contract));
});
afterAll(() => world.drop());

type Asked = Pick<TestRequest, 'method' | 'path' | 'headers' | 'body'>;

const witnessOf = ({ name }: ServedDocument): PrismValidator => {
  const witness = witnesses.get(name);
  if (!witness) throw new Error(`${name} has no witness`);
  return witness;
};

/** What Prism says of questions and their answers, those that are as they should be left out. */
const objections = async (served: ServedDocument, questions: readonly Asked[]): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const question of questions) {
    const { method, path, headers, body } = question;
    const init = { method, headers: { ...headers }, ...(body !== undefined && { body }) };
    const testimony = await witnessOf(served)(question, async () =>
      toPrismResponse(await world.on(served)(path, init)),
    );
    found.push(...Object.entries(testimony).flatMap(([of, said]) => said.map((one) => `${path}: ${of}: ${one}`)));
  }
  return found;
};

/** The example of each path parameter in its place, and of each parameter of the query that must be there. */
const addressed = ({ contract: { document } }: ServedDocument, { path, parameters }: OpenApiOperation): string => {
  const declared = parameters.map((one) => toParameter(document, one));
  const filled = path.replaceAll(/\{(.+?)\}/g, (_, name: string) =>
    encodeURIComponent(declared.find((one) => one.name === name)?.examples[0] ?? ''),
  );
  return declared
    .filter((one) => one.in === 'query' && one.isRequired)
    .reduce((base, { name, examples }) => withParameter(base, name, encodeURIComponent(examples[0] ?? '')), filled);
};

/** The examples of the headers that must be there, and of a body. */
const asExamples = (served: ServedDocument, operation: OpenApiOperation): Omit<Asked, 'path'> => {
  const declared = operation.parameters.map((one) => toParameter(served.contract.document, one));
  const own = declared
    .filter((one) => one.in === 'header' && one.isRequired)
    .map(({ name, examples }) => [name.toLowerCase(), examples[0] ?? '']);
  const [body] = listBodyExamples(served, operation);
  const type = body && { 'content-type': 'application/json' };
  return {
    method: operation.method.toUpperCase(),
    headers: { ...headers, ...Object.fromEntries(own), ...type },
    body: body && JSON.stringify(body),
  };
};

/** A question for every example that a parameter, or the body, has. */
const examplesAsked = async (served: ServedDocument, operation: OpenApiOperation): Promise<readonly Asked[]> => {
  const { document } = served.contract;
  const plain = withParameter(addressed(served, operation), 'version', served.version);
  const base = isList(served, operation) ? await world.wholeList(served, operation) : plain;
  const asked = operation.parameters
    .map((one) => toJsonObject(resolveReference(document, one)))
    .filter((one) => one['in'] === 'query')
    .flatMap((one) => {
      const name = String(one['name']);
      const named = Object.values(toJsonObject(one['examples'])).map(
        (each) => toJsonObject(resolveReference(document, each))['value'],
      );
      const values = 'example' in one ? [one['example'], ...named] : named;
      const rest = base.replace(new RegExp(`([?&])${name}=[^&]*&?`), '$1').replace(/[?&]$/, '');
      return values.map((value) =>
        withParameter(rest, name, [value].flat().map(String).map(encodeURIComponent).join(',')),
      );
    });
  const rest = asExamples(served, operation);
  const bodies = listBodyExamples(served, operation).map((body) => ({
    ...rest,
    path: base,
    body: JSON.stringify(body),
  }));
  return [...[base, ...asked].map((path) => ({ ...rest, path })), ...bodies];
};

/** The status by which an operation succeeds. */
const successOf = ({ operation }: OpenApiOperation): string =>
  Object.keys(toJsonObject(operation['responses'])).find((status) => status.startsWith('2')) ?? '';

type Shown = {
  readonly where: string;
  readonly status: number;
  readonly mediaType: string;
  readonly headers: JsonObject;
  readonly body: unknown;
};

/** Every example answer of an operation. */
const examplesShown = ({ contract: { document } }: ServedDocument, { operation }: OpenApiOperation): readonly Shown[] =>
  Object.entries(toJsonObject(operation['responses'])).flatMap(([status, declared]) => {
    const response = toJsonObject(resolveReference(document, declared));
    return Object.entries(toJsonObject(response['content'])).flatMap(([mediaType, media]) =>
      Object.entries(toJsonObject(toJsonObject(media)['examples'])).map(([name, example]) => ({
        where: `${status} ${name}`,
        status: Number(status),
        mediaType,
        headers: toJsonObject(response['headers']),
        body: toJsonObject(resolveReference(document, example))['value'],
      })),
    );
  });

const exampleHeaders = (document: JsonObject, declared: JsonObject): Record<string, string> =>
  Object.fromEntries(
    Object.entries(declared).map(([name, header]) => [
      name.toLowerCase(),
      String(toJsonObject(resolveReference(document, header))['example']),
    ]),
  );

describe.each(servedOperations)('%s, as Prism reads its document', (_, served, operation) => {
  test('has right answers to 100 right questions', async () => {
    const known = await world.findKnownData(served, operation);
    const questions = createValidRequests(served, operation, { known, spelling: { isOdd: false } });
    const asked = fc.sample(questions, { numRuns: 100, seed: 20_260_601 });
    expect(await objections(served, asked)).toEqual([]);
  });

  test('has right answers to every example of a question', async () => {
    expect(await objections(served, await examplesAsked(served, operation))).toEqual([]);
  });

  test('has right examples of its answers', async () => {
    const question = { ...asExamples(served, operation), path: addressed(served, operation) };
    const shown = examplesShown(served, operation);
    expect(shown.length).toBeGreaterThan(4);
    for (const { where, status, mediaType, headers: declared, body } of shown) {
      const answer = {
        statusCode: status,
        headers: { 'content-type': mediaType, ...exampleHeaders(served.contract.document, declared) },
        body,
      };
      expect([where, await witnessOf(served)(question, async () => answer)]).toEqual([where, nothing]);
    }
  });

  // A schema that it cannot compile, Prism passes over in silence.
  test('is really read: what is wrong is objected to', async () => {
    const question = { ...asExamples(served, operation), path: addressed(served, operation) };
    const success = successOf(operation);
    const declared = toJsonObject(
      resolveReference(served.contract.document, toJsonObject(operation.operation['responses'])[success]),
    );
    const media = toJsonObject(toJsonObject(declared['content'])['application/json']);
    const isArray = toJsonObject(resolveReference(served.contract.document, media['schema']))['type'] === 'array';
    const right = { 'content-type': 'application/json', 'api-version': served.version, 'x-request-id': '0'.repeat(32) };
    const said = async (body: unknown, headersOfAnswer: Record<string, string> = right): Promise<string> => {
      const answer = async () => ({ statusCode: Number(success), headers: headersOfAnswer, body });
      return (await witnessOf(served)(question, answer)).answer.join('\n');
    };
    expect(await said({})).toMatch(/^body: /m);
    expect(await said(isArray ? [[]] : [])).toMatch(/must be (object|string)/);
    expect(await said({}, { ...right, 'x-request-id': 'x' })).toMatch(/x-request-id.*pattern/);
    expect(await said({}, { ...right, 'content-type': 'text/html' })).toMatch(/media type/);
    expect(await said({}, { 'content-type': 'application/json' })).toMatch(/api-version/);
  });
});
