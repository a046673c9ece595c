import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { resolveReference, toJsonObject } from '#lib/openapi-document.ts';
import { serveKnownData } from './services/known-service.ts';
import { createPrismValidator, toPrismResponse, type PrismValidator } from './services/prism-validator.ts';
import { findValidRequest } from './random/find-valid-request.ts';
import { createValidRequests, toInit, type TestRequest } from './random/valid-requests.ts';
import { servedDocuments, servedOperations, type ServedDocument } from './services/served-documents.ts';

const FUZZ_REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 50);

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

const findErrors = async (served: ServedDocument, requests: readonly RequestParts[]): Promise<readonly string[]> => {
  const errors: string[] = [];
  for (const request of requests) {
    const { path } = request;
    const respond = async () => toPrismResponse(await world.on(served)(path, toInit(request)));
    const result = await findValidator(served)(request, respond);
    errors.push(...Object.entries(result).flatMap(([of, messages]) => messages.map((one) => `${path}: ${of}: ${one}`)));
  }
  return errors;
};

describe.each(servedOperations)('%s, validated by Prism', (_, served, operation) => {
  test('has valid responses to random valid requests', async () => {
    const known = await world.findKnownData(served, operation);
    const validRequests = createValidRequests(served, operation, { known, isOdd: false });
    const requests = fc.sample(validRequests, { numRuns: Math.ceil(FUZZ_REQUESTS / 5), seed: 20_260_601 });
    expect(await findErrors(served, requests)).toEqual([]);
  });

  // Prism skips a schema that it cannot compile.
  test('reports invalid responses', async () => {
    const request = await findValidRequest(world, served, operation);
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
