import { openEmbedded } from '#store/engine/embedded.ts';

/** Sent once: the process ID of PostgreSQL and the system identifier of the cluster, or why it failed. */
export type ProcessMessage = {
  readonly opened?: { readonly pid: string; readonly system: string } | undefined;
  readonly failed?: string | undefined;
};

/** Child process of tests: opens the engine of the given folder, reports the result, and closes when its IPC channel ends. */
const [dataDir = '', role = ''] = process.argv.slice(2);
const say = (message: ProcessMessage): boolean | undefined => process.send?.(message);

const embedded = await openEmbedded({ dataDir, applicationName: 'flightdata-test-other', log: () => {} }).catch(
  (failure: unknown) => {
    say({ failed: String(failure) });
    process.exit();
  },
);
// The channel also ends when the test process dies.
process.on('disconnect', () => void embedded.close().finally(() => process.exit()));
try {
  if (role === 'server') await embedded.claimServerRole();
  const [row] = await embedded.sql<{ pid: string; system: string }[]>`
    select split_part(pg_read_file('postmaster.pid'), e'\n', 1) as pid, system_identifier::text as system from pg_control_system()`;
  say({ opened: row });
} catch (failure) {
  say({ failed: String(failure) });
}
