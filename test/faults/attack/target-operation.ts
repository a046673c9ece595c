import type { OpenApiOperation } from '#lib/openapi-document.ts';
import { findValidRequest } from '#test/contract/random/find-valid-request.ts';
import { isCursor, isValidText, toParameter, type Parameter } from '#test/contract/random/parameter-values.ts';
import type { ParameterValues } from '#test/contract/random/valid-requests.ts';
import { withParameter } from '#test/contract/responses/envelope.ts';
import type { KnownService } from '#test/contract/services/known-service.ts';
import { isList, type ServedDocument } from '#test/contract/services/served-documents.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { encodePayload } from './payloads.ts';

export const listParameters = ({ contract }: ServedDocument, { parameters }: OpenApiOperation): readonly Parameter[] =>
  parameters.map((one) => toParameter(contract.document, one));

const UNKNOWN_ID = '5a5a5a5a-5a5a-4a5a-8a5a-5a5a5a5a5a5a';

/** Values with valid syntax that no record of any test world has. */
const unknownValues = ['QQ0Z', 'QQ', 'Q0', 'QQQ', 'QQQQ', '7731', '2019-01-01', '2019-01-01T10:00', UNKNOWN_ID].concat([
  '00:07',
  'Q',
  '1',
]);

/** Whether a parameter selects pages or representations: its value does not change the number of matches. */
const isPagingOrForm = (parameter: Parameter): boolean =>
  ['limit', 'content', 'version', 'wait'].includes(parameter.name.toLowerCase()) || isCursor(parameter);

/** Returns values that a filter accepts and that match nothing; none for a parameter that is not a filter. */
export const listUnknownValues = (parameter: Parameter): readonly string[] =>
  isPagingOrForm(parameter)
    ? []
    : unknownValues.filter((text) => isValidText(parameter.items ?? parameter.schema, text));

/** Returns a path whose query has exactly one value for the parameter: this encoded one. */
export const replaceParameter = (path: string, name: string, encodedValue: string): string => {
  const [pathname = '', query = ''] = path.split('?');
  const others = query
    .split('&')
    .filter((one) => one !== '' && one.split('=')[0]?.toLowerCase() !== name.toLowerCase());
  return withParameter(others.length > 0 ? `${pathname}?${others.join('&')}` : pathname, name, encodedValue);
};

export const buildPath = ({ version }: ServedDocument, operation: OpenApiOperation, values: ParameterValues): string =>
  withParameter(
    operation.path.replaceAll(/\{(.+?)\}/g, (_, name: string) => encodePayload(values[name]?.[0] ?? 'x')),
    'version',
    version,
  );

/** A request into which values are injected, with the example values of all parameters. */
type BaseRequest = {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly values: ParameterValues;
};

/** Builds the base request: all records of a list, an unsent deletion, otherwise any successful request. */
export const buildBaseRequest = async (
  world: KnownService,
  served: ServedDocument,
  operation: OpenApiOperation,
): Promise<BaseRequest> => {
  const declared = listParameters(served, operation);
  const values: ParameterValues = Object.fromEntries(declared.map(({ name, examples }) => [name, examples]));
  const headers: Record<string, string> = { 'subscription-key': TEST_KEY };
  for (const { name, examples } of declared.filter((one) => one.in === 'header' && one.isRequired))
    headers[name.toLowerCase()] = examples[0] ?? UNKNOWN_ID;
  if (isList(served, operation)) return { path: await world.wholeList(served, operation), headers, values };
  if (operation.method === 'delete') return { path: buildPath(served, operation, values), headers, values };
  const valid = await findValidRequest(world, served, operation);
  return { ...valid, headers: { ...valid.headers, ...headers }, values: { ...values, ...valid.values } };
};

/** Returns the names of the attacked headers: those of the document and those that any request may have. */
export const listAttackedHeaders = (served: ServedDocument, operation: OpenApiOperation): readonly string[] => {
  const own = listParameters(served, operation).filter((one) => one.in === 'header');
  const common = operation.method === 'get' ? ['if-none-match', 'traceparent'] : ['traceparent'];
  return [...new Set([...own.map(({ name }) => name.toLowerCase()), ...common])];
};
