import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type RequestListener } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import {
  createDeliverer,
  type Deliverer,
  type DelivererOptions,
  type WebhookEndpoint,
} from '../../../src/delivery/webhook/deliverer.ts';
import type { NameResolver } from '../../../src/delivery/webhook/name-resolver.ts';
import { createTargetGuard, type TargetGuardOptions } from '../../../src/delivery/webhook/target-guard.ts';
import { createSecret } from '../../../src/delivery/webhook/signing-keys.ts';
import { createCertificate, type Certificate } from './certificates.ts';

export type ReceivedRequest = { readonly headers: IncomingHttpHeaders; readonly body: string };

export type Receiver = {
  readonly port: number;
  /** What came in, as far as requests were read. */
  readonly received: readonly ReceivedRequest[];
  /** How many connections were made. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
};

/** An authority that tests trust, and a certificate of it for the host that receivers are. */
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

/** Reads requests whole before it answers them. */
const readRequest =
  (received: ReceivedRequest[], answer: RequestListener): RequestListener =>
  (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(pieces).toString() });
      answer(request, response);
    });
  };

export const respondOk: RequestListener = (_request, response) => void response.end('ok');

/** A receiver on a loopback address, without TLS. */
export const startPlainReceiver = (answer: RequestListener, address?: string): Promise<Receiver> => {
  const received: ReceivedRequest[] = [];
  return startListening(http.createServer(readRequest(received, answer)), received, address);
};

/** A receiver with TLS; by default with a certificate that tests trust. */
export const startSecureReceiver = (
  answer: RequestListener,
  options: https.ServerOptions = hostCertificate,
): Promise<Receiver> => {
  const received: ReceivedRequest[] = [];
  const server = https.createServer(options, readRequest(received, answer));
  server.on('tlsClientError', () => {});
  return startListening(server, received);
};

/** Bare sockets, for what no HTTP server would send. */
export const startSocketReceiver = (talk: (socket: Socket) => void): Promise<Receiver> =>
  startListening(net.createServer(talk), []);

/** Every name is this machine. */
export const resolveToLoopback: NameResolver = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);

/** A deliverer that may send to loopback addresses, by http as well, and trusts the authority of the tests. */
export const createTestDeliverer = (
  settings: Partial<DelivererOptions> = {},
  guard: Partial<TargetGuardOptions> = {},
): Deliverer =>
  createDeliverer({
    guard: createTargetGuard({ allow: ['127.0.0.0/8'], resolve: resolveToLoopback, ...guard }),
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
