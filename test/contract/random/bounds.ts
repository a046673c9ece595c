import { isJsonObject, toJsonObject } from '#lib/openapi-document.ts';
import type { JsonObject, OpenApiOperation } from '#lib/openapi-document.ts';
import { withFilters } from '../services/list-filters.ts';
import type { ServedDocument } from '../services/served-documents.ts';
import { findBodySchema, listMembers } from './bodies.ts';
import { listParameters } from './parameter-values.ts';
import type { TestRequest } from './valid-requests.ts';

type BoundaryValue = { readonly text: string; readonly isValid: boolean };

const listBoundaryValues = (schema: JsonObject): readonly BoundaryValue[] => {
  const { minimum, maximum, maxLength, minLength, pattern, format } = schema;
  const numbers = ([minimum, maximum] as const).flatMap((bound, index): readonly BoundaryValue[] =>
    typeof bound !== 'number'
      ? []
      : [
          { text: String(bound), isValid: true },
          { text: String(BigInt(bound) + (index === 0 ? -1n : 1n)), isValid: false },
        ],
  );
  const isFree = pattern === undefined && format === undefined;
  const texts: readonly BoundaryValue[] = [
    ...(typeof maxLength === 'number' ? [{ text: 'a'.repeat(maxLength + 1), isValid: false }] : []),
    ...(typeof maxLength === 'number' && isFree ? [{ text: 'a'.repeat(maxLength), isValid: true }] : []),
    ...(typeof minLength === 'number' && minLength > 0 ? [{ text: 'a'.repeat(minLength - 1), isValid: false }] : []),
  ];
  return [...numbers, ...texts];
};

/** Sets a member of a body by its path; JSON texts of numbers keep all digits. */
const setMember = (body: JsonObject, [name = '', ...rest]: readonly string[], value: unknown): JsonObject => ({
  ...body,
  [name]: rest.length === 0 ? value : setMember(toJsonObject(body[name]), rest, value),
});

type BoundedMember = { readonly path: readonly string[]; readonly schema: JsonObject };

const listBoundedMembers = (document: JsonObject, schema: JsonObject): readonly BoundedMember[] =>
  listMembers(document, schema).flatMap(([name, member]) => [
    { path: [name], schema: member },
    ...listBoundedMembers(document, member).map(({ path, schema: inner }) => ({
      path: [name, ...path],
      schema: inner,
    })),
  ]);

const isNumeric = ({ type }: JsonObject): boolean => [type].flat().some((one) => one === 'integer' || one === 'number');

/** Parent objects get valid members, so that only the bounded one decides. */
const parents: JsonObject = { header: { name: 'x-key', value: 'v' } };

/** Creates requests with each bounded parameter and body member at its bounds, and one beyond. */
export const createBoundaryRequests = (
  { contract }: ServedDocument,
  operation: OpenApiOperation,
  request: TestRequest,
): readonly TestRequest[] => {
  const expect = (name: string, { isValid, text }: BoundaryValue): Pick<TestRequest, 'expected' | 'values'> => ({
    values: { ...request.values, [name]: [text] },
    expected: isValid
      ? { status: 200 }
      : { status: 400, fault: `${text.slice(0, 20)} beyond a bound`, parameter: name },
  });
  const inQuery = listParameters(contract, operation)
    .filter((one) => one.in === 'query')
    .flatMap(({ name, schema, items }) =>
      listBoundaryValues(items ?? schema)
        .filter(({ text }) => text !== '')
        .map((value) => ({
          ...request,
          ...expect(name, value),
          path: withFilters(request.path, `${name}=${value.text}`),
        })),
    );
  const schema = findBodySchema({ contract }, operation);
  const body: unknown = schema && request.body !== undefined ? JSON.parse(request.body) : undefined;
  if (!schema || !isJsonObject(body)) return inQuery;
  const inBody = listBoundedMembers(contract.document, schema).flatMap(({ path, schema: member }) =>
    listBoundaryValues(member).map((value) => {
      const [first = ''] = path;
      const base = path.length > 1 ? { ...body, [first]: parents[first] ?? body[first] } : body;
      const sent = JSON.stringify(setMember(base, path, isNumeric(member) ? '@number@' : value.text));
      return { ...request, ...expect(path.join('.'), value), body: sent.replace('"@number@"', value.text) };
    }),
  );
  return [...inQuery, ...inBody];
};
