import { flushCompileCache } from 'node:module';
import { openDatabase } from '../../../src/store/pool/database.ts';
import { startEventSequencer } from '../../../src/jobs/events/sequence-events.ts';

/** Child process: moves events into the log in small batches and reports each batch. */
const [url = '', batch = '5', restMs = '20'] = process.argv.slice(2);

const db = openDatabase({ url, applicationName: 'flightdata-test-sequencer', max: 2 });
// The IPC channel also closes when the test process dies.
process.on('disconnect', () => process.exit());
await startEventSequencer(db, {
  clock: () => new Date(),
  onError: (error) => {
    console.error(error);
    process.exit(1);
  },
  onSequenced: ({ events, last }) => process.send?.({ events, last }),
  batch: Number(batch),
  standbyMs: Number(restMs),
});
// A killed process would not write its compile cache at exit.
flushCompileCache();
