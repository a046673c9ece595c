import { hash } from 'node:crypto';
import { brunoToPostman, openApiToBruno } from '@usebruno/converters';
import { listOperations, toJsonObject, toList, type JsonObject } from '../lib/openapi-document.ts';
import { buildSampleCall, type DocumentedVersion, type SampleCall } from './code-samples/sample-call.ts';
import { variableHints } from './code-samples/sample-requests.ts';

/** The requests of a version as collections of two API clients; each is a JSON file that the client imports. */
export type Collections = { readonly bruno: JsonObject; readonly postman: JsonObject };

/** The variable for the key, which the converter names. */
const KEY = 'apiKey';

/** Converts the variables of a sample to those of a collection: `{accountId}` becomes `{{accountId}}`. */
const toVariables = (text: string): string => text.replaceAll(/\{(\w+)\}/g, '{{$1}}');

const toParameter = (name: string, place: string, value: string) => ({
  name,
  in: place,
  required: true,
  schema: { type: 'string' },
  example: toVariables(value),
});

const toRequestBody = ({ body, textBody }: SampleCall) => {
  // The converter knows no other media type of text; the header of the request names the actual one.
  if (textBody) return { content: { 'text/plain': { schema: { type: 'string' }, example: textBody.text } } };
  if (body === undefined) return undefined;
  const example: unknown = JSON.parse(toVariables(JSON.stringify(body)));
  return { content: { 'application/json': { schema: { type: 'object' }, example } } };
};

/** Reduces an operation to the one request of its code sample: a converter would send every parameter that an operation has. */
const toSampleOperation = (source: DocumentedVersion, one: ReturnType<typeof listOperations>[number]) => {
  const call = buildSampleCall(source, one);
  const requestBody = toRequestBody(call);
  return {
    operationId: call.operationId,
    summary: one.operation['summary'],
    tags: one.operation['tags'],
    parameters: [
      ...call.pathValues.map(({ name, value }) => toParameter(name, 'path', value)),
      ...(call.needsAccount ? [toParameter('accountId', 'header', '{accountId}')] : []),
      ...(call.textBody ? [toParameter('Content-Type', 'header', call.textBody.mediaType)] : []),
      ...call.query.map(({ name, value }) => toParameter(name, 'query', value)),
    ],
    ...(requestBody && { requestBody }),
    responses: { default: { description: 'See the reference.' } },
    ...(!call.needsKey && { security: [] }),
  };
};

/** Returns the document of a version with the requests of its code samples only. */
const toSampleDocument = (source: DocumentedVersion): JsonObject => {
  const { document, version } = source;
  const { title, summary } = toJsonObject(document['info']);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const one of listOperations(document))
    paths[one.path] = { ...paths[one.path], [one.method]: toSampleOperation(source, one) };
  const { securitySchemes } = toJsonObject(document['components']);
  const info = { title: `${String(title)} ${version.version}`, description: summary, version: version.version };
  return {
    openapi: '3.0.3',
    info,
    servers: document['servers'],
    tags: document['tags'],
    paths,
    security: document['security'],
    components: { securitySchemes },
  };
};

/** Returns the variables of a collection with their values: base URL, key, date, and the identifiers that a person fills in. */
const listVariables = (server: string, text: string) => {
  const used = [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name))];
  return used.toSorted().map((name) => ({
    name,
    value: name === 'baseUrl' ? server : '',
    description: name === 'today' ? 'a date, YYYY-MM-DD' : (variableHints[name] ?? ''),
  }));
};

/** Replaces the random IDs of the converter, so that each build has the same bytes. Bruno requires 21 letters and digits. */
const replaceIds = (bruno: JsonObject, seed: string): JsonObject => {
  const ids = new Map<string, string>();
  const replaceId = (name: string, value: unknown): unknown => {
    if (typeof value !== 'string' || (name !== 'uid' && name !== 'itemUid')) return value;
    const id = ids.get(value) ?? hash('sha256', `${seed} ${ids.size}`).slice(0, 21);
    ids.set(value, id);
    return id;
  };
  return toJsonObject(JSON.parse(JSON.stringify(bruno, replaceId)));
};

/** Builds the collections of a version from the same requests as its code samples. Keys and identifiers are variables without a value. */
export const buildCollections = (source: DocumentedVersion): Collections => {
  const server = String(toJsonObject(toList(source.document['servers'])[0])['url']);
  const document = toSampleDocument(source);
  const seed = String(toJsonObject(document['info'])['title']);
  const bruno = replaceIds(toJsonObject(openApiToBruno(document, { groupBy: 'tags' })), seed);
  const variables = listVariables(server, JSON.stringify(bruno));
  const environment = {
    uid: 'environment0000000000',
    name: 'Service',
    variables: variables.map(({ name, value }, index) => ({
      uid: `variable${String(index).padStart(13, '0')}`,
      name,
      value,
      type: 'text',
      enabled: true,
      secret: name === KEY,
    })),
  };
  const postman = toJsonObject(brunoToPostman(structuredClone(bruno)));
  return {
    bruno: { ...bruno, environments: [environment] },
    postman: {
      ...postman,
      variable: variables.map(({ name, value, description }) => ({ key: name, value, description })),
    },
  };
};
