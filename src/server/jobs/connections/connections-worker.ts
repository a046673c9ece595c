import { workerData } from 'node:worker_threads';
import { openDatabase } from '#store/pool/database.ts';
import { buildConnectionsIfDue } from './build-connections.ts';

/** The input of the thread: the database, and the build time in milliseconds since 1970. */
export type ConnectionsJob = { readonly url: string; readonly builtAt: number };

const { url, builtAt }: ConnectionsJob = workerData;
// One connection holds the lock, one builds, one checks whether a build is due.
const db = openDatabase({ url, applicationName: 'flightdata connections', max: 3 });
try {
  await buildConnectionsIfDue(db, { builtAt: new Date(builtAt) });
} finally {
  await db.end({ timeout: 5 });
}
