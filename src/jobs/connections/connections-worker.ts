import { workerData } from 'node:worker_threads';
import { openDatabase } from '../../store/pool/database.ts';
import { buildConnectionsIfDue } from './build-connections.ts';

/** What the thread is to do: build the set of a moment, milliseconds since 1970, where it is due. */
export type ConnectionsJob = { readonly url: string; readonly builtAt: number };

const { url, builtAt }: ConnectionsJob = workerData;
// One connection holds the lock, one does the work, one looks whether there is work at all.
const db = openDatabase({ url, applicationName: 'flightdata connections', max: 3 });
try {
  await buildConnectionsIfDue(db, { builtAt: new Date(builtAt) });
} finally {
  await db.end({ timeout: 5 });
}
