import { resolveReference, toList, toJsonObject } from '../../../src/lib/openapi-document.ts';
import type { Contract } from '../contract.ts';
import { parseOperationName } from '../responses/declared-responses.ts';
import { addDeclared, addObserved, type ValuePaths } from './observed-values.ts';

type Get = (question: string) => Promise<Response>;
type Body = { readonly method: string; readonly path: string; readonly status: string; readonly schema: unknown };

/** What has been seen of a document in answers to questions. */
export type Coverage = {
  /**
   * Asks an operation, holds the answer against the document, and notes what is seen in it. Returns what a caller can tell
   * apart; asks the world of the coverage unless told otherwise. The operation is named by its path, after its method where that
   * is not GET (`post /alerts`).
   */
  readonly ask: (operation: string, question: string, get?: Get) => Promise<string>;
  /** In what answers broke the document so far. */
  readonly problems: readonly string[];
  /** Every place of every body that is declared, and those of them that no answer had a value in. */
  readonly places: () => { readonly declared: readonly string[]; readonly unseen: readonly string[] };
};

/** The schema of every body that a document declares. */
const bodiesOf = (contract: Contract): readonly Body[] =>
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

/** Begins to cover a document; `get` asks the world that is to show all of it. */
export const createCoverage = (contract: Contract, get: Get): Coverage => {
  const bodies = bodiesOf(contract);
  const seen: ValuePaths = new Set();
  const problems: string[] = [];
  return {
    problems,
    ask: async (operation, question, from = get) => {
      const [method, path] = parseOperationName(operation);
      const response = await from(question);
      const copy = response.clone();
      const body: unknown = await response.json();
      problems.push(...(await contract.problems(method, path, copy)).map((problem) => `${question}: ${problem}`));
      const declared = bodies.find(
        (one) => one.method === method && one.path === path && one.status === String(response.status),
      );
      if (declared) addObserved(contract.document, { schema: declared.schema, at: operation, value: body }, seen);
      const { type, data, paging } = toJsonObject(body);
      if (!response.ok) return `${response.status} ${String(type)}`;
      // The links to other pages repeat the question, and tell nothing else apart.
      return JSON.stringify(data ? [data, { ...toJsonObject(paging), next: undefined, previous: undefined }] : body);
    },
    places: () => {
      const declared: ValuePaths = new Set();
      for (const { method, path, schema } of bodies)
        addDeclared(contract.document, { schema, at: method === 'get' ? path : `${method} ${path}` }, declared);
      return { declared: [...declared], unseen: [...declared].filter((place) => !seen.has(place)).toSorted() };
    },
  };
};

/** A parameter, or a value of its enumeration, at work: the question with it, and without. */
export type ParameterUse = {
  readonly path: string;
  readonly parameter: string;
  /** The value of an enumeration that is used. */
  readonly value?: string;
  readonly without: string;
  readonly with: string;
};

/** The questions that have the same answer without what they use, or an answer with nothing in it. */
export const findUnusedParameters = async (
  { ask }: Coverage,
  uses: readonly ParameterUse[],
): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const use of uses) {
    const [plain, changed] = [await ask(use.path, use.without), await ask(use.path, use.with)];
    if (plain === changed || (!changed.startsWith('[[{') && !changed.startsWith('{'))) found.push(use.with);
  }
  return found;
};

/** `<path> <parameter>` for every parameter of a document, and `<path> <parameter> <value>` for the values of its enumeration. */
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

/** The same names, of what is used. */
export const listUsedNames = (uses: readonly ParameterUse[]): ReadonlySet<string> =>
  new Set(uses.flatMap(({ path, parameter, value }) => [`${path} ${parameter}`, `${path} ${parameter} ${value}`]));
