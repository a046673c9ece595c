import { localDate } from '../../../domain/time/dates.ts';
import type { FlightReference } from '../../../domain/status/message.ts';
import type { Database } from '../../../store/pool/database.ts';
import {
  formatStatusId,
  listStatuses,
  lockStatuses,
  lockStatusesShared,
} from '../../../store/status/flight-statuses.ts';
import { updateRecoveryOriginals, listPendingRecoveries } from '../../../store/status/unscheduled-instances.ts';
import { flightAddress, isUpToDate, standingFlights } from '../flights/flight-snapshots.ts';
import { matchFlights } from '../match/match-flights.ts';
import { readListRow } from '../flights/schedule-reference.ts';
import type { Taking } from '../store/store-messages.ts';
import { tellChanges } from '../emit-changes.ts';

const readReference = (text: string): FlightReference => {
  const reference: FlightReference = JSON.parse(text);
  return reference;
};

/** Finds the flights that recovery flights recover, where a schedule holds them by now, and tells of it. */
export const linkOriginals = async (db: Database, { directory, ...telling }: Taking): Promise<void> => {
  const pending = await listPendingRecoveries(db);
  const wanted = pending.map(({ recovers }) => ({ flight: readReference(recovers) }));
  const matches = await matchFlights(db, wanted, directory);
  const links = pending.flatMap((recovery, index) => {
    const match = matches[index];
    if (!match || !('target' in match)) return [];
    const { target } = match;
    const address = flightAddress(target);
    if (address === undefined) return [];
    const place = { departsOn: localDate(recovery.departsAt.slice(0, 10)), statusOrder: recovery.statusOrder };
    const originalStatusKey = target.storedStatus?.key.toString('hex') ?? readListRow(target).statusKey;
    return [{ ...recovery, ...place, address, originalStatusKey }];
  });
  if (links.length === 0) return;
  const standing = await standingFlights(db, links);
  await db.begin(async (sql) => {
    await lockStatusesShared(sql);
    const statuses = await lockStatuses(sql, await listStatuses(sql, links));
    const byPlace = new Map(statuses.map((status) => [formatStatusId(status), status]));
    const current = links.flatMap((link) => {
      const status = byPlace.get(formatStatusId(link));
      const flight = standing.get(formatStatusId(link));
      // One that was described anew since waits for the next schedule, as a new one does.
      return status && flight && isUpToDate(flight, status.planned) ? [{ link, status, flight }] : [];
    });
    await updateRecoveryOriginals(
      sql,
      current.map(({ link }) => link),
    );
    const changes = current.map(({ link, status, flight }) => {
      const { read } = flight;
      const after = { ...read, originalStatusKey: link.originalStatusKey };
      return { departsOn: link.departsOn, before: { standing: read, status }, after: { standing: after, status } };
    });
    await tellChanges(sql, changes, telling);
  });
};
