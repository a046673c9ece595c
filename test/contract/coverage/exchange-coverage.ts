import { resolveReference, toList, toJsonObject, type OpenApiOperation } from '../../../src/lib/openapi-document.ts';
import type { Exchange } from '../../support/recorded-exchanges.ts';
import type { Contract } from '../contract.ts';
import { addDeclared, addObserved, type ValuePaths } from './observed-values.ts';

/** What is counted, in the order of the table. */
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

/** What a document declares of each kind, and what of it was seen, by names such as `get /flights 200 ETag`. */
export type DocumentCoverage = {
  readonly document: string;
  readonly declared: Readonly<Record<Kind, ReadonlySet<string>>>;
  readonly seen: Readonly<Record<Kind, ReadonlySet<string>>>;
};

/** Keeps account of what is seen of documents in exchanges. */
export type ExchangeCoverage = {
  /** Notes an exchange; it has to be told of it before anybody reads the answer. */
  readonly note: (exchange: Exchange) => void;
  /** The accounts, once all that was noted has been read. */
  readonly accounts: () => Promise<readonly DocumentCoverage[]>;
};

type Sets = Record<Kind, Set<string>>;
type Entry = {
  readonly contract: Contract;
  readonly operation: OpenApiOperation;
  readonly name: string;
  readonly seen: Sets;
};

const nothing = (): Sets => ({
  operations: new Set(),
  statuses: new Set(),
  headers: new Set(),
  parameters: new Set(),
  'parameter values': new Set(),
  properties: new Set(),
  values: new Set(),
});

const valuesOf = (contract: Contract, parameter: OpenApiOperation['parameters'][number]): readonly string[] => {
  const schema = toJsonObject(resolveReference(contract.document, parameter['schema']));
  const items = toJsonObject(resolveReference(contract.document, schema['items']));
  return [...toList(schema['enum']), ...toList(items['enum'])].map(String);
};

/** The schemas of the bodies of an answer, e.g. that of its JSON. */
const bodiesOf = (contract: Contract, answer: unknown): readonly unknown[] =>
  Object.values(toJsonObject(toJsonObject(resolveReference(contract.document, answer))['content'])).map(
    (media) => toJsonObject(media)['schema'],
  );

const answersOf = ({ operation }: OpenApiOperation): readonly (readonly [status: string, answer: unknown])[] =>
  Object.entries(toJsonObject(operation['responses']));

const headersOf = (contract: Contract, answer: unknown): readonly string[] =>
  Object.keys(toJsonObject(toJsonObject(resolveReference(contract.document, answer))['headers']));

/** Values of enumerations and properties are places alike; the former tell their value. */
const addPlaces = ({ properties, values }: Sets, places: ValuePaths): void => {
  for (const place of places) (place.includes(' = ') ? values : properties).add(place);
};

const declaredOf = (contract: Contract): Sets => {
  const sets = nothing();
  const places: ValuePaths = new Set();
  for (const one of contract.operations()) {
    const name = `${one.method} ${one.path}`;
    sets.operations.add(name);
    for (const parameter of one.parameters) {
      const named = `${name} ${String(parameter['name'])}`;
      sets.parameters.add(named);
      for (const value of valuesOf(contract, parameter)) sets['parameter values'].add(`${named} = ${value}`);
    }
    for (const [status, answer] of answersOf(one)) {
      sets.statuses.add(`${name} ${status}`);
      for (const header of headersOf(contract, answer)) sets.headers.add(`${name} ${status} ${header}`);
      for (const schema of bodiesOf(contract, answer)) addDeclared(contract.document, { schema, at: name }, places);
    }
  }
  addPlaces(sets, places);
  return sets;
};

/** The operations at an address, those first whose path names most of it. */
const matching = (entries: readonly Entry[], { method, url }: Request): readonly Entry[] => {
  const asked = new URL(url).pathname.split('/').filter(Boolean);
  const fitting = entries.filter(({ operation: one }) => {
    const path = one.path.split('/').filter(Boolean);
    const isSame = path.every((segment, index) => segment.startsWith('{') || segment === asked[index]);
    return one.method === method.toLowerCase() && path.length === asked.length && isSame;
  });
  const open = ({ operation }: Entry): number => operation.path.split('{').length;
  const least = Math.min(...fitting.map(open));
  return fitting.filter((entry) => open(entry) === least);
};

