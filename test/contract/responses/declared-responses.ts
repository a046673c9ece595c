import { describe, expect, test } from 'vitest';
import type { OpenApiOperation } from '../../../src/lib/openapi-document.ts';
import type { Api } from '../../../src/http/handler/api.ts';
import type { Contract } from '../contract.ts';

/**
 * A request that provokes a declared response: the operation, e.g. `/flights` or `post /alerts`, the status, the reason, and the
 * request.
 */
export type ResponseCase = readonly [operation: string, status: number, kind: string, send: () => Promise<Response>];

/** Formats the operation of a case: the path, after the method unless it is GET. */
export const formatOperationName = ({ method, path }: OpenApiOperation): string =>
  method === 'get' ? path : `${method} ${path}`;

/** Parses method and path of an operation name. */
export const parseOperationName = (name: string): readonly [method: string, path: string] => {
  const [method = '', path] = name.split(' ');
  return path === undefined ? ['get', name] : [method, path];
};

/** Returns the declared responses without a case, e.g. `/flights 503`. */
export const findUntestedResponses = (contract: Contract, cases: readonly ResponseCase[]): readonly string[] => {
  const declared = contract
    .operations()
    .flatMap((one) =>
      Object.keys(one.operation['responses'] ?? {}).map((status) => `${formatOperationName(one)} ${status}`),
    );
  const tested = new Set(cases.map(([path, status]) => `${path} ${status}`));
  return declared.filter((response) => !tested.has(response));
};

/** Tests that each case has its status and conforms to the document, and that every declared response has a case. */
export const testDeclaredResponses = (contract: Contract, cases: readonly ResponseCase[]): void => {
  describe('every declared response is returned as declared', () => {
    test.each(cases)('%s returns %i: %s', async (name, status, _, send) => {
      const [method, path] = parseOperationName(name);
      const response = await send();
      expect(response.status).toBe(status);
      expect(await contract.problems(method, path, response)).toEqual([]);
    });

    test('every declared status is tested', () => {
      expect(findUntestedResponses(contract, cases)).toEqual([]);
    });
  });
};

/** Lists the operations of a document by method and path, sorted. */
export const listDeclaredRoutes = (contract: Contract): readonly string[] =>
  contract
    .operations()
    .map(({ method, path }) => `${method} ${path}`)
    .toSorted();

/** Lists the operations that an API implements, sorted. */
export const listServedRoutes = ({ routes }: Api): readonly string[] =>
  routes.map(({ method, path }) => `${method} ${path}`).toSorted();
