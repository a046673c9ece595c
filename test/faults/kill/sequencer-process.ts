import { flushCompileCache } from 'node:module';
import { openDatabase } from '../../../src/store/pool/database.ts';
import { startEventSequencer } from '../../../src/jobs/events/sequence-events.ts';

/** The process that is killed: it moves events into the log of the database it is given, a few at once, and tells of each move. */
const [url = '', batch = '5', restMs = '20'] = process.argv.slice(2);

const db = openDatabase({ url, applicationName: 'flightdata-test-sequencer', max: 2 });
// The end of the channel is the word to end: it also comes when the test itself has died.
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
// Who is killed does not come to write it at its end.
flushCompileCache();
