import { deriveHubKeys } from '../../../src/delivery/hub/hub-keys.ts';
import { openDatabase } from '../../../src/store/pool/database.ts';
import { startHubPublisher } from '../../../src/jobs/events/publish-to-hub.ts';

/** Child process: publishes account events to the hub in small batches and reports the size of each batch. */
const [url = '', hubUrl = '', secret = '', batch = '20'] = process.argv.slice(2);

const db = openDatabase({ url, applicationName: 'flightdata-test-hub', max: 2 });
// The IPC channel also closes when the test process dies.
process.on('disconnect', () => process.exit());
await startHubPublisher(db, {
  url: hubUrl,
  keys: deriveHubKeys(Buffer.from(secret, 'hex')),
  clock: () => new Date(),
  // Connection errors are expected: the test kills the broker.
  onError: () => {},
  onPublished: (events) => process.send?.(events),
  batch: Number(batch),
  pollMs: 20,
  leaseMs: 200,
});
