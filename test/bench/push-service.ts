/** The service of the benchmark of push: sequencer, distributor and push worker in one process. */
import { newDeliverer } from '../../src/delivery/webhook/deliver.ts';
import { newTargetGuard } from '../../src/delivery/webhook/target-guard.ts';
import { openDatabase } from '../../src/store/pool/database.ts';
import { distributeEvents } from '../../src/jobs/events/fan-out-events.ts';
import { pushEvents } from '../../src/jobs/deliveries/push-events.ts';
import { sequenceEvents } from '../../src/jobs/events/sequence-events.ts';

/** Processor time of this process, milliseconds, and its memory, megabytes. */
export type ProcessorTime = { readonly cpuMs: number; readonly megabytes: number };

const [url = ''] = process.argv.slice(2);
const db = openDatabase({ url, applicationName: 'flightdata bench service' });
const clock = (): Date => new Date();
const onError = (error: unknown): void => console.error(error);
await sequenceEvents(db, { clock, onError });
await distributeEvents(db, { onError });
const deliverer = newDeliverer({ guard: newTargetGuard({ allow: ['127.0.0.1'] }) });
await pushEvents(db, { deliverer, clock, onError });
process.on('disconnect', () => process.exit());
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const spent: ProcessorTime = { cpuMs: (user + system) / 1000, megabytes: process.memoryUsage.rss() / 2 ** 20 };
  process.send?.(spent);
});
process.send?.('ready');
