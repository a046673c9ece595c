import fc from 'fast-check';
import type { OpenApiOperation } from '../../../src/lib/openapi-document.ts';
import { checkResponse } from '../responses/check-response.ts';
import type { KnownService } from '../services/known-service.ts';
import { toPage } from '../responses/envelope.ts';
import { createValidRequests, type TestRequest } from './valid-requests.ts';
import { isList, type ServedDocument } from '../services/served-documents.ts';

const SEED = 20_260_601;
const MAX_ATTEMPTS = 400;

/** Finds a request to which the operation responds with success and, for lists, with records. Deterministic. */
export const findValidRequest = async (
  world: KnownService,
  served: ServedDocument,
  operation: OpenApiOperation,
): Promise<TestRequest> => {
  const known = await world.findKnownData(served, operation);
  const send = world.on(served);
  for (const request of fc.sample(createValidRequests(served, operation, { known, spelling: { isOdd: false } }), {
    seed: SEED,
    numRuns: MAX_ATTEMPTS,
  })) {
    const { method, path, headers, body } = request;
    const response = await send(path, { method, headers: { ...headers }, ...(body !== undefined && { body }) });
    if (!response.ok || response.headers.get('content-type')?.startsWith('application/json') !== true) continue;
    if (isList(served, operation) && toPage(await response.json()).data.length === 0) continue;
    const errors = await checkResponse(send, { served, operation }, request);
    if (errors.length > 0) throw new Error(`${method} ${path}: ${errors.join('\n')}`);
    return request;
  }
  throw new Error(`no success among ${MAX_ATTEMPTS} requests of ${operation.method} ${operation.path}`);
};
