import { createServer, type Server } from 'node:http';
import { mergeMetrics, type Metric, type Observe } from '#telemetry/metric.ts';
import { METRICS_TYPE, formatMetrics } from '#telemetry/format-metrics.ts';

export type MetricsServer = {
  readonly server: Server;
  /** The port in use; rejects with Node's error when the port cannot be had. */
  readonly listening: Promise<{ readonly port: number }>;
  /** Adds a source of metrics, read at each request for them. */
  readonly addSource: (observe: Observe) => void;
  readonly close: () => Promise<void>;
};

export type MetricsServerOptions = {
  /** 0 takes any free port. */
  readonly port: number;
  readonly hostname: string;
  /** Returns whether the process should receive requests now, and its state in a few words; called for `/readyz`. */
  readonly getState: () => Promise<{ readonly isReady: boolean; readonly text: string }>;
  /** Called with the error of a source that could not be read. */
  readonly onError: (error: unknown) => void;
};

const TEXT = 'text/plain; charset=utf-8';

type TextResponse = { readonly status: number; readonly type: string; readonly body: string };

/** Reads all sources; one that fails is omitted, because the others are needed most then. */
const readSources = async (
  sources: readonly Observe[],
  onError: (error: unknown) => void,
): Promise<readonly Metric[]> => {
  const results = await Promise.allSettled(sources.map(async (observe) => observe()));
  for (const result of results) if (result.status === 'rejected') onError(result.reason);
  return mergeMetrics(results.map((result) => (result.status === 'fulfilled' ? result.value : [])));
};

/**
 * Opens the operator's port, separate from that of the API: `/metrics` for Prometheus, `/healthz` (liveness), `/readyz` (readiness). It needs
 * no key, so only the operator's network may reach it.
 */
export const openMetricsServer = ({ port, hostname, getState, onError }: MetricsServerOptions): MetricsServer => {
  const sources: Observe[] = [];
  const respond = async (path: string): Promise<TextResponse> => {
    if (path === '/healthz') return { status: 200, type: TEXT, body: 'alive\n' };
    if (path === '/metrics')
      return { status: 200, type: METRICS_TYPE, body: formatMetrics(await readSources(sources, onError)) };
    if (path !== '/readyz')
      return { status: 404, type: TEXT, body: 'Available paths: /metrics, /healthz and /readyz.\n' };
    const { isReady, text } = await getState();
    return { status: isReady ? 200 : 503, type: TEXT, body: `${text}\n` };
  };
  const server = createServer((request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405, { Allow: 'GET, HEAD', Connection: 'close' }).end();
    const [path = ''] = (request.url ?? '').split('?');
    respond(path).then(
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
    addSource: (observe) => void sources.push(observe),
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
};
