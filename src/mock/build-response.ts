import type { IHttpResponse } from '@stoplight/prism-http';
import { computeJsonEntityTag, hasMatchingTag } from '#http/response/conditional.ts';
import { Problem } from '#http/response/problem.ts';
import { listOperations, toJsonObject, toList, type JsonObject } from '#lib/openapi-document.ts';
import { isSuccess, listExamples } from './examples.ts';

/** A document, and the base URL of the mock, to which links in its examples lead. */
type Linked = { readonly document: JsonObject; readonly baseUrl: string };

/** Replaces the server URL of the document in a value. */
const relink = (value: unknown, { document, baseUrl }: Linked): unknown => {
  const { url } = toJsonObject(toList(document['servers'])[0]);
  const replaced: unknown = JSON.parse(JSON.stringify(value).replaceAll(`${String(url)}/`, `${baseUrl}/`));
  return replaced;
};

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i;

/** Converts a response of Prism, which has every declared header with its example. Header names are in lower case. */
export const buildResponse = (
  { body: shown, headers: shownHeaders = {} }: IHttpResponse,
  linked: Linked,
): { readonly body: unknown; readonly headers: Readonly<Record<string, string>> } => {
  const body = relink(shown, linked);
  // Contrary to its types, Prism has numbers.
  const texts = Object.entries<unknown>(shownHeaders).map(([name, value]) => [name.toLowerCase(), String(value)]);
  const headers: Record<string, string> = Object.fromEntries(texts);
  if ('etag' in headers) headers['etag'] = computeJsonEntityTag(body);
  // The ID of a created object is the first one in the body.
  const id = UUID.exec(JSON.stringify(body))?.[0];
  if (headers['location'] !== undefined && id !== undefined)
    headers['location'] = String(relink(headers['location'].replace(UUID, id), linked));
  return { body, headers };
};

/** Throws Problem `precondition-failed` unless an example of the document, as the object is or becomes, has a tag of `If-Match`. */
export const rejectOutdated = (ifMatch: string, linked: Linked): void => {
  const { document } = linked;
  const values = listOperations(document).flatMap((one) => listExamples(document, one).filter(isSuccess));
  if (values.some(({ value }) => hasMatchingTag(ifMatch, computeJsonEntityTag(relink(value, linked))))) return;
  const detail = 'The object has none of the tags in If-Match. Read it again and check the changes.';
  throw new Problem('precondition-failed', detail);
};
