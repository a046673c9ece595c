import { hash } from 'node:crypto';
import { listOperations, toJsonObject, toList, type JsonObject } from '#lib/openapi-document.ts';
import { buildSampleCall, type DocumentedVersion, type SampleCall } from './code-samples/sample-call.ts';
import { variableHints } from './code-samples/sample-requests.ts';

/** The requests of a version as collections of two API clients; each is a JSON file that the client imports. */
export type Collections = { readonly bruno: JsonObject; readonly postman: JsonObject };

type Pair = { readonly name: string; readonly value: string };

/** A request; variables are in its texts as `{{name}}`. */
type CollectionRequest = {
  readonly name: string;
  readonly method: string;
  /** With `:name` for each path parameter. */
  readonly path: string;
  readonly pathValues: readonly Pair[];
  readonly query: readonly Pair[];
  readonly headers: readonly Pair[];
  readonly needsKey: boolean;
  readonly body: { readonly language: 'json' | 'text'; readonly text: string } | undefined;
};

/** The requests of a tag. */
type Folder = { readonly name: string; readonly description: string; readonly requests: readonly CollectionRequest[] };

type Variable = Pair & { readonly description: string };

type Collection = {
  readonly name: string;
  readonly description: string;
  readonly folders: readonly Folder[];
  readonly variables: readonly Variable[];
};

const KEY_HEADER = 'Subscription-Key';
/** The variable for the key. */
const KEY = 'apiKey';

/** Converts the variables of a sample to those of a collection: `{accountId}` becomes `{{accountId}}`. */
const toVariables = (text: string): string => text.replaceAll(/\{(\w+)\}/g, '{{$1}}');

const toPairs = (pairs: readonly Pair[]): readonly Pair[] =>
  pairs.map(({ name, value }) => ({ name, value: toVariables(value) }));

const toBody = ({ body, textBody }: SampleCall): CollectionRequest['body'] => {
  if (textBody) return { language: 'text', text: textBody.text };
  return body === undefined ? undefined : { language: 'json', text: toVariables(JSON.stringify(body, undefined, 2)) };
};

const listRequests = (
  source: DocumentedVersion,
  tag: unknown,
  operations: ReturnType<typeof listOperations>,
): readonly CollectionRequest[] =>
  operations
    .filter(({ operation }) => toList(operation['tags'])[0] === tag)
    .map((one) => {
      const call = buildSampleCall(source, one);
      return {
        name: String(one.operation['summary']),
        method: call.method.toUpperCase(),
        path: one.path.replaceAll(/\{(\w+)\}/g, ':$1'),
        pathValues: toPairs(call.pathValues),
        query: toPairs(call.query),
        headers: toPairs([
          ...(call.needsAccount ? [{ name: 'accountId', value: '{accountId}' }] : []),
          ...(call.textBody ? [{ name: 'Content-Type', value: call.textBody.mediaType }] : []),
        ]),
        needsKey: call.needsKey,
        body: toBody(call),
      };
    });

/** Returns the variables that requests use, with their values: base URL, key, date, and the identifiers that a person fills in. */
const listVariables = (server: string, folders: readonly Folder[]): readonly Variable[] => {
  const used = new Set([...JSON.stringify(folders).matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name));
  return ['baseUrl', KEY, ...used].toSorted().map((name) => ({
    name,
    value: name === 'baseUrl' ? server : '',
    description: name === 'today' ? 'a date, YYYY-MM-DD' : (variableHints[name] ?? ''),
  }));
};

const buildCollection = (source: DocumentedVersion): Collection => {
  const { document, version } = source;
  const { title, summary } = toJsonObject(document['info']);
  const operations = listOperations(document);
  const folders = toList(document['tags'])
    .map(toJsonObject)
    .map(({ name, description }) => ({
      name: String(name),
      description: String(description),
      requests: listRequests(source, name, operations),
    }))
    .filter(({ requests }) => requests.length > 0);
  return {
    name: `${String(title)} ${version.version}`,
    description: String(summary),
    folders,
    variables: listVariables(String(toJsonObject(toList(document['servers'])[0])['url']), folders),
  };
};

