import fc from 'fast-check';
import type { OpenApiOperation } from '#lib/openapi-document.ts';
import { checkResponse } from '../responses/check-response.ts';
import type { KnownService } from '../services/known-service.ts';
import { toPage } from '../responses/envelope.ts';
import { createValidRequests, toInit, type TestRequest } from './valid-requests.ts';
import { isList, type ServedDocument } from '../services/served-documents.ts';

const SEED = 20_260_601;

/** Numbers of requests to try: generating many takes long, and one of the first is mostly valid. */
const ATTEMPTS = [20, 400];

const found = new WeakMap<KnownService, Map<OpenApiOperation, Promise<TestRequest>>>();

/** Finds a request to which the operation responds with success and, for lists, with records. Deterministic. */
export const findValidRequest = (
  world: KnownService,
  served: ServedDocument,
  operation: OpenApiOperation,
): Promise<TestRequest> => {
  const ofWorld = found.get(world) ?? new Map<OpenApiOperation, Promise<TestRequest>>();
  found.set(world, ofWorld);
  const request = ofWorld.get(operation) ?? search(world, served, operation);
  ofWorld.set(operation, request);
  return request;
};

const search = async (world: KnownService, served: ServedDocument, operation: OpenApiOperation) => {
  const known = await world.findKnownData(served, operation);
  const send = world.on(served);
  const rejections = new Set<string>();
  const requests = createValidRequests(served, operation, { known, isOdd: false });
  for (const numRuns of ATTEMPTS)
    for (const request of fc.sample(requests, { seed: SEED, numRuns })) {
      const response = await send(request.path, toInit(request));
      if (!response.ok) rejections.add(`${response.status} ${await response.clone().text()}`.slice(0, 200));
      if (!response.ok || response.headers.get('content-type')?.startsWith('application/json') !== true) continue;
      if (isList(served, operation) && toPage(await response.json()).data.length === 0) continue;
      const errors = await checkResponse(send, { served, operation }, request);
      if (errors.length > 0) throw new Error(`${request.method} ${request.path}: ${errors.join('\n')}`);
      return request;
    }
  const [first = 'only empty lists'] = rejections;
  throw new Error(
    `no success among ${ATTEMPTS.at(-1)} requests of ${operation.method} ${operation.path}; the first response: ${first}`,
  );
};
