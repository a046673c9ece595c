import type { Server } from 'node:http';
import type { AccessLog } from '../../http/observability/access-log.ts';
import { countRequests } from '../../http/observability/request-metrics.ts';
import { countInFlight } from '../../http/rate-limit/requests-in-flight.ts';
import type { Observe } from '../../telemetry/metric.ts';
import { watchProcess } from '../../telemetry/process-metrics.ts';

/** What a process that answers requests tells of itself. */
export type ServingWatch = {
  /** To be used in place of the log that was given: it counts. */
  readonly log: AccessLog;
  readonly observe: Observe;
  /** Adds something to read. */
  readonly add: (observe: Observe) => void;
  readonly stop: () => void;
};

/** Watches a process that answers requests; `except` is a server of it whose requests do not count. */
export const watchServing = (log: AccessLog, except?: Server): ServingWatch => {
  const requests = countRequests(log);
  const inFlight = countInFlight(except);
  const itself = watchProcess();
  const observed: Observe[] = [requests.observe, inFlight.observe, itself.observe];
  return {
    log: requests.log,
    observe: async () => (await Promise.all(observed.map(async (observe) => observe()))).flat(),
    add: (observe) => void observed.push(observe),
    stop: () => {
      inFlight.stop();
      itself.stop();
    },
  };
};
