/** The service of the push benchmark: sequencer, fan-out and push worker in one process. */
import { createDeliverer } from '#delivery/webhook/deliverer.ts';
import { createTargetGuard } from '#delivery/webhook/target-guard.ts';
import { openDatabase } from '#store/pool/database.ts';
import { startEventFanOut } from '#jobs/events/fan-out-events.ts';
import { startEventDelivery } from '#jobs/deliveries/deliver-events.ts';
import { startEventSequencer } from '#jobs/events/sequence-events.ts';
import { loopbackAllowList } from '../support/offline-deliverer.ts';

const [url = ''] = process.argv.slice(2);
const db = openDatabase({ url, applicationName: 'flightdata bench service' });
const clock = (): Date => new Date();
const onError = (error: unknown): void => console.error(error);
await startEventSequencer(db, { clock, onError });
await startEventFanOut(db, { onError });
const deliverer = createDeliverer({ guard: createTargetGuard({ allow: loopbackAllowList }) });
await startEventDelivery(db, { deliverer, clock, onError });
process.on('disconnect', () => process.exit());
process.send?.('ready');
