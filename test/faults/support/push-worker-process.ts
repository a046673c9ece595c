import { openDatabase } from '../../../src/store/pool/database.ts';
import { startEventDelivery, type EventDeliveryOptions } from '../../../src/jobs/deliveries/deliver-events.ts';
import { createLoopbackDeliverer } from '../../jobs/deliveries/delivery-fixture.ts';

/** Child process: delivers the events of a database with these settings. */
const [url = '', text = '{}'] = process.argv.slice(2);
type Settings = Partial<
  Pick<EventDeliveryOptions, 'maxEndpoints' | 'maxConcurrency' | 'leaseMs' | 'pollMs' | 'writeMs' | 'turnMs'>
>;
const settings: Settings = JSON.parse(text);

const db = openDatabase({ url, applicationName: 'flightdata-test-push', max: 4 });
// The IPC channel also closes when the test process dies.
process.on('disconnect', () => process.exit());
const stop = await startEventDelivery(db, {
  deliverer: createLoopbackDeliverer(),
  clock: () => new Date(),
  onError: (error) => {
    console.error(error);
    process.exit(1);
  },
  ...settings,
});
process.on('message', () => {
  void stop().then(() => process.exit());
});
process.send?.('ready');
