import { flushCompileCache } from 'node:module';
import { openDatabase } from '../../../src/store/pool/database.ts';
import { startEventFanOut, type FanOutProgress } from '../../../src/jobs/events/fan-out-events.ts';

/** The process that is killed: it gives events of the log to accounts, a few at once, and tells of each move. */
const [url = '', batch = '5', restMs = '20'] = process.argv.slice(2);

const db = openDatabase({ url, applicationName: 'flightdata-test-distributor', max: 2 });
// The end of the channel is the word to end: it also comes when the test itself has died.
process.on('disconnect', () => process.exit());
await startEventFanOut(db, {
  onError: (error) => {
    console.error(error);
    process.exit(1);
  },
  onProgress: (moved) => process.send?.(moved satisfies FanOutProgress),
  batch: Number(batch),
  standbyMs: Number(restMs),
});
// Who is killed does not come to write it at its end.
flushCompileCache();
