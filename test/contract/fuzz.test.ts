/*
 * Questions made from the documents, right ones and wrong ones, by chance: 500 an operation, FUZZ_REQUESTS to have more
 * (`make contract-full` has 10,000). FUZZ_SEED=123 chooses them; with the seed that a run prints, the same are asked again.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { complaints } from './judge.ts';
import { serveKnownWorld, type KnownWorld } from './known-world.ts';
import { rightQuestions, type Question } from './requests.ts';
import { unstated } from './rules.ts';
import { servedOperations } from './served-documents.ts';
import { wrongQuestions } from './wrong-questions.ts';

const numRuns = Number(process.env['FUZZ_REQUESTS'] ?? 500);
const seed = Number(process.env['FUZZ_SEED'] ?? 20_260_601);

let world: KnownWorld;
beforeAll(async () => {
  world = await serveKnownWorld();
});
afterAll(() => world.drop());

const shown = ({ method, path, headers }: Question): string => `${method} ${path} ${JSON.stringify(headers)}`;

describe(`${numRuns} questions an operation, FUZZ_SEED=${seed}`, () => {
  test.each(servedOperations)(
    '%s answers as its document says',
    async (_, served, operation) => {
      const known = await world.knownOf(served, operation);
      const ask = world.on(served);
      const right = rightQuestions(served, operation, { known, wording: { isOdd: true } });
      const questions = fc.oneof(right, wrongQuestions(served, operation, known));
      const statuses = new Map<string, number>();
      const counted: typeof ask = async (path, init) => {
        const response = await ask(path, init);
        statuses.set(String(response.status), (statuses.get(String(response.status)) ?? 0) + 1);
        return response;
      };
      await fc.assert(
        fc.asyncProperty(questions, async (question) => {
          const found = await complaints(counted, { served, operation }, question);
          if (found.length > 0) throw new Error(`${shown(question)}\n${found.join('\n')}`);
        }),
        { seed, numRuns },
      );
      // What is never reached is not tested: each kind of answer has come, and often.
      const least = numRuns / 100;
      for (const status of [200, 400, 404, 405, 406])
        expect(statuses.get(String(status)), String(status)).toBeGreaterThan(least);
    },
    60_000 + numRuns * 60,
  );
});

test('every rule that may refuse a right question stands in a document', () => {
  expect(unstated(servedOperations.map(([, { contract }, operation]) => [contract, operation]))).toEqual([]);
});
