import { deriveHubKeys } from '../../../src/delivery/hub/hub-keys.ts';
import { openDatabase } from '../../../src/store/pool/database.ts';
import { startHubPublisher } from '../../../src/jobs/events/publish-to-hub.ts';

/** The process that is killed: it publishes what accounts are given, a few events at once, and says how many whenever some are there. */
const [url = '', hubUrl = '', secret = '', batch = '20'] = process.argv.slice(2);

const db = openDatabase({ url, applicationName: 'flightdata-test-hub', max: 2 });
// The end of the channel is the word to end: it also comes when the test itself has died.
process.on('disconnect', () => process.exit());
await startHubPublisher(db, {
  url: hubUrl,
  keys: deriveHubKeys(Buffer.from(secret, 'hex')),
  clock: () => new Date(),
  // That the broker is away is what is tested.
  onError: () => {},
  onPublished: (events) => process.send?.(events),
  batch: Number(batch),
  pollMs: 20,
  leaseMs: 200,
});
