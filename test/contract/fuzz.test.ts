/*
 * Questions made from the documents, right ones and wrong ones, by chance: 500 an operation, FUZZ_REQUESTS to have more
 * (`make contract-full` has 10,000). FUZZ_SEED=123 chooses them; with the seed that a run prints, the same are asked again.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { printAtEnd } from '../support/vitest/print-at-end.ts';
import { findBodySchema } from './random/bodies.ts';
import { checkResponse } from './responses/check-response.ts';
import { serveKnownData, type KnownService } from './services/known-service.ts';
import { createValidRequests, type TestRequest } from './random/valid-requests.ts';
import { findUndocumentedSentences } from './responses/documented-rules.ts';
import { servedOperations } from './services/served-documents.ts';
import { createInvalidRequests } from './random/invalid-requests.ts';

const numRuns = Number(process.env['FUZZ_REQUESTS'] ?? 500);
const seed = Number(process.env['FUZZ_SEED'] ?? 20_260_601);

let world: KnownService;
beforeAll(async () => {
  world = await serveKnownData();
});
afterAll(() => world.drop());

/** What was asked, and of how many operations; answers that break their document are violations. */
const counts = { questions: 0, operations: 0, violations: 0 };
afterAll(() => {
  const { questions, operations, violations } = counts;
  const asked = `${questions.toLocaleString('en')} questions, ${operations} operations`;
  printAtEnd(1, 'fuzz', `fuzz: ${asked}, seed ${seed}, ${violations} violations`);
});

const shown = ({ method, path, headers, body = '' }: TestRequest): string =>
  `${method} ${path} ${JSON.stringify(headers)} ${body.slice(0, 2000)}`;

/**
 * What is never reached is not tested: how often each kind of answer has come, at least. Of 500 questions by any seed, some ten and
 * more are of each kind, and four with too large a body; of a few, a kind may be missing.
 */
const leastOf = (hasBody: boolean): Readonly<Record<string, number>> => {
  const often = Math.floor(numRuns / 500);
  const ofAll = { success: often, 400: often, 404: often, 405: often, 406: often };
  return hasBody ? { ...ofAll, 413: Math.floor(numRuns / 5000), 415: often } : ofAll;
};

describe(`${numRuns} questions an operation, FUZZ_SEED=${seed}`, () => {
  test.each(servedOperations)(
    '%s answers as its document says',
    async (_, served, operation) => {
      const known = await world.findKnownData(served, operation);
      const ask = world.on(served);
      const right = createValidRequests(served, operation, { known, spelling: { isOdd: true } });
      const questions = fc.oneof(right, createInvalidRequests(served, operation, known));
      const statuses = new Map<string, number>();
      counts.operations += 1;
      const counted: typeof ask = async (path, init) => {
        const response = await ask(path, init);
        const status = response.ok ? 'success' : String(response.status);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        return response;
      };
      await fc.assert(
        fc.asyncProperty(questions, async (question) => {
          const found = await checkResponse(counted, { served, operation }, question);
          counts.questions += 1;
          counts.violations += found.length;
          if (found.length > 0) throw new Error(`${shown(question)}\n${found.join('\n')}`);
        }),
        { seed, numRuns },
      );
      const rare = Object.entries(leastOf(findBodySchema(served, operation) !== undefined)).filter(
        ([status, least]) => (statuses.get(status) ?? 0) < least,
      );
      expect(rare).toEqual([]);
    },
    120_000 + numRuns * 240,
  );
});

test('every rule that may refuse a right question stands in a document', () => {
  expect(
    findUndocumentedSentences(servedOperations.map(([, { contract }, operation]) => [contract, operation])),
  ).toEqual([]);
});
