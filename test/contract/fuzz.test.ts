/*
 * Questions made from the documents, right ones and wrong ones, by chance: 500 an operation, FUZZ_REQUESTS to have more
 * (`make contract-full` has 10,000). FUZZ_SEED=123 chooses them; with the seed that a run prints, the same are asked again.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodySchemaOf } from './bodies.ts';
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

const shown = ({ method, path, headers, body = '' }: Question): string =>
  `${method} ${path} ${JSON.stringify(headers)} ${body.slice(0, 2000)}`;

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
        const status = response.ok ? 'success' : String(response.status);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
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
      const bodied = bodySchemaOf(served, operation) ? ['413', '415'] : [];
      for (const status of ['success', '400', '404', '405', '406'])
        expect(statuses.get(status), status).toBeGreaterThan(least);
      for (const status of bodied) expect(statuses.get(status), status).toBeGreaterThan(0);
    },
    60_000 + numRuns * 60,
  );
});

test('every rule that may refuse a right question stands in a document', () => {
  expect(unstated(servedOperations.map(([, { contract }, operation]) => [contract, operation]))).toEqual([]);
});
