import { createServer, type Server } from 'node:http';
import { mergeMetrics, type Metric, type Observe } from '../../telemetry/metric.ts';
import { METRICS_TYPE, formatMetrics } from '../../telemetry/format-metrics.ts';

export type MetricsServer = {
  readonly server: Server;
  /** The port in use; rejects with Node's error when the port cannot be had. */
  readonly listening: Promise<{ readonly port: number }>;
  /** Adds something to read whenever metrics are asked for. */
  readonly addSource: (observe: Observe) => void;
  readonly close: () => Promise<void>;
};

export type MetricsServerOptions = {
  /** 0 takes a free one. */
  readonly port: number;
  readonly hostname: string;
  /** Why nobody should send requests here now; undefined when all is well. Asked for `/readyz`. */
  readonly getUnreadyReason: () => Promise<string | undefined>;
  /** Hears of what could not be read. */
  readonly onError: (error: unknown) => void;
};

const TEXT = 'text/plain; charset=utf-8';

type Reply = { readonly status: number; readonly type: string; readonly body: string };

/** A part that cannot be read is left out: the others are wanted all the more then. */
const readAll = async (observed: readonly Observe[], onError: (error: unknown) => void): Promise<readonly Metric[]> => {
  const read = await Promise.allSettled(observed.map(async (observe) => observe()));
  for (const one of read) if (one.status === 'rejected') onError(one.reason);
  return mergeMetrics(read.map((one) => (one.status === 'fulfilled' ? one.value : [])));
};

/**
 * Opens the port of the operator, apart from that of the callers: `/metrics` for Prometheus, `/healthz` (the process is alive), `/readyz`
 * (requests may be sent to it). It asks for no key: it belongs where only the operator comes.
 */
export const openMetricsServer = ({
  port,
  hostname,
  getUnreadyReason: unreadyFor,
  onError,
}: MetricsServerOptions): MetricsServer => {
  const observed: Observe[] = [];
  const replyTo = async (path: string): Promise<Reply> => {
    if (path === '/healthz') return { status: 200, type: TEXT, body: 'alive\n' };
    if (path === '/metrics')
      return { status: 200, type: METRICS_TYPE, body: formatMetrics(await readAll(observed, onError)) };
    if (path !== '/readyz') return { status: 404, type: TEXT, body: 'There are /metrics, /healthz and /readyz.\n' };
    const reason = await unreadyFor();
    return reason === undefined
      ? { status: 200, type: TEXT, body: 'ready\n' }
      : { status: 503, type: TEXT, body: `${reason}\n` };
  };
  const server = createServer((request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405, { Allow: 'GET, HEAD', Connection: 'close' }).end();
    const [path = ''] = (request.url ?? '').split('?');
    replyTo(path).then(
      ({ status, type, body }) =>
        response
          .writeHead(status, {
            'Content-Type': type,
            'Cache-Control': 'no-store',
            'Content-Length': Buffer.byteLength(body),
          })
          .end(body),
      (error: unknown) => {
        onError(error);
        response.writeHead(500).end();
      },
    );
  });
  const listening = new Promise<{ readonly port: number }>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, hostname, () => {
      const address = server.address();
      resolve({ port: typeof address === 'object' && address !== null ? address.port : port });
    });
  });
  return {
    server,
    listening,
    addSource: (observe) => void observed.push(observe),
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
};
