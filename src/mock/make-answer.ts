import {
  resolveReference,
  toList,
  toJsonObject,
  listOperations,
  type JsonObject,
  type OpenApiOperation,
} from '../lib/openapi-document.ts';
import { computeJsonEntityTag } from '../http/response/conditional.ts';
import type { RequestContext } from '../http/request/request-context.ts';
import type { Picked } from './pick-answer.ts';
import type { Draw } from './prism.ts';

/** An operation of a document, and Prism over that document. */
export type Stage = { readonly document: JsonObject; readonly operation: OpenApiOperation; readonly draw: Draw };

/** An answer before it is sent. */
export type Made = {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
};

/** These say something of the request at hand, and are made when it is answered: their examples would say something else. */
const liveHeaders = new Set([
  'api-version',
  'deprecation',
  'etag',
  'link',
  'location',
  'sunset',
  'x-accel-buffering',
  'x-request-id',
]);

/** A value of the document, told to a caller: the addresses in it are those of the document's server, and whoever asks has to be led back to where he asked. */
export const withBase = (body: unknown, document: JsonObject, base: string): unknown => {
  const { url } = toJsonObject(toList(document['servers'])[0]);
  if (body === undefined || typeof url !== 'string') return body;
  const moved: unknown = JSON.parse(JSON.stringify(body).replaceAll(`${url}/`, `${base}/`));
  return moved;
};

/** The address of what was created: the place that the document has for it below the collection, with the id that the body tells. */
const locationOf = (
  { document, operation }: Stage,
  body: unknown,
  { base, path, version }: RequestContext,
): string | undefined => {
  const places = listOperations(document).filter((one) => one.path.startsWith(`${operation.path}/{`));
  const name =
    places.map((one) => /^\/\{(\w+)\}$/.exec(one.path.slice(operation.path.length))?.[1]).find(Boolean) ?? '';
  // An alert that was created is told by its id alone, as `data`.
  const { [name]: named, data } = toJsonObject(body);
  const id = named ?? data;
  return typeof id === 'string' ? `${base}${path}/${id}?version=${version}` : undefined;
};

const declaredHeaders = ({ document, operation }: Stage, status: number): ReadonlySet<string> =>
  new Set(
    Object.keys(
      toJsonObject(
        toJsonObject(resolveReference(document, toJsonObject(operation.operation['responses'])[status]))['headers'],
      ),
    ),
  );

/** What the front says of a version, on whatever answer. */
const versionHeaders = ['api-version', 'deprecation', 'link', 'sunset'];

/** The headers of a version that a status does not declare: a refusal for want of a version is of none. */
export const strangeHeaders = (stage: Stage, status: number): readonly string[] => {
  const declared = new Set([...declaredHeaders(stage, status)].map((name) => name.toLowerCase()));
  return versionHeaders.filter((name) => !declared.has(name));
};

/** What the picked example says, told of the request at hand; a made-up body in its place where `isDynamic`. */
export const makeAnswer = async (
  stage: Stage,
  { status, example, isDynamic }: Picked & { readonly isDynamic: boolean },
  context: RequestContext,
): Promise<Made> => {
  const mediaType = example?.mediaType ?? 'application/json';
  const wanted = { status, mediaType, example: example?.name, isDynamic };
  const drawn = await stage.draw(stage.operation, wanted, context.path);
  const body = withBase(drawn.body, stage.document, context.base);
  const declared = declaredHeaders(stage, status);
  const shown = Object.entries(drawn.headers).filter(([name]) => !liveHeaders.has(name.toLowerCase()));
  const location = declared.has('Location') ? locationOf(stage, body, context) : undefined;
  return {
    status,
    body,
    headers: {
      'Content-Type': mediaType,
      ...Object.fromEntries(shown),
      ...(declared.has('ETag') && { ETag: computeJsonEntityTag(body) }),
      ...(location !== undefined && { Location: location }),
    },
  };
};

/** The 304 in place of an answer that the caller has already: what the document declares of its headers, and no body. */
export const unchanged = (stage: Stage, { headers }: Made): Made => {
  const declared = declaredHeaders(stage, 304);
  const kept = Object.entries(headers).filter(([name]) => declared.has(name));
  return { status: 304, body: undefined, headers: Object.fromEntries(kept) };
};
