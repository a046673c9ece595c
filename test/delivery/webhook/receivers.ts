import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type RequestListener } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import { createDeliverer } from '#delivery/webhook/deliverer.ts';
import type { Deliverer, DelivererOptions, WebhookEndpoint } from '#delivery/webhook/deliverer.ts';
import { createTargetGuard } from '#delivery/webhook/target-guard.ts';
import type { NameResolver, TargetGuardOptions } from '#delivery/webhook/target-guard.ts';
import { createSecret } from '#delivery/webhook/signatures.ts';
import { createCertificate, type Certificate } from './certificates.ts';
import { loopbackAllowList } from '#test/support/offline-deliverer.ts';

export type ReceivedRequest = { readonly headers: IncomingHttpHeaders; readonly body: string };

export type Receiver = {
  readonly port: number;
  readonly received: readonly ReceivedRequest[];
  readonly connections: () => number;
  readonly close: () => Promise<void>;
};

/** A trusted authority, and its certificate for the host of receivers. */
export const trustedAuthority = createCertificate({ hosts: [] });
export const HOST = 'receiver.example.com';
export const hostCertificate: Certificate = createCertificate({ hosts: [HOST], issuer: trustedAuthority });

const startListening = async (
  server: Server,
  received: readonly ReceivedRequest[],
  address = '127.0.0.1',
): Promise<Receiver> => {
  const open = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
  });
  server.listen(0, address);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received,
    connections: () => connections,
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};

const readRequest =
  (received: ReceivedRequest[], respond: RequestListener): RequestListener =>
  (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      respond(request, response);
    });
  };

export const respondOk: RequestListener = (_request, response) => void response.end('ok');

export const startPlainReceiver = (respond: RequestListener, address?: string): Promise<Receiver> => {
  const received: ReceivedRequest[] = [];
  return startListening(http.createServer(readRequest(received, respond)), received, address);
};

/** A receiver with TLS; by default with a certificate that tests trust. */
export const startSecureReceiver = (
  respond: RequestListener,
  options: https.ServerOptions = hostCertificate,
): Promise<Receiver> => {
  const received: ReceivedRequest[] = [];
  const server = https.createServer(options, readRequest(received, respond));
  server.on('tlsClientError', () => {});
  return startListening(server, received);
};

/** Starts a bare socket server, for responses that no HTTP server sends. */
export const startSocketReceiver = (respond: (socket: Socket) => void): Promise<Receiver> =>
  startListening(net.createServer(respond), []);

/** Resolves every name to this host. */
export const resolveToLoopback: NameResolver = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);

/** Creates a deliverer that may send to loopback addresses, also with http, and trusts the authority of the tests. */
export const createTestDeliverer = (
  settings: Partial<DelivererOptions> = {},
  guard: Partial<TargetGuardOptions> = {},
): Deliverer =>
  createDeliverer({
    guard: createTargetGuard({ allow: loopbackAllowList, resolve: resolveToLoopback, ...guard }),
    authorities: [trustedAuthority.cert],
    ...settings,
  });

export const SECRET = createSecret();

export const createPlainEndpoint = ({ port }: Receiver, path = '/'): WebhookEndpoint => ({
  url: `http://127.0.0.1:${port}${path}`,
  keys: [SECRET],
});

export const createSecureEndpoint = ({ port }: Receiver): WebhookEndpoint => ({
  url: `https://${HOST}:${port}/`,
  keys: [SECRET],
});

export const sampleEvent = {
  id: '0192f0c1-7d3e-7a52-9c1e-5a7d6f1e2b3c',
  body: '{"documentType":"FlightStatus"}',
} as const;
