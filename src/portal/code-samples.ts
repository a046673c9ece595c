import {
  resolveReference,
  isJsonObject,
  toList,
  httpMethods,
  toJsonObject,
  listOperations,
  type JsonObject,
  type OpenApiOperation,
} from '../lib/openapi-document.ts';
import { textOf } from './html.ts';
import type { VersionSource } from './sources.ts';
import { finders, hints, sampleQuestions, type SampleQuestion } from './sample-questions.ts';

/** `script` is lines for a POSIX shell that say all they need but `SUBSCRIPTION_KEY` and what `hints` tells of. */
export type CodeSample = { readonly operationId: string; readonly method: string; readonly script: string };

/** `accountId` is `ACCOUNT_ID` in a shell. */
const variableOf = (name: string): string => name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();

const KEY = `-H "Subscription-Key: $SUBSCRIPTION_KEY"`;
const ACCOUNT = `-H "accountId: $ACCOUNT_ID"`;

const serverOf = (document: JsonObject): string => textOf(toJsonObject(toList(document['servers'])[0])['url']);

/** The example of that name, or else the first, that a document gives of a parameter or a body. */
const exampleOf = (document: JsonObject, one: JsonObject, name?: string): unknown => {
  const examples = toJsonObject(one['examples']);
  const first = (name === undefined ? undefined : examples[name]) ?? Object.values(examples)[0];
  return first === undefined ? one['example'] : toJsonObject(resolveReference(document, first))['value'];
};

const asText = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));

/** A question as curl asks it: the parts of its query each on a line, for panels are narrow. */
const getCall = (url: string, options: readonly string[], query: string): string =>
  [`curl -sG "${url}"`, ...options, ...query.split('&').map((part) => `-d "${part}"`)].join(' \\\n  ');

const findersOf = (names: readonly string[], base: string): readonly string[] =>
  names.flatMap((name) => {
    const hint = hints[name];
    if (hint !== undefined) return [`# ${name}: ${hint}`];
    const finder = finders[name];
    if (!finder) return [];
    const [path = '', query = ''] = finder.target.split('?');
    const headers = [KEY, ...(finder.asksAccount === true ? [ACCOUNT] : [])];
    const pick = `grep -o '"${finder.property}":"[^"]*"' | head -n 1 | cut -d '"' -f 4`;
    return [`${name}=$(${getCall(base + path, headers, query)} \\\n  | ${pick})`];
  });

/** The body of the first example, with the variables of the shell where it names what only the caller knows. */
const bodyOf = (
  document: JsonObject,
  operation: JsonObject,
  { body: name }: SampleQuestion,
): { readonly text: string; readonly names: readonly string[] } | undefined => {
  const content = toJsonObject(toJsonObject(resolveReference(document, operation['requestBody']))['content'])[
    'application/json'
  ];
  if (!isJsonObject(content)) return undefined;
  const names: string[] = [];
  const replaced = (key: string, value: unknown): unknown => {
    const name = variableOf(key);
    if (typeof value !== 'string' || !(name in finders || name in hints)) return value;
    names.push(name);
    return `$${name}`;
  };
  return { text: JSON.stringify(exampleOf(document, content, name), replaced, 2), names };
};

const pathOf = (
  { path }: OpenApiOperation,
  question: SampleQuestion,
): { readonly text: string; readonly names: readonly string[] } => {
  const names: string[] = [];
  const text = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const given = question.path?.[name];
    if (given !== undefined) return given;
    if (name === 'departureDate') return '$(date -u +%F)';
    names.push(variableOf(name));
    return `$${variableOf(name)}`;
  });
  return { text, names };
};

/** What is asked: the version, and what the table says or else what must be there, as the document's examples have it. */
const queryOf = (
  { document, version }: VersionSource,
  needed: readonly JsonObject[],
  question: SampleQuestion,
): string => {
  const asked = needed
    .filter((one) => one['in'] === 'query')
    .map((one) => `${String(one['name'])}=${asText(exampleOf(document, one))}`);
  return [`version=${version.version}`, ...(question.query === undefined ? asked : [question.query])].join('&');
};

const callOf = (
  { document }: VersionSource,
  { method, operation }: OpenApiOperation,
  asked: {
    readonly url: string;
    readonly query: string;
    readonly headers: readonly string[];
    readonly question: SampleQuestion;
  },
): string => {
  const { url, query, headers, question } = asked;
  if (method === 'get') return getCall(url, headers, query);
  const body = bodyOf(document, operation, question);
  const sent = body ? [`-H "Content-Type: application/json" -d @- <<JSON\n${body.text}\nJSON`] : [];
  return [`curl -s -X ${method.toUpperCase()} "${url}?${query}"`, ...headers, ...sent].join(' \\\n  ');
};

const sampleOf = (source: VersionSource, operation: OpenApiOperation): CodeSample => {
  const { document, product, version } = source;
  const operationId = String(operation.operation['operationId']);
  const question = sampleQuestions[`${product.product}/${version.version}/${operationId}`] ?? {};
  const base = serverOf(document);
  const path = pathOf(operation, question);
  const needed = operation.parameters.filter((one) => one['required'] === true);
  const asksAccount = needed.some((one) => one['in'] === 'header' && one['name'] === 'accountId');
  const isPublic = toList(operation.operation['security'] ?? document['security']).length === 0;
  const headers = [...(isPublic ? [] : [KEY]), ...(asksAccount ? [ACCOUNT] : [])];
  const names = [
    ...(asksAccount ? ['ACCOUNT_ID'] : []),
    ...path.names,
    ...(bodyOf(document, operation.operation, question)?.names ?? []),
  ];
  const needsAccount = names.some((name) => finders[name]?.asksAccount === true);
  const all = [...new Set([...(needsAccount ? ['ACCOUNT_ID'] : []), ...names])];
  const query = queryOf(source, needed, question);
  const call = callOf(source, operation, { url: `${base}${path.text}`, query, headers, question });
  return { operationId, method: operation.method, script: [...findersOf(all, base), call].join('\n') };
};

/** A sample for each operation of a version, in the order of its document. */
export const samplesOf = (source: VersionSource): readonly CodeSample[] =>
  listOperations(source.document).map((operation) => sampleOf(source, operation));

/** The document with its samples where Redoc looks for them. */
export const withSamples = (source: VersionSource): JsonObject => {
  const samples = new Map(samplesOf(source).map(({ operationId, script }) => [operationId, script]));
  const paths = Object.entries(toJsonObject(source.document['paths'])).map(
    ([path, item]): readonly [string, JsonObject] => {
      const members = Object.entries(toJsonObject(item)).map(([name, member]): readonly [string, unknown] => {
        const script = samples.get(String(toJsonObject(member)['operationId']));
        const isOperation = httpMethods.some((method) => method === name) && script !== undefined;
        return [
          name,
          isOperation
            ? { ...toJsonObject(member), 'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: script }] }
            : member,
        ];
      });
      return [path, Object.fromEntries(members)];
    },
  );
  return { ...source.document, paths: Object.fromEntries(paths) };
};