/** Those of the version that answered; where none is named, as to a question for an unknown one, it is the answer of them all. */
const answering = (entries: readonly Entry[], { request, response }: Exchange): readonly Entry[] => {
  const asked = /^v?(\d+)/i.exec(new URL(request.url).searchParams.get('version') ?? '')?.[1];
  const version = response.headers.get('api-version') ?? (asked === undefined ? undefined : `v${asked}`);
  const named = entries.filter(({ contract }) => contract.name.endsWith(`/${version}`));
  return named.length > 0 || response.headers.has('api-version') ? named : entries;
};

/** The texts sent by a parameter, under exactly the name it has; an address has all that it declares. */
const sentBy = ({ contract, operation }: Entry, request: Request): ReadonlyMap<string, readonly string[]> => {
  const query = new URL(request.url).searchParams;
  const sent = operation.parameters.map((parameter): readonly [string, readonly string[]] => {
    const name = String(parameter['name']);
    if (parameter['in'] === 'path') return [name, ['']];
    const texts = parameter['in'] === 'header' ? [request.headers.get(name) ?? ''] : query.getAll(name);
    const given = texts.flatMap((text) => text.split(',')).filter((text) => text !== '');
    const listed = valuesOf(contract, parameter);
    return [name, given.map((text) => listed.find((one) => one.toLowerCase() === text.toLowerCase()) ?? text)];
  });
  return new Map(sent.filter(([, texts]) => texts.length > 0));
};

const noteQuestion = (entry: Entry, request: Request): void => {
  const { name, seen } = entry;
  seen.operations.add(name);
  for (const [parameter, texts] of sentBy(entry, request)) {
    seen.parameters.add(`${name} ${parameter}`);
    for (const text of texts) seen['parameter values'].add(`${name} ${parameter} = ${text}`);
  }
};

/** Who reads a stream has to end it: that is left to the test, which holds its beginning against the document. */
const isStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true;

const jsonOf = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
};

/** Notes an answer in which nothing breaks the document; what is wrong has not been seen as declared. */
const noteAnswer = async ({ contract, operation, name, seen }: Entry, response: Response): Promise<boolean> => {
  const problems = isStream(response)
    ? []
    : await contract.problems(operation.method, operation.path, response.clone());
  if (problems.length > 0) return false;
  const status = String(response.status);
  const answer = answersOf(operation).find(([one]) => one === status)?.[1];
  if (answer === undefined) return false;
  seen.statuses.add(`${name} ${status}`);
  for (const header of headersOf(contract, answer))
    if (response.headers.has(header)) seen.headers.add(`${name} ${status} ${header}`);
  if (isStream(response)) return true;
  const value = await jsonOf(response);
  const places: ValuePaths = new Set();
  for (const schema of bodiesOf(contract, answer)) addObserved(contract.document, { schema, at: name, value }, places);
  addPlaces(seen, places);
  return true;
};

/** Opens the accounts of documents. */
export const createExchangeCoverage = (contracts: readonly Contract[]): ExchangeCoverage => {
  const books = contracts.map((contract) => ({ contract, declared: declaredOf(contract), seen: nothing() }));
  const entries = books.flatMap(({ contract, seen }) =>
    contract
      .operations()
      .map((operation) => ({ contract, operation, seen, name: `${operation.method} ${operation.path}` })),
  );
  const reading: Promise<void>[] = [];
  const read = async (entry: Entry, request: Request, answer: Response): Promise<void> => {
    const isAsDeclared = await noteAnswer(entry, answer);
    if (isAsDeclared && (answer.ok || answer.status === 304)) noteQuestion(entry, request);
  };
  return {
    note: (exchange) => {
      for (const entry of answering(matching(entries, exchange.request), exchange)) {
        const { request, response } = exchange;
        reading.push(read(entry, request, isStream(response) ? response : response.clone()));
      }
    },
    accounts: async () => {
      await Promise.all(reading);
      return books.map(({ contract, declared, seen }) => ({ document: contract.name, declared, seen }));
    },
  };
};
