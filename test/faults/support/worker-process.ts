import { flushCompileCache } from 'node:module';
import { openDatabase } from '#store/pool/database.ts';

/** Child process: one worker on a database; it reports when it is ready, and each batch. */
const [kind = '', url = '', text = '{}'] = process.argv.slice(2);

const db = openDatabase({ url, applicationName: `flightdata-test-${kind}`, max: 4 });
const settings: Readonly<Record<string, number>> & {
  readonly secret?: string;
  readonly url?: string;
} = JSON.parse(text);
const clock = (): Date => new Date();
const onError = (error: unknown): void => {
  console.error(error);
  process.exit(1);
};
const report = (): void => void process.send?.('batch');

type Stop = () => Promise<unknown>;
// Each kind loads its own modules only: a process starts in half of the time.
const starters: Readonly<Record<string, () => Promise<Stop>>> = {
  sequencer: async () => {
    const { startEventSequencer } = await import('#jobs/events/sequence-events.ts');
    return startEventSequencer(db, { clock, onError, onSequenced: report, ...settings });
  },
  distributor: async () => {
    const { startEventFanOut } = await import('#jobs/events/fan-out-events.ts');
    return startEventFanOut(db, { onError, onProgress: report, ...settings });
  },
  push: async () => {
    const { startEventDelivery } = await import('#jobs/deliveries/deliver-events.ts');
    const { createLoopbackDeliverer } = await import('#test/jobs/deliveries/delivery-fixture.ts');
    return startEventDelivery(db, { deliverer: createLoopbackDeliverer(), clock, onError, ...settings });
  },
  hub: async () => {
    const { startHubPublisher } = await import('#jobs/events/publish-to-hub.ts');
    const { deriveHubKeys } = await import('#delivery/hub/hub-keys.ts');
    const keys = deriveHubKeys(Buffer.from(settings.secret ?? '', 'hex'));
    const small = { batch: 20, pollMs: 20, leaseMs: 200 };
    // Connection errors are expected: the test kills the broker.
    const onPublished = { onError: () => {}, onPublished: report };
    return startHubPublisher(db, {
      url: settings.url ?? '',
      keys,
      clock,
      replicas: settings['replicas'] ?? 1,
      ...onPublished,
      ...small,
    });
  },
};

// The IPC channel also closes when the test process dies.
process.on('disconnect', () => process.exit());
const stop = await starters[kind]?.();
process.on('message', () => void stop?.().then(() => process.exit()));
process.send?.('ready');
// A killed process would not write its compile cache at exit.
flushCompileCache();
