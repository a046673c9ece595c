/** A worker of `flightdata serve`: it answers requests and does nothing else. It ends with the first process, however that ends. */
import { readConfig } from '../../config.ts';
import { createAccessLog } from '../../http/observability/access-log.ts';
import { openDatabase } from '../../store/pool/database.ts';
import { clockMovedBy } from '../clock.ts';
import { countBuffersAsHeap } from '../count-buffers-as-heap.ts';
import { openTracing } from '../open-tracing.ts';
import { openWebhooks } from '../open-webhooks.ts';
import { reportSeldom } from '../report-seldom.ts';
import { answerHttp } from './answer-http.ts';
import { watchServing } from './watch-serving.ts';
import { tellMetrics } from './worker-metrics.ts';
import { isOrder, type WorkerNews, type WorkerOrder } from './worker-orders.ts';

type Serving = Extract<WorkerOrder, { readonly kind: 'serve' }>;

// A terminal and systemd tell all processes of a service to end; the first one says when.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
countBuffersAsHeap();

const tell = (news: WorkerNews): void => void process.send?.(news);

const wanted = Promise.withResolvers<Serving>();
let isListening = false;
const ending = Promise.withResolvers<number>();
process.on('message', (message) => {
  if (!isOrder(message)) return;
  if (message.kind === 'serve') return wanted.resolve(message);
  // Nobody has asked anything of one that does not listen yet.
  if (!isListening) process.exit(0);
  return ending.resolve(message.waitMs);
});
// The first process is gone, or this one has let go of it in the end.
process.on('disconnect', () => process.exit());
tell({ kind: 'ready' });

const work = async ({ url, hostname, port, movedMs }: Serving): Promise<void> => {
  const config = readConfig();
  const clock = clockMovedBy(movedMs);
  const written = createAccessLog();
  const watch = config.metrics && watchServing(written);
  const counted = watch?.log ?? written;
  if (watch) tellMetrics(watch.observe);
  const onTracesError = reportSeldom((error) => counted.failure(error, clock(), 'traces'), clock);
  const tracing = openTracing(config, onTracesError);
  watch?.add(tracing.observe);
  const log = tracing.log(counted);
  const webhooks = await openWebhooks(config, clock);
  const applicationName = 'flightdata serve';
  const db = openDatabase({ url, applicationName, max: 3 });
  try {
    const answering = await answerHttp(db, {
      url,
      applicationName,
      config,
      clock,
      log,
      addMetrics: (observe) => watch?.add(observe),
      webhooks,
      tracing,
      hostname,
      port,
    });
    isListening = true;
    tell({ kind: 'listening', port: answering.port });
    await answering.drain(await ending.promise);
    await answering.release();
    webhooks.deliverer.close();
    await tracing.close();
    watch?.stop();
    await log.flush();
  } finally {
    await db.end({ timeout: 5 });
  }
};

try {
  await work(await wanted.promise);
} catch (error) {
  tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
}
// Without its channel nothing keeps it.
process.disconnect();
