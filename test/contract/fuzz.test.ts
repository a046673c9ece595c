/**
 * Sends valid and invalid random requests created from the documents: 50 for each operation, or FUZZ_REQUESTS (`make
 * contract-full` sends 10,000). FUZZ_SEED=123 selects them; the seed that a run prints repeats it.
 */
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { printAtEnd } from '../support/vitest/print-at-end.ts';
import { findBodyType } from './random/bodies.ts';
import { checkResponse } from './responses/check-response.ts';
import { serveKnownData } from './services/known-service.ts';
import { createValidRequests, type TestRequest } from './random/valid-requests.ts';
import { findUndocumentedSentences } from './responses/documented-rules.ts';
import { testChecked } from './responses/checker-counts.ts';
import { servedOperations } from './services/served-documents.ts';
import { createInvalidRequests } from './random/invalid-requests.ts';

const numRuns = Number(process.env['FUZZ_REQUESTS'] ?? 50);
const seed = Number(process.env['FUZZ_SEED'] ?? 20_260_601);

const world = await serveKnownData();
afterAll(world.drop);

/** Counts requests and operations; a violation is a response that does not conform to its document. */
const counts = { requests: 0, operations: 0, violations: 0 };
afterAll(() => {
  const { requests, operations, violations } = counts;
  const volume = `${requests.toLocaleString('en')} requests, ${operations} operations`;
  printAtEnd(1, 'fuzz', `fuzz: ${volume}, seed ${seed}, ${violations} violations`);
});

const formatRequest = ({ method, path, headers, body = '' }: TestRequest): string =>
  `${method} ${path} ${JSON.stringify(headers)} ${body.slice(0, 2000)}`;

/** The minimum of responses of each kind: with any seed 500 requests reach each kind ten times, and 413 four times. */
const minimumCounts = (hasBody: boolean): Readonly<Record<string, number>> => {
  const minimum = Math.floor(numRuns / 500);
  const ofAll = { success: minimum, 400: minimum, 404: minimum, 405: minimum, 406: minimum };
  return hasBody ? { ...ofAll, 413: Math.floor(numRuns / 5000), 415: minimum } : ofAll;
};

describe(`${numRuns} requests an operation, FUZZ_SEED=${seed}`, () => {
  test.each(servedOperations)(
    '%s responds as documented',
    async (_, served, operation) => {
      const known = await world.findKnownData(served, operation);
      const send = world.on(served);
      const valid = createValidRequests(served, operation, { known, isOdd: true });
      const requests = fc.oneof(valid, createInvalidRequests(served, operation, known));
      const statuses = new Map<string, number>();
      counts.operations += 1;
      const countingSend: typeof send = async (path, init) => {
        const response = await send(path, init);
        const status = response.ok ? 'success' : String(response.status);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        return response;
      };
      await fc.assert(
        fc.asyncProperty(requests, async (request) => {
          const errors = await checkResponse(countingSend, { served, operation }, request);
          counts.requests += 1;
          counts.violations += errors.length;
          if (errors.length > 0) throw new Error(`${formatRequest(request)}\n${errors.join('\n')}`);
        }),
        { seed, numRuns },
      );
      const rare = Object.entries(minimumCounts(findBodyType(served, operation) !== undefined)).filter(
        ([status, least]) => (statuses.get(status) ?? 0) < least,
      );
      expect(rare).toEqual([]);
    },
    120_000 + numRuns * 240,
  );
});

test('every rule that may reject a valid request is in a document', () => {
  expect(
    findUndocumentedSentences(servedOperations.map(([, { contract }, operation]) => [contract, operation])),
  ).toEqual([]);
});

testChecked('page', 'link', 'deprecation', 'HEAD', '405', 'Location');
