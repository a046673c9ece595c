import type { Server } from 'node:http';
import type { AccessLog } from '#http/observability/access-log.ts';
import { createRequestMetrics } from '#http/observability/request-metrics.ts';
import { countRequestsInFlight } from '#http/observability/requests-in-flight.ts';
import type { Observe } from '#telemetry/metric.ts';
import { watchProcess } from '#telemetry/process-metrics.ts';

/** Metrics of one process that serves requests. */
export type ServingMetrics = {
  /** The access log to use: it counts requests and failures. */
  readonly log: AccessLog;
  readonly observe: Observe;
  /** Adds a source of metrics. */
  readonly add: (observe: Observe) => void;
  readonly stop: () => void;
};

/** Starts to collect metrics of this process; requests to the server `except` are not counted. */
export const createServingMetrics = (log: AccessLog, except?: Server): ServingMetrics => {
  const requests = createRequestMetrics(log);
  const inFlight = countRequestsInFlight(except);
  const ownProcess = watchProcess();
  const sources: Observe[] = [requests.observe, inFlight.observe, ownProcess.observe];
  return {
    log: requests.log,
    observe: async () => (await Promise.all(sources.map(async (observe) => observe()))).flat(),
    add: (observe) => void sources.push(observe),
    stop: () => {
      inFlight.stop();
      ownProcess.stop();
    },
  };
};
