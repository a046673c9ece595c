import type { OpenApiOperation } from '../../../src/lib/openapi-document.ts';
import { isValidText, isCursor, toParameter, type Parameter } from '../../contract/random/parameter-values.ts';
import { withParameter } from '../../contract/responses/envelope.ts';
import type { KnownService } from '../../contract/services/known-service.ts';
import type { ParameterValues } from '../../contract/random/valid-requests.ts';
import { findValidRequest } from '../../contract/random/find-valid-request.ts';
import { isList, type ServedDocument } from '../../contract/services/served-documents.ts';
import { TEST_KEY } from '../../support/tiny-world.ts';
import type { AttackRequest, Attack, AttackResult } from './attack.ts';
import { encodePayload } from './payloads.ts';

export const listParameters = ({ contract }: ServedDocument, { parameters }: OpenApiOperation): readonly Parameter[] =>
  parameters.map((one) => toParameter(contract.document, one));

const UNKNOWN_ID = '5a5a5a5a-5a5a-4a5a-8a5a-5a5a5a5a5a5a';

/** Values in the forms that parameters have, which nothing in any world has. */
const unknownValues = [
  'QQ0Z',
  'QQ',
  'Q0',
  'QQQ',
  'QQQQ',
  '7731',
  '2019-01-01',
  '2019-01-01T10:00',
  UNKNOWN_ID,
  '00:07',
  'Q',
  '1',
];

/** What pages and forms are chosen by finds as much as before, whatever it says. */
const isPagingOrForm = ({ name, ...rest }: Parameter): boolean =>
  ['limit', 'content', 'version', 'wait'].includes(name.toLowerCase()) || isCursor({ name, ...rest });

/** Values that a filter allows and nothing has; none of a parameter that is no filter. */
export const listUnknownValues = (parameter: Parameter): readonly string[] =>
  isPagingOrForm(parameter)
    ? []
    : unknownValues.filter((text) => isValidText(parameter.items ?? parameter.schema, text));

/** A question with one parameter of its query as it is said here, and nowhere else. */
export const replaceParameter = (path: string, name: string, raw: string): string => {
  const [bare = '', query = ''] = path.split('?');
  const others = query
    .split('&')
    .filter((one) => one !== '' && one.split('=')[0]?.toLowerCase() !== name.toLowerCase());
  return withParameter(others.length > 0 ? `${bare}?${others.join('&')}` : bare, name, raw);
};

/** The path of an operation with values in it. */
export const buildPath = ({ version }: ServedDocument, operation: OpenApiOperation, given: ParameterValues): string =>
  withParameter(
    operation.path.replaceAll(/\{(.+?)\}/g, (_, name: string) => encodePayload(given[name]?.[0] ?? 'x')),
    'version',
    version,
  );

/** The headers that an operation is asked with, and the values of all its parameters, as its document shows them. */
export const buildHeaders = (served: ServedDocument, operation: OpenApiOperation) => {
  const shown = listParameters(served, operation);
  const required = shown.filter((one) => one.in === 'header' && one.isRequired);
  const own = Object.fromEntries(required.map(({ name, examples }) => [name.toLowerCase(), examples[0] ?? UNKNOWN_ID]));
  const given: ParameterValues = Object.fromEntries(shown.map(({ name, examples }) => [name, examples]));
  const headers: Record<string, string> = { 'subscription-key': TEST_KEY, ...own };
  return { headers, given };
};

/** What is asked before anything is put into it: for all records of a list, or else a question that is answered with success. */
export const buildBaseRequest = async (
  world: KnownService,
  served: ServedDocument,
  operation: OpenApiOperation,
): Promise<AttackRequest & { readonly given: ParameterValues }> => {
  const { headers, given } = buildHeaders(served, operation);
  if (isList(served, operation)) return { path: await world.wholeList(served, operation), headers, given };
  const right = await findValidRequest(world, served, operation);
  return {
    path: right.path,
    headers: { ...right.headers, ...headers },
    given: { ...given, ...right.given },
    ...(right.body !== undefined && { body: right.body }),
  };
};

/** The names of headers that are attacked: those of the document, and those that any request may have. */
export const listAttackedHeaders = (served: ServedDocument, operation: OpenApiOperation): readonly string[] => {
  const own = listParameters(served, operation).filter((one) => one.in === 'header');
  const common = operation.method === 'get' ? ['if-none-match', 'traceparent'] : ['traceparent'];
  return [...new Set([...own.map(({ name }) => name.toLowerCase()), ...common])];
};

/**
 * What is found by a filter for a value that is right in form and that nothing has: less than there is. Undefined where every such
 * value is refused, or finds all, so that the parameter is none by which records are chosen.
 */
export const findUnknownValueResult = async (
  attack: Attack,
  base: AttackRequest,
  { parameter, all }: { readonly parameter: Parameter; readonly all: AttackResult },
): Promise<AttackResult | undefined> => {
  for (const text of listUnknownValues(parameter)) {
    const found = await attack.send({
      ...base,
      path: replaceParameter(base.path, parameter.name, encodeURIComponent(text)),
    });
    if (found.status === 200 && found.total < all.total) return found;
  }
  return undefined;
};
