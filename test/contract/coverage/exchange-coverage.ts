import { resolveReference, toList, toJsonObject, type OpenApiOperation } from '#lib/openapi-document.ts';
import type { Exchange } from '#test/support/recorded-exchanges.ts';
import type { Contract } from '../contract.ts';
import { EntityTags } from '../responses/entity-tags.ts';
import { addDeclared, addObserved, type ValuePaths } from './observed-values.ts';

export const kinds = [
  'operations',
  'statuses',
  'headers',
  'parameters',
  'parameter values',
  'properties',
  'values',
] as const;

export type Kind = (typeof kinds)[number];

/** Declared and observed items of a document by kind; names such as `get /flights 200 ETag`. */
export type DocumentCoverage = {
  readonly document: string;
  readonly declared: Readonly<Record<Kind, ReadonlySet<string>>>;
  readonly observed: Readonly<Record<Kind, ReadonlySet<string>>>;
};

type Sets = Record<Kind, Set<string>>;
type Entry = {
  readonly contract: Contract;
  readonly operation: OpenApiOperation;
  readonly name: string;
  readonly observed: Sets;
};

const createEmptySets = (): Sets => Object.fromEntries(kinds.map((kind) => [kind, new Set()])) as Sets;

const valuesOf = (contract: Contract, parameter: OpenApiOperation['parameters'][number]): readonly string[] => {
  const schema = toJsonObject(resolveReference(contract.document, parameter['schema']));
  const items = toJsonObject(resolveReference(contract.document, schema['items']));
  return [...toList(schema['enum']), ...toList(items['enum'])].map(String);
};

const listBodySchemas = (contract: Contract, response: unknown): readonly unknown[] =>
  Object.values(toJsonObject(toJsonObject(resolveReference(contract.document, response))['content'])).map(
    (media) => toJsonObject(media)['schema'],
  );

const listResponses = ({ operation }: OpenApiOperation): readonly (readonly [status: string, response: unknown])[] =>
  Object.entries(toJsonObject(operation['responses']));

const listHeaders = (contract: Contract, response: unknown): readonly string[] =>
  Object.keys(toJsonObject(toJsonObject(resolveReference(contract.document, response))['headers']));

/** Adds value paths: those of enumerated values contain ` = `. */
const addPaths = ({ properties, values }: Sets, valuePaths: ValuePaths): void => {
  for (const valuePath of valuePaths) (valuePath.includes(' = ') ? values : properties).add(valuePath);
};

const collectDeclared = (contract: Contract): Sets => {
  const sets = createEmptySets();
  const valuePaths: ValuePaths = new Set();
  for (const one of contract.operations()) {
    const name = `${one.method} ${one.path}`;
    sets.operations.add(name);
    for (const parameter of one.parameters) {
      const named = `${name} ${String(parameter['name'])}`;
      sets.parameters.add(named);
      for (const value of valuesOf(contract, parameter)) sets['parameter values'].add(`${named} = ${value}`);
    }
    for (const [status, response] of listResponses(one)) {
      sets.statuses.add(`${name} ${status}`);
      for (const header of listHeaders(contract, response)) sets.headers.add(`${name} ${status} ${header}`);
      for (const schema of listBodySchemas(contract, response))
        addDeclared(contract.document, { schema, at: name }, valuePaths);
    }
  }
  addPaths(sets, valuePaths);
  return sets;
};

/** Finds the operations of a request; of several, those with the fewest path parameters. */
const findOperations = (entries: readonly Entry[], { method, url }: Request): readonly Entry[] => {
  const requested = new URL(url).pathname.split('/').filter(Boolean);
  const matching = entries.filter(({ operation: one }) => {
    const path = one.path.split('/').filter(Boolean);
    const isSame = path.every((segment, index) => segment.startsWith('{') || segment === requested[index]);
    return one.method === method.toLowerCase() && path.length === requested.length && isSame;
  });
  const open = ({ operation }: Entry): number => operation.path.split('{').length;
  const least = Math.min(...matching.map(open));
  return matching.filter((entry) => open(entry) === least);
};

/** Selects the version that responded; without one, e.g. for an unknown version, all versions. */
const selectVersion = (entries: readonly Entry[], { request, response }: Exchange): readonly Entry[] => {
  const requested = /^v?(\d+)/i.exec(new URL(request.url).searchParams.get('version') ?? '')?.[1];
  const version = response.headers.get('api-version') ?? (requested === undefined ? undefined : `v${requested}`);
  const named = entries.filter(({ contract }) => contract.name.endsWith(`/${version}`));
  return named.length > 0 || response.headers.has('api-version') ? named : entries;
};

