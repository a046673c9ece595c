import { isKnown, suffixed, type TaggedWhole } from './conditional.ts';
import { codingFor, packed, type Coding } from './content-coding.ts';
import { plainResponse } from './plain-response.ts';

/** Packs a body. */
export type Pack = (bytes: Uint8Array, coding: Coding) => Buffer<ArrayBuffer> | Promise<Buffer<ArrayBuffer>>;

type Form = {
  readonly status?: number;
  /** Whether it can be a 304. */
  readonly isConditional?: boolean;
  readonly pack?: Pack;
};

/** Whether the bytes can be a response body as they stand; all of Node's buffers can. */
const isSendable = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> => bytes.buffer instanceof ArrayBuffer;

const send = (bytes: Uint8Array, status: number, headers: Record<string, string>): Response => {
  headers['Content-Length'] = String(bytes.byteLength);
  return plainResponse({ status, headers, body: isSendable(bytes) ? bytes : new Uint8Array(bytes) });
};

const sendLater = async (
  bytes: Promise<Uint8Array>,
  status: number,
  headers: Record<string, string>,
): Promise<Response> => send(await bytes, status, headers);

/**
 * Answers with a body, packed as the caller likes it, or with the 304 in its place when the caller says that it has it. Forms of one body have
 * tags of their own: that of the bytes, and the same with the name of the coding behind it. Each of them says that the caller has it.
 */
export const wholeAnswer = (
  asked: Headers,
  { bytes, headers, tag }: TaggedWhole,
  { status = 200, isConditional = true, pack = packed }: Form = {},
): Response | Promise<Response> => {
  const coding = codingFor(asked.get('accept-encoding'), bytes.byteLength);
  const modified = headers['Last-Modified'];
  const shown = tag === undefined || coding === undefined ? tag : suffixed(tag, coding);
  if (status === 200 && isConditional && tag !== undefined && isKnown(asked, tag, modified))
    return plainResponse({
      status: 304,
      body: null,
      headers: { ETag: shown ?? tag, ...(modified !== undefined && { 'Last-Modified': modified }) },
    });
  const told: Record<string, string> = { 'Content-Type': 'application/json', ...headers };
  if (shown !== undefined) told['ETag'] = shown;
  if (told['Vary'] !== undefined) told['Vary'] += ', Accept-Encoding';
  if (coding === undefined) return send(bytes, status, told);
  told['Content-Encoding'] = coding;
  const small = pack(bytes, coding);
  return small instanceof Promise ? sendLater(small, status, told) : send(small, status, told);
};
