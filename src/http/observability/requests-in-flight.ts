import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Server, ServerResponse } from 'node:http';
import { createGauge, type Observe } from '../../telemetry/metric.ts';

/** Where Node itself tells of each request that a server of this process is given. */
const CHANNEL = 'http.server.request.start';

const toldOf = (message: unknown): { readonly server: Server; readonly response: ServerResponse } | undefined => {
  if (typeof message !== 'object' || message === null || !('server' in message) || !('response' in message)) return;
  const { server, response } = message;
  return server instanceof Server && response instanceof ServerResponse ? { server, response } : undefined;
};

/** Counts requests whose answers are not out yet, open streams among them, of all servers of this process but one: its own door for metrics. */
export const countRequestsInFlight = (except?: Server): { readonly observe: Observe; readonly stop: () => void } => {
  let inFlight = 0;
  const onRequest = (message: unknown): void => {
    const told = toldOf(message);
    if (!told || told.server === except) return;
    inFlight += 1;
    told.response.once('close', () => {
      inFlight -= 1;
    });
  };
  subscribe(CHANNEL, onRequest);
  return {
    observe: () => [
      createGauge(
        'flightdata_http_requests_in_flight',
        'Requests whose answers are not out yet, streams among them',
        inFlight,
      ),
    ],
    stop: () => void unsubscribe(CHANNEL, onRequest),
  };
};
