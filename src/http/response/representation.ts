import { computeEntityTag, isNotModified, tagOfCoding } from './conditional.ts';
import { compressBody, selectCodingForSize, type ContentCoding } from './content-coding.ts';
import { HttpResponse } from './http-response.ts';

const toNotModified = (etag: string, lastModified: string | undefined): HttpResponse =>
  new HttpResponse({
    status: 304,
    headers: { ETag: etag, ...(lastModified !== undefined && { 'Last-Modified': lastModified }) },
  });

const withBody = (response: HttpResponse, bytes: Uint8Array, headers: Record<string, string>): HttpResponse => {
  headers['Content-Length'] = String(bytes.byteLength);
  return new HttpResponse({ status: response.status, headers, body: bytes });
};

const withCompressedBody = async (
  response: HttpResponse,
  bytes: Promise<Uint8Array>,
  headers: Record<string, string>,
): Promise<HttpResponse> => withBody(response, await bytes, headers);

/**
 * Returns the representation that the request headers select (RFC 9110, 3.2): the body in the preferred content coding, or a 304
 * where the client has it. Each coding has a tag of its own, the tag of the uncompressed bytes with the name of the coding; any of them
 * matches. Empty bodies and streams are returned unchanged.
 */
export const selectRepresentation = (
  requestHeaders: Headers,
  response: HttpResponse,
): HttpResponse | Promise<HttpResponse> => {
  const { status, body, etag = response.headers['ETag'], compress = compressBody } = response;
  if (!(body instanceof Uint8Array)) return response;
  const coding: ContentCoding | undefined = selectCodingForSize(requestHeaders.get('accept-encoding'), body.byteLength);
  const selectedTag = etag === undefined || coding === undefined ? etag : tagOfCoding(etag, coding);
  if (status === 200 && response.etag !== undefined) {
    const lastModified = response.headers['Last-Modified'];
    if (isNotModified(requestHeaders, response.etag, lastModified))
      return toNotModified(selectedTag ?? response.etag, lastModified);
  }
  const headers: Record<string, string> = { ...response.headers };
  if (selectedTag !== undefined) headers['ETag'] = selectedTag;
  if (headers['Vary'] !== undefined) headers['Vary'] += ', Accept-Encoding';
  if (coding === undefined) return withBody(response, body, headers);
  headers['Content-Encoding'] = coding;
  const compressed = compress(body, coding);
  return compressed instanceof Promise
    ? withCompressedBody(response, compressed, headers)
    : withBody(response, compressed, headers);
};

/** Returns a copy with the entity tag of its body, so that conditional requests for it can get a 304. */
export const withEntityTag = (response: HttpResponse): HttpResponse =>
  response.body instanceof Uint8Array ? response.with({ etag: computeEntityTag(response.body) }) : response;
