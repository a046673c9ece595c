import fc from 'fast-check';
import type { OpenApiOperation } from '../../../src/lib/openapi-document.ts';
import { checkResponse } from '../responses/check-response.ts';
import type { KnownService } from '../services/known-service.ts';
import { toPage } from '../responses/envelope.ts';
import { createValidRequests, type TestRequest } from './valid-requests.ts';
import { isList, type ServedDocument } from '../services/served-documents.ts';

const SEED = 20_260_601;
const MOST = 400;

/** A question of an operation that it answers with success and, where that is a list, with records; always the same one. */
export const findValidRequest = async (
  world: KnownService,
  served: ServedDocument,
  operation: OpenApiOperation,
): Promise<TestRequest> => {
  const known = await world.knownOf(served, operation);
  const ask = world.on(served);
  for (const question of fc.sample(createValidRequests(served, operation, { known, wording: { isOdd: false } }), {
    seed: SEED,
    numRuns: MOST,
  })) {
    const { method, path, headers, body } = question;
    const response = await ask(path, { method, headers: { ...headers }, ...(body !== undefined && { body }) });
    if (!response.ok || response.headers.get('content-type')?.startsWith('application/json') !== true) continue;
    if (isList(served, operation) && toPage(await response.json()).data.length === 0) continue;
    const found = await checkResponse(ask, { served, operation }, question);
    if (found.length > 0) throw new Error(`${method} ${path}: ${found.join('\n')}`);
    return question;
  }
  throw new Error(`none of ${MOST} questions of ${operation.method} ${operation.path} is answered with success`);
};
