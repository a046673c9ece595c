import { resolveReference, toList, toJsonObject } from '../../../src/lib/openapi-document.ts';
import type { Contract } from '../contract.ts';
import { parseOperationName } from '../responses/declared-responses.ts';
import { addDeclared, addObserved, type ValuePaths } from './observed-values.ts';

type Get = (url: string) => Promise<Response>;
type Body = { readonly method: string; readonly path: string; readonly status: string; readonly schema: unknown };

/** The items of a document that responses covered. */
export type Coverage = {
  /**
   * Sends a request, checks the response against the document, and records its values. Returns a text to compare
   * responses by. `get` replaces the default service. The operation is its path, after the method unless it is GET
   * (`post /alerts`).
   */
  readonly send: (operation: string, url: string, get?: Get) => Promise<string>;
  /** Errors of responses so far. */
  readonly problems: readonly string[];
  /** All declared value paths of bodies, and those without a value in any response. */
  readonly paths: () => { readonly declared: readonly string[]; readonly unobserved: readonly string[] };
};

/** Lists the schemas of all declared bodies. */
const listBodies = (contract: Contract): readonly Body[] =>
  contract.operations().flatMap(({ method, path, operation }) =>
    Object.entries(toJsonObject(operation['responses'])).flatMap(([status, declared]) =>
      Object.values(toJsonObject(toJsonObject(resolveReference(contract.document, declared))['content'])).map(
        (media) => ({
          method,
          path,
          status,
          schema: toJsonObject(media)['schema'],
        }),
      ),
    ),
  );

/** Creates an empty coverage; `get` sends requests to the service that should show every value. */
export const createCoverage = (contract: Contract, get: Get): Coverage => {
  const bodies = listBodies(contract);
  const observed: ValuePaths = new Set();
  const problems: string[] = [];
  return {
    problems,
    send: async (operation, url, from = get) => {
      const [method, path] = parseOperationName(operation);
      const response = await from(url);
      const copy = response.clone();
      const body: unknown = await response.json();
      problems.push(...(await contract.problems(method, path, copy)).map((problem) => `${url}: ${problem}`));
      const declared = bodies.find(
        (one) => one.method === method && one.path === path && one.status === String(response.status),
      );
      if (declared) addObserved(contract.document, { schema: declared.schema, at: operation, value: body }, observed);
      const { type, data, paging } = toJsonObject(body);
      if (!response.ok) return `${response.status} ${String(type)}`;
      // Without page links, which repeat the request.
      return JSON.stringify(data ? [data, { ...toJsonObject(paging), next: undefined, previous: undefined }] : body);
    },
    paths: () => {
      const declared: ValuePaths = new Set();
      for (const { method, path, schema } of bodies)
        addDeclared(contract.document, { schema, at: method === 'get' ? path : `${method} ${path}` }, declared);
      return {
        declared: [...declared],
        unobserved: [...declared].filter((valuePath) => !observed.has(valuePath)).toSorted(),
      };
    },
  };
};

/** A parameter or enumerated value in use: the request with it, and without it. */
export type ParameterUse = {
  readonly path: string;
  readonly parameter: string;
  /** The enumerated value. */
  readonly value?: string;
  readonly without: string;
  readonly with: string;
};

/** Returns the requests whose parameter has no effect, or whose response is empty. */
export const findUnusedParameters = async (
  { send }: Coverage,
  uses: readonly ParameterUse[],
): Promise<readonly string[]> => {
  const unused: string[] = [];
  for (const use of uses) {
    const [plain, changed] = [await send(use.path, use.without), await send(use.path, use.with)];
    if (plain === changed || (!changed.startsWith('[[{') && !changed.startsWith('{'))) unused.push(use.with);
  }
  return unused;
};

/** Lists `<path> <parameter>` of every parameter, and `<path> <parameter> <value>` of enumerated values. */
export const listParameterNames = (contract: Contract): readonly string[] =>
  contract.operations().flatMap(({ path, parameters }) =>
    parameters.flatMap((parameter) => {
      const schema = toJsonObject(resolveReference(contract.document, parameter['schema']));
      const items = toJsonObject(resolveReference(contract.document, schema['items']));
      const name = `${path} ${String(parameter['name'])}`;
      return [
        name,
        ...[...toList(schema['enum']), ...toList(items['enum'])].map((value) => `${name} ${String(value)}`),
      ];
    }),
  );

/** Lists the same names of parameters in use. */
export const listUsedNames = (uses: readonly ParameterUse[]): ReadonlySet<string> =>
  new Set(uses.flatMap(({ path, parameter, value }) => [`${path} ${parameter}`, `${path} ${parameter} ${value}`]));
