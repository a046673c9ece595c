/** Entry module of a worker of `flightdata serve`: it serves requests and runs no background tasks. It ends when the first process ends. */
import { readConfig } from '#config.ts';
import { createAccessLog } from '#http/observability/access-log.ts';
import { BackgroundDriver } from '#jobs/driver.ts';
import { getErrorCode } from '#lib/error-code.ts';
import { openDatabase } from '#store/pool/database.ts';
import { openConfiguredSecrets } from '../shared/configured-secrets.ts';
import { createShiftedClock } from '../shared/clock.ts';
import { setV8Flags } from './v8-flags.ts';
import { openTracing } from '../shared/tracing.ts';
import { createWebhookDeliverer } from './webhook-deliverer.ts';
import { createThrottledErrorLog } from './throttled-error-log.ts';
import { startApiServer } from './api-server.ts';
import { createServingMetrics } from './serving-metrics.ts';
import { sendMetricsOnRequest } from './worker-metrics.ts';
import { isWorkerCommand, type WorkerEvent, type WorkerCommand } from './worker-messages.ts';

type ServeCommand = Extract<WorkerCommand, { readonly kind: 'serve' }>;

// Ignored: a terminal and systemd signal all processes of a service, and the first one sends the drain command.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
setV8Flags();

const sendEvent = (event: WorkerEvent): void => void process.send?.(event);

const serveCommand = Promise.withResolvers<ServeCommand>();
let isListening = false;
const drainCommand = Promise.withResolvers<number>();
process.on('message', (message) => {
  if (!isWorkerCommand(message)) return;
  if (message.kind === 'serve') return serveCommand.resolve(message);
  // Not listening yet, so there are no requests to finish.
  if (!isListening) process.exit(0);
  return drainCommand.resolve(message.waitMs);
});
// The first process ended, or this one disconnected below.
process.on('disconnect', () => process.exit());
sendEvent({ kind: 'ready' });

const runWorker = async ({ url, hostname, port, clockShiftMs }: ServeCommand): Promise<void> => {
  const config = readConfig();
  const clock = createShiftedClock(clockShiftMs);
  const accessLog = createAccessLog();
  const metrics = config.metrics && createServingMetrics(accessLog);
  const log = metrics?.log ?? accessLog;
  if (metrics) sendMetricsOnRequest(metrics.observe);
  const onTracesError = createThrottledErrorLog((error) => log.failure(error, clock(), 'traces'), clock);
  const tracing = await openTracing(config, onTracesError);
  metrics?.add(tracing.observe);
  const webhooks = await createWebhookDeliverer(config, clock);
  const applicationName = 'flightdata serve';
  const db = openDatabase({ url, applicationName, max: 3 });
  const driver = new BackgroundDriver(db, clock);
  metrics?.add(driver.observe);
  try {
    // The first process has printed the warnings.
    const secrets = await openConfiguredSecrets(config, db, () => {});
    const server = await startApiServer(db, {
      url,
      applicationName,
      config,
      clock,
      log,
      addMetrics: (observe) => metrics?.add(observe),
      webhooks,
      tracing,
      hostname,
      port,
      driver,
      secrets,
    });
    isListening = true;
    sendEvent({ kind: 'listening', port: server.port });
    await server.drain(await drainCommand.promise);
    await server.release();
    webhooks.deliverer.close();
    await tracing.close();
    metrics?.stop();
    await log.flush();
  } finally {
    await db.end({ timeout: 5 });
  }
};

try {
  await runWorker(await serveCommand.promise);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  sendEvent({ kind: 'failed', message, code: getErrorCode(error) });
  process.exitCode = 1;
}
// The open channel would keep the process alive.
process.disconnect();
