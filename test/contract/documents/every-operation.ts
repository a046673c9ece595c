import { expect, test } from 'vitest';
import { createBoundaryRequests } from '../random/bounds.ts';
import { findValidRequest } from '../random/find-valid-request.ts';
import { checkResponse, type SendRequest } from '../responses/check-response.ts';
import { countJudged } from '../responses/judged.ts';
import type { KnownService } from '../services/known-service.ts';
import { servedOperations } from '../services/served-documents.ts';

/** Sends every bounded parameter and body member of every operation at its bounds, and one beyond. */
export const testBounds = (world: () => KnownService): void => {
  test.each(servedOperations)('%s accepts values at their bounds and none beyond', async (_, served, operation) => {
    const send: SendRequest = (path, init) => world().on(served)(path, init);
    const valid = await findValidRequest(world(), served, operation);
    const errors: string[] = [];
    for (const request of createBoundaryRequests(served, operation, valid)) {
      countJudged('bound');
      const found = await checkResponse(send, { served, operation }, request);
      errors.push(...found.map((error) => `${request.method} ${request.path} ${request.body ?? ''}: ${error}`));
    }
    expect(errors).toEqual([]);
  });
};
