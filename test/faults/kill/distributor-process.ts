import { flushCompileCache } from 'node:module';
import { openDatabase } from '../../../src/store/pool/database.ts';
import { startEventFanOut, type FanOutProgress } from '../../../src/jobs/events/fan-out-events.ts';

/** Child process: fans out events to accounts in small batches and reports each batch. */
const [url = '', batch = '5', restMs = '20'] = process.argv.slice(2);

const db = openDatabase({ url, applicationName: 'flightdata-test-distributor', max: 2 });
// The IPC channel also closes when the test process dies.
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
// A killed process would not write its compile cache at exit.
flushCompileCache();
