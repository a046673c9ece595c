import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { resolveReference, toJsonObject, type OpenApiOperation } from '../../src/lib/openapi-document.ts';
import { TEST_KEY } from '../support/tiny-world.ts';
import { listBodyExamples } from './random/bodies.ts';
import { withParameter } from './responses/envelope.ts';
import { serveKnownData } from './services/known-service.ts';
import { createPrismValidator, toPrismResponse, type PrismValidator } from './services/prism-validator.ts';
import { createValidRequests, type TestRequest } from './random/valid-requests.ts';
import { toParameter } from './random/parameter-values.ts';
import { withFilters } from './services/list-filters.ts';
import { isList, servedDocuments, servedOperations, type ServedDocument } from './services/served-documents.ts';

const headers = { 'subscription-key': TEST_KEY };
const FUZZ_REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 100);

const world = await serveKnownData();
afterAll(world.drop);
const validators = new Map<string, PrismValidator>();
for (const { name, contract } of servedDocuments) validators.set(name, await createPrismValidator(contract));

type RequestParts = Pick<TestRequest, 'method' | 'path' | 'headers' | 'body'>;

const findValidator = ({ name }: ServedDocument): PrismValidator => {
  const validator = validators.get(name);
  if (!validator) throw new Error(`${name} has no validator`);
  return validator;
};

/** Returns the errors that Prism reports about requests and their responses. */
const findErrors = async (served: ServedDocument, requests: readonly RequestParts[]): Promise<readonly string[]> => {
  const errors: string[] = [];
  for (const request of requests) {
    const { method, path, headers, body } = request;
    const init = { method, headers: { ...headers }, ...(body !== undefined && { body }) };
    const result = await findValidator(served)(request, async () =>
      toPrismResponse(await world.on(served)(path, init)),
    );
    errors.push(...Object.entries(result).flatMap(([of, messages]) => messages.map((one) => `${path}: ${of}: ${one}`)));
  }
  return errors;
};

/** Fills the path parameters and required query parameters with their examples. */
const fillExamplePath = (
  { contract: { document } }: ServedDocument,
  { path, parameters }: OpenApiOperation,
): string => {
  const declared = parameters.map((one) => toParameter(document, one));
  const filled = path.replaceAll(/\{(.+?)\}/g, (_, name: string) =>
    encodeURIComponent(declared.find((one) => one.name === name)?.examples[0] ?? ''),
  );
  return declared
    .filter((one) => one.in === 'query' && one.isRequired)
    .reduce((base, { name, examples }) => withParameter(base, name, encodeURIComponent(examples[0] ?? '')), filled);
};

/** Fills the required headers and the body with their examples. */
const fillExampleParts = (served: ServedDocument, operation: OpenApiOperation): Omit<RequestParts, 'path'> => {
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

/** Creates a request for every example of a query parameter or body. */
const createExampleRequests = async (
  served: ServedDocument,
  operation: OpenApiOperation,
): Promise<readonly RequestParts[]> => {
  const plain = withParameter(fillExamplePath(served, operation), 'version', served.version);
  const base = isList(served, operation) ? await world.wholeList(served, operation) : plain;
  const paths = operation.parameters
    .map((one) => toParameter(served.contract.document, one))
    .filter((one) => one.in === 'query')
    .flatMap(({ name, examples }) => examples.map((one) => withFilters(base, `${name}=${encodeURIComponent(one)}`)));
  const rest = fillExampleParts(served, operation);
  const examples = listBodyExamples(served, operation);
  const bodies = examples.map((body) => ({ ...rest, path: base, body: JSON.stringify(body) }));
  return [...[base, ...paths].map((path) => ({ ...rest, path })), ...bodies];
};

describe.each(servedOperations)('%s, validated by Prism', (_, served, operation) => {
  test('has valid responses to random valid requests', async () => {
    const known = await world.findKnownData(served, operation);
    const validRequests = createValidRequests(served, operation, { known, spelling: { isOdd: false } });
    const requests = fc.sample(validRequests, { numRuns: Math.ceil(FUZZ_REQUESTS / 5), seed: 20_260_601 });
    expect(await findErrors(served, requests)).toEqual([]);
  });

  test('has valid responses to every example request', async () => {
    expect(await findErrors(served, await createExampleRequests(served, operation))).toEqual([]);
  });

  // Prism skips a schema that it cannot compile.
  test('validates: reports invalid responses', async () => {
    const request = { ...fillExampleParts(served, operation), path: fillExamplePath(served, operation) };
    const [success, declared] =
      Object.entries(toJsonObject(operation.operation['responses'])).find(([status]) => status.startsWith('2')) ?? [];
    const { content } = toJsonObject(resolveReference(served.contract.document, declared));
    const media = toJsonObject(toJsonObject(content)['application/json']);
    const isArray = toJsonObject(resolveReference(served.contract.document, media['schema']))['type'] === 'array';
    const type = { 'content-type': 'application/json' };
    const validHeaders = { ...type, 'api-version': served.version, 'x-request-id': '0'.repeat(32) };
    const validateResponse = async (body: unknown, headers: Record<string, string> = validHeaders): Promise<string> => {
      const response = async () => ({ statusCode: Number(success), headers, body });
      return (await findValidator(served)(request, response)).response.join('\n');
    };
    expect(await validateResponse({})).toMatch(/^body: /m);
    expect(await validateResponse(isArray ? [[]] : [])).toMatch(/must be (object|string)/);
    expect(await validateResponse({}, { ...validHeaders, 'x-request-id': 'x' })).toMatch(/x-request-id.*pattern/);
    expect(await validateResponse({}, { ...validHeaders, 'content-type': 'text/html' })).toMatch(/media type/);
    expect(await validateResponse({}, type)).toMatch(/api-version/);
  });
});
