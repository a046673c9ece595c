import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { afterAll } from 'vitest';

/** A request that a mirror received, with the headers that matter. */
type MirrorRequest = {
  readonly path: string;
  readonly range?: string;
  readonly ifRange?: string;
  readonly ifNoneMatch?: string;
};

/** What a mirror does with one path in place of serving the file. */
type MirrorFault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** Closes the connection after this many bytes of the body. */
  | { readonly cutAfter: number }
  /** Sends nothing after this many bytes of the body; without a number no headers either. */
  | { readonly holdAfter: number | undefined };

export type SourceMirror = {
  /** Address of the mirror, without a slash at its end. */
  readonly url: string;
  /** Files by their path, `/host/path`. */
  readonly files: Map<string, Buffer>;
  /** Faults by path; each is used once, in their order. */
  readonly faults: Map<string, MirrorFault[]>;
  readonly requests: MirrorRequest[];
};

const toEtag = (bytes: Buffer): string => `"${hash('sha1', bytes, 'hex')}"`;

const sendFile = (bytes: Buffer, request: IncomingMessage, response: ServerResponse): void => {
  const etag = toEtag(bytes);
  response.setHeader('etag', etag);
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  if (from > 0 && request.headers['if-range'] === etag) {
    const headers = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
    return void response
      .writeHead(206, { ...headers, 'content-length': bytes.length - from })
      .end(bytes.subarray(from));
  }
  return void response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
};

const sendFault = (fault: MirrorFault, bytes: Buffer, response: ServerResponse): void => {
  if ('status' in fault) return void response.writeHead(fault.status, fault.headers).end(fault.body);
  if ('holdAfter' in fault && fault.holdAfter === undefined) return;
  response.writeHead(200, { 'content-length': bytes.length, etag: toEtag(bytes) });
  if ('holdAfter' in fault) return void response.write(bytes.subarray(0, fault.holdAfter));
  return void response.write(bytes.subarray(0, fault.cutAfter), () => response.destroy());
};

const toMirrorRequest = ({ url = '', headers }: IncomingMessage): MirrorRequest => ({
  path: url,
  ...(headers.range !== undefined && { range: headers.range }),
  ...(typeof headers['if-range'] === 'string' && { ifRange: headers['if-range'] }),
  ...(headers['if-none-match'] !== undefined && { ifNoneMatch: headers['if-none-match'] }),
});

/** Starts a mirror of published files on the loopback interface, stopped after the tests of the file. */
export const startSourceMirror = async (files: ReadonlyMap<string, Buffer>): Promise<SourceMirror> => {
  const mirror = { files: new Map(files), faults: new Map<string, MirrorFault[]>(), requests: [] as MirrorRequest[] };
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    mirror.requests.push(toMirrorRequest(request));
    const bytes = mirror.files.get(path);
    const fault = mirror.faults.get(path)?.shift();
    if (fault) return sendFault(fault, bytes ?? Buffer.alloc(0), response);
    return bytes ? sendFile(bytes, request, response) : void response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the mirror has no port');
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { ...mirror, url: `http://127.0.0.1:${address.port}` };
};