/** Both clients send the query that is in the URL; lists of its parameters are for people. */
const toUrl = ({ path, query }: CollectionRequest): string =>
  `{{baseUrl}}${path}?${query.map(({ name, value }) => `${name}=${value}`).join('&')}`;

/** Converts to the format that Bruno exports and imports. Its IDs are 21 letters and digits; each build gives the same ones. */
const toBruno = ({ name, description, folders, variables }: Collection): JsonObject => {
  let ids = 0;
  const createId = (): string => hash('sha256', `${name} ${ids++}`).slice(0, 21);
  const toParameter = (pair: Pair) => ({ uid: createId(), ...pair, enabled: true });
  const toItem = (request: CollectionRequest, index: number) => ({
    uid: createId(),
    name: request.name,
    type: 'http-request',
    seq: index + 1,
    request: {
      url: toUrl(request),
      method: request.method,
      headers: request.headers.map(toParameter),
      params: [
        ...request.pathValues.map((pair) => ({ ...toParameter(pair), type: 'path' })),
        ...request.query.map((pair) => ({ ...toParameter(pair), type: 'query' })),
      ],
      auth: { mode: request.needsKey ? 'inherit' : 'none' },
      body: request.body
        ? { mode: request.body.language, [request.body.language]: request.body.text }
        : { mode: 'none' },
    },
  });
  return {
    name,
    uid: createId(),
    version: '1',
    root: {
      request: { auth: { mode: 'apikey', apikey: { key: KEY_HEADER, value: `{{${KEY}}}`, placement: 'header' } } },
      meta: { name },
      docs: description,
    },
    items: folders.map((folder) => ({
      uid: createId(),
      name: folder.name,
      type: 'folder',
      root: { request: { auth: { mode: 'inherit' } }, meta: { name: folder.name }, docs: folder.description },
      items: folder.requests.map(toItem),
    })),
    environments: [
      {
        uid: createId(),
        name: 'Service',
        // Only these members: older versions of Bruno reject others, such as a description.
        variables: variables.map(({ name: variable, value }) => ({
          ...toParameter({ name: variable, value }),
          type: 'text',
          secret: variable === KEY,
        })),
      },
    ],
  };
};

/** Converts to the Postman collection format 2.1. */
const toPostman = ({ name, description, folders, variables }: Collection): JsonObject => {
  const toPair = ({ name: key, value }: Pair) => ({ key, value });
  const toItem = (request: CollectionRequest) => ({
    name: request.name,
    request: {
      method: request.method,
      header: request.headers.map(toPair),
      url: {
        raw: toUrl(request),
        host: ['{{baseUrl}}'],
        path: request.path.split('/').slice(1),
        query: request.query.map(toPair),
        variable: request.pathValues.map(toPair),
      },
      ...(!request.needsKey && { auth: { type: 'noauth' } }),
      ...(request.body && {
        body: { mode: 'raw', raw: request.body.text, options: { raw: { language: request.body.language } } },
      }),
    },
  });
  const key = [
    { key: 'key', value: KEY_HEADER },
    { key: 'value', value: `{{${KEY}}}` },
    { key: 'in', value: 'header' },
  ];
  return {
    info: { name, description, schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    auth: { type: 'apikey', apikey: key.map((one) => ({ ...one, type: 'string' })) },
    item: folders.map((folder) => ({
      name: folder.name,
      description: folder.description,
      item: folder.requests.map(toItem),
    })),
    variable: variables.map((variable) => ({ ...toPair(variable), description: variable.description })),
  };
};

/** Builds the collections of a version from the same requests as its code samples. Keys and identifiers are variables without a value. */
export const buildCollections = (source: DocumentedVersion): Collections => {
  const collection = buildCollection(source);
  return { bruno: toBruno(collection), postman: toPostman(collection) };
};