/** Returns the values of each parameter in a request; path parameters are always present. */
const listSentValues = ({ contract, operation }: Entry, request: Request): ReadonlyMap<string, readonly string[]> => {
  const query = new URL(request.url).searchParams;
  const sent = operation.parameters.map((parameter): readonly [string, readonly string[]] => {
    const name = String(parameter['name']);
    if (parameter['in'] === 'path') return [name, ['']];
    const texts = parameter['in'] === 'header' ? [request.headers.get(name) ?? ''] : query.getAll(name);
    const values = texts.flatMap((text) => text.split(',')).filter((text) => text !== '');
    const listed = valuesOf(contract, parameter);
    return [name, values.map((text) => listed.find((one) => one.toLowerCase() === text.toLowerCase()) ?? text)];
  });
  return new Map(sent.filter(([, texts]) => texts.length > 0));
};

const recordRequest = (entry: Entry, request: Request): void => {
  const { name, observed } = entry;
  observed.operations.add(name);
  for (const [parameter, texts] of listSentValues(entry, request)) {
    observed.parameters.add(`${name} ${parameter}`);
    for (const text of texts) observed['parameter values'].add(`${name} ${parameter} = ${text}`);
  }
};

/** Event streams are not read here: the test checks their first chunk and closes them. */
const isStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true;

const parseJson = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
};

/** Records a response that conforms to the document; returns its violations. */
const recordResponse = async ({ contract, operation, name, observed }: Entry, response: Response) => {
  // The introductions of the documents describe it for all paths.
  if (response.status === 405) return [];
  const problems = isStream(response)
    ? []
    : await contract.problems(operation.method, operation.path, response.clone());
  if (problems.length > 0) return problems;
  const status = String(response.status);
  const declaredResponse = listResponses(operation).find(([one]) => one === status)?.[1];
  if (declaredResponse === undefined) return [`undeclared status ${status}`];
  observed.statuses.add(`${name} ${status}`);
  for (const header of listHeaders(contract, declaredResponse))
    if (response.headers.has(header)) observed.headers.add(`${name} ${status} ${header}`);
  if (isStream(response)) return [];
  const value = await parseJson(response);
  const valuePaths: ValuePaths = new Set();
  for (const schema of listBodySchemas(contract, declaredResponse))
    addObserved(contract.document, { schema, at: name, value }, valuePaths);
  addPaths(observed, valuePaths);
  return [];
};

export const createExchangeCoverage = (contracts: readonly Contract[]) => {
  const coverages = contracts.map((contract) => ({
    contract,
    declared: collectDeclared(contract),
    observed: createEmptySets(),
  }));
  const entries = coverages.flatMap(({ contract, observed }) =>
    contract
      .operations()
      .map((operation) => ({ contract, operation, observed, name: `${operation.method} ${operation.path}` })),
  );
  const reading: Promise<void>[] = [];
  const violations: string[] = [];
  const tags = new EntityTags();
  /** Returns the violations of the entity tag of a GET; other methods return the tag of the object, not of their body. */
  const checkTag = async ({ method }: Request, response: Response): Promise<readonly string[]> => {
    const tag = response.headers.get('etag');
    if (method !== 'GET' || !response.ok || isStream(response) || tag === null) return [];
    return tags.add(tag, await response.clone().arrayBuffer());
  };
  const read = async (entry: Entry, request: Request, response: Response): Promise<void> => {
    const problems = [...(await checkTag(request, response)), ...(await recordResponse(entry, response))];
    violations.push(...problems.map((problem) => `${request.method} ${request.url}: ${response.status}: ${problem}`));
    if (problems.length === 0 && (response.ok || response.status === 304)) recordRequest(entry, request);
  };
  return {
    /** Records an exchange; call it before the response is read. */
    record: (exchange: Exchange): void => {
      for (const entry of selectVersion(findOperations(entries, exchange.request), exchange)) {
        const { request, response } = exchange;
        reading.push(read(entry, request, isStream(response) ? response : response.clone()));
      }
    },
    /** Returns the violations of documents by recorded responses, once all of them are read. */
    violations: async (): Promise<readonly string[]> => {
      await Promise.all(reading);
      return violations;
    },
    /** Returns the coverage of each document once all recorded responses are read. */
    results: async (): Promise<readonly DocumentCoverage[]> => {
      await Promise.all(reading);
      return coverages.map(({ contract, declared, observed }) => ({ document: contract.name, declared, observed }));
    },
  };
};
