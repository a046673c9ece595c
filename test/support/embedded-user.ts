import { openEmbedded } from '../../src/store/embedded.ts';

/** A process that opens the engine of the folder it is given and does what it is told, a word a message: the other process of the tests. */
const [dataDir = '', role = ''] = process.argv.slice(2);

const say = (message: unknown): boolean | undefined => process.send?.(message);

const embedded = await openEmbedded({ dataDir, applicationName: 'flightdata-test-other', log: () => {} }).catch((failure: unknown) => {
  say({ failed: String(failure) });
  process.exit();
});
// The end of the channel is the word to close: it also comes when the test itself has died.
process.on('disconnect', () => void embedded.close().finally(() => process.exit()));
try {
  if (role === 'server') await embedded.claimServerRole();
  const [row] = await embedded.sql<{ pid: string; system: string }[]>`
    select split_part(pg_read_file('postmaster.pid'), e'\n', 1) as pid, system_identifier::text as system from pg_control_system()`;
  say({ opened: row });
} catch (failure) {
  say({ failed: String(failure) });
}
