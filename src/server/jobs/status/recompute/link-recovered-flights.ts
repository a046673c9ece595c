import { localDate } from '#domain/time/dates.ts';
import type { FlightReference } from '#domain/status/message.ts';
import type { Database } from '#store/pool/database.ts';
import { formatStatusId, listStatuses, lockStatuses, lockStatusesShared } from '#store/status/flight-statuses.ts';
import { updateRecoveryOriginals, listPendingRecoveries } from '#store/status/unscheduled-instances.ts';
import { formatFlightAddress, isCurrent, readFlightSnapshots } from '../flights/flight-snapshots.ts';
import { matchFlights } from '../match/match-flights.ts';
import { readListRow } from '../flights/schedule-reference.ts';
import type { IngestContext } from '../store/store-messages.ts';
import { emitStatusChanges } from '../emit-changes.ts';

const readReference = (text: string): FlightReference => {
  const reference: FlightReference = JSON.parse(text);
  return reference;
};

/** Links recovery flights to the flights that they recover, where a schedule now contains these, and emits events. */
export const linkRecoveredFlights = async (
  db: Database,
  { masterDataIndex, ...emitOptions }: IngestContext,
): Promise<void> => {
  const pending = await listPendingRecoveries(db);
  const queries = pending.map(({ recovers }) => ({ flight: readReference(recovers) }));
  const matches = await matchFlights(db, queries, masterDataIndex);
  const links = pending.flatMap((recovery, index) => {
    const match = matches[index];
    if (!match || !('target' in match)) return [];
    const { target } = match;
    const address = formatFlightAddress(target);
    if (address === undefined) return [];
    const id = { departsOn: localDate(recovery.departsAt.slice(0, 10)), statusOrder: recovery.statusOrder };
    const originalStatusKey = target.storedStatus?.key.toString('hex') ?? readListRow(target).statusKey;
    return [{ ...recovery, ...id, address, originalStatusKey }];
  });
  if (links.length === 0) return;
  const snapshots = await readFlightSnapshots(db, links);
  await db.begin(async (sql) => {
    await lockStatusesShared(sql);
    const statuses = await lockStatuses(sql, await listStatuses(sql, links));
    const byId = new Map(statuses.map((status) => [formatStatusId(status), status]));
    const current = links.flatMap((link) => {
      const status = byId.get(formatStatusId(link));
      const snapshot = snapshots.get(formatStatusId(link));
      // A flight that was described again in between is linked after the next schedule load.
      return status && snapshot && isCurrent(snapshot, status.describedAt) ? [{ link, status, snapshot }] : [];
    });
    await updateRecoveryOriginals(
      sql,
      current.map(({ link }) => link),
    );
    const changes = current.map(({ link, status, snapshot: { reportable } }) => {
      const after = { ...reportable, originalStatusKey: link.originalStatusKey };
      return { departsOn: link.departsOn, before: { flight: reportable, status }, after: { flight: after, status } };
    });
    await emitStatusChanges(sql, changes, emitOptions);
  });
};
