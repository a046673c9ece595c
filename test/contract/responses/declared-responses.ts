import { describe, expect, test } from 'vitest';
import type { OpenApiOperation } from '../../../src/lib/openapi-document.ts';
import type { Api } from '../../../src/http/handler/api.ts';
import type { Contract } from '../contract.ts';

/**
 * How a declared answer is provoked: the path of its operation as documented, after its method where that is not GET (`post /alerts`),
 * its status, why it comes, and the question.
 */
export type ResponseCase = readonly [operation: string, status: number, kind: string, ask: () => Promise<Response>];

/** The name of an operation in a case. */
export const formatOperationName = ({ method, path }: OpenApiOperation): string =>
  method === 'get' ? path : `${method} ${path}`;

/** The method and the path of an operation by its name in a case. */
export const parseOperationName = (name: string): readonly [method: string, path: string] => {
  const [method = '', path] = name.split(' ');
  return path === undefined ? ['get', name] : [method, path];
};

/** The answers that a document declares and no case provokes, e.g. `/flights 503`. */
export const findUntestedResponses = (contract: Contract, cases: readonly ResponseCase[]): readonly string[] => {
  const declared = contract
    .operations()
    .flatMap((one) =>
      Object.keys(one.operation['responses'] ?? {}).map((status) => `${formatOperationName(one)} ${status}`),
    );
  const asked = new Set(cases.map(([path, status]) => `${path} ${status}`));
  return declared.filter((answer) => !asked.has(answer));
};

/** Tests that each case is answered by its status as the document has it, and that no declared answer goes without a case. */
export const testDeclaredResponses = (contract: Contract, cases: readonly ResponseCase[]): void => {
  describe('every declared answer is given as declared', () => {
    test.each(cases)('%s answers %i: %s', async (name, status, _, ask) => {
      const [method, path] = parseOperationName(name);
      const response = await ask();
      expect(response.status).toBe(status);
      expect(await contract.problems(method, path, response)).toEqual([]);
    });

    test('and no declared status is left out above', () => {
      expect(findUntestedResponses(contract, cases)).toEqual([]);
    });
  });
};

/** The operations that a document declares, by method and path, in the order of the alphabet. */
export const listDeclaredRoutes = (contract: Contract): readonly string[] =>
  contract
    .operations()
    .map(({ method, path }) => `${method} ${path}`)
    .toSorted();

/** Those that an API binds. */
export const listServedRoutes = ({ routes }: Api): readonly string[] =>
  routes.map(({ method, path }) => `${method} ${path}`).toSorted();
