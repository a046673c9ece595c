import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { StaticFile } from '../http/static/static-files.ts';
import { createMcpCatalog, createMcpServer, type SendToolRequest } from './mcp-server.ts';

export type StdioOptions = {
  /** The base URL of the service, and the subscription key that each request sends. */
  readonly url: string;
  readonly key: string;
  readonly files: readonly StaticFile[];
  readonly canWrite: boolean;
  readonly now: Date;
  readonly onError: (error: Error) => void;
};

/** Serves the Model Context Protocol on standard input and output: tool calls are requests of a service. Returns a function that ends it. */
export const startStdioServer = ({ url, key, files, canWrite, now, onError }: StdioOptions): (() => Promise<void>) => {
  const base = url.replace(/\/+$/, '');
  const content = createMcpCatalog({ files, canWrite, now });
  const send: SendToolRequest = ({ method, target, headers, body }, signal) =>
    fetch(`${base}${target}`, {
      method,
      headers: { ...headers, 'subscription-key': key, accept: 'application/json' },
      // A redirect could lead the key to another host.
      redirect: 'error',
      signal,
      ...(body !== undefined && { body }),
    });
  const server = serveStdio(() => createMcpServer(content, send), { onerror: onError });
  return () => server.close();
};
