import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import { afterAll } from 'vitest';

/** A request that a replay server received. */
export type ReplayRequest = { readonly at: number; readonly url: URL; readonly headers: IncomingHttpHeaders };

/** How a replay server responds. */
export type ReplayAnswer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  /** Closes the connection after this many bytes of the body. */
  readonly cutAfter?: number;
};

export type ReplayServer = {
  /** Address for SOURCES_MIRROR. */
  readonly url: string;
  readonly requests: ReplayRequest[];
  /** Selects the answer to a request; its path begins with the host of the source. */
  respond: (url: URL, headers: IncomingHttpHeaders) => ReplayAnswer;
};

/** Starts a server on the loopback interface in place of live feeds; its requests have the time of the clock. It stops after the tests of the file. */
export const startReplayServer = async (clock: () => Date): Promise<ReplayServer> => {
  const replay: ReplayServer = { url: '', requests: [], respond: () => ({ status: 404 }) };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://replay');
    replay.requests.push({ at: clock().getTime(), url, headers: request.headers });
    const { status = 200, headers = {}, body = '', cutAfter } = replay.respond(url, request.headers);
    const bytes = Buffer.from(body);
    response.writeHead(status, { ...headers, ...(status !== 304 && { 'content-length': bytes.length }) });
    if (cutAfter === undefined) return void response.end(status === 304 ? undefined : bytes);
    response.write(bytes.subarray(0, cutAfter), () => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return Object.assign(replay, { url: `http://127.0.0.1:${address.port}` });
};
