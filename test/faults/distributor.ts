import { flushCompileCache } from 'node:module';
import { openDatabase } from '../../src/store/pool/database.ts';
import { distributeEvents, type Distributed } from '../../src/jobs/events/fan-out-events.ts';

/** The process that is killed: it gives events of the log to accounts, a few at once, and tells of each move. */
const [url = '', batch = '5', restMs = '20'] = process.argv.slice(2);

const db = openDatabase({ url, applicationName: 'flightdata-test-distributor', max: 2 });
// The end of the channel is the word to end: it also comes when the test itself has died.
process.on('disconnect', () => process.exit());
await distributeEvents(db, {
  onError: (error) => {
    console.error(error);
    process.exit(1);
  },
  onDistributed: (moved) => process.send?.(moved satisfies Distributed),
  batch: Number(batch),
  restMs: Number(restMs),
});
// Who is killed does not come to write it at its end.
flushCompileCache();
