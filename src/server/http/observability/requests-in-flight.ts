import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Server, ServerResponse } from 'node:http';
import { createGauge, type Observe } from '#telemetry/metric.ts';

/** Node publishes each request of this process's servers on this diagnostics channel. */
const CHANNEL = 'http.server.request.start';

const parseMessage = (message: unknown): { readonly server: Server; readonly response: ServerResponse } | undefined => {
  if (typeof message !== 'object' || message === null || !('server' in message) || !('response' in message)) return;
  const { server, response } = message;
  return server instanceof Server && response instanceof ServerResponse ? { server, response } : undefined;
};

/** Counts requests without a complete response, open streams included, of all servers of this process except the metrics server. */
export const countRequestsInFlight = (except?: Server): { readonly observe: Observe; readonly stop: () => void } => {
  let inFlight = 0;
  const onRequest = (message: unknown): void => {
    const started = parseMessage(message);
    if (!started || started.server === except) return;
    inFlight += 1;
    started.response.once('close', () => {
      inFlight -= 1;
    });
  };
  subscribe(CHANNEL, onRequest);
  return {
    observe: () => [
      createGauge('flightdata_http_requests_in_flight', 'Requests in progress, including event streams', inFlight),
    ],
    stop: () => void unsubscribe(CHANNEL, onRequest),
  };
};
