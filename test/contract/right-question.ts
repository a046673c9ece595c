import fc from 'fast-check';
import type { Operation } from '../../src/lib/openapi-document.ts';
import { complaints } from './judge.ts';
import type { KnownWorld } from './known-world.ts';
import { pageOf } from './envelope.ts';
import { rightQuestions, type Question } from './requests.ts';
import { isList, type ServedDocument } from './served-documents.ts';

const SEED = 20_260_601;
const MOST = 400;

/** A question of an operation that it answers with success and, where that is a list, with records; always the same one. */
export const rightQuestion = async (
  world: KnownWorld,
  served: ServedDocument,
  operation: Operation,
): Promise<Question> => {
  const known = await world.knownOf(served, operation);
  const ask = world.on(served);
  for (const question of fc.sample(rightQuestions(served, operation, { known, wording: { isOdd: false } }), {
    seed: SEED,
    numRuns: MOST,
  })) {
    const { method, path, headers, body } = question;
    const response = await ask(path, { method, headers: { ...headers }, ...(body !== undefined && { body }) });
    if (!response.ok || response.headers.get('content-type')?.startsWith('application/json') !== true) continue;
    if (isList(served, operation) && pageOf(await response.json()).data.length === 0) continue;
    const found = await complaints(ask, { served, operation }, question);
    if (found.length > 0) throw new Error(`${method} ${path}: ${found.join('\n')}`);
    return question;
  }
  throw new Error(`none of ${MOST} questions of ${operation.method} ${operation.path} is answered with success`);
};
