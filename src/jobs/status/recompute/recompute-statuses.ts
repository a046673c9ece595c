import { findOperating } from '../../../domain/schedule/designators.ts';
import { parseObservation } from '../../../domain/status/observed-flight.ts';
import type { Database, Sql } from '../../../store/pool/database.ts';
import {
  type FlightStatusRow,
  formatStatusId,
  listStatuses,
  lockStatuses,
  lockStatusesShared,
  type ScheduleReference,
  type StatusId,
  updateStatuses,
} from '../../../store/status/flight-statuses.ts';
import { getNewestLoadId } from '../../../store/schedules/schedules.ts';
import type { StatusInstanceRow } from '../../../store/status/status-instances.ts';
import { listMessages } from '../../../store/status/status-messages.ts';
import { deleteSupersededInstances } from '../../../store/status/unscheduled-instances.ts';
import {
  atTimesOf,
  isUpToDate,
  OutOfDate,
  type StandingFlight,
  standingFlights,
  withInstances,
} from '../flights/flight-snapshots.ts';
import { recountStatus } from '../store/compute-status.ts';
import { frameOf, readListRow } from '../flights/schedule-reference.ts';
import type { Taking } from '../store/store-messages.ts';
import { tellChanges, unobserved, type StatusChange } from '../emit-changes.ts';
import { withholding } from '../privacy/redact-registrations.ts';

/** Flights that a schedule bears on; `gaveWay` names those among them that no schedule held before. */
type Reframing = { readonly places: readonly StatusId[]; readonly gaveWay: ReadonlySet<string> };

/** Of a flight that gives way what is scheduled remains, and recovery flights, which fly beside what they recover. */
const remaining = ({ flightType, original }: StatusInstanceRow): boolean =>
  flightType === 'S' || original !== undefined;

const frameOfInstance = (instance: StatusInstanceRow): ScheduleReference =>
  frameOf({ ...instance, isRecovery: instance.original !== undefined }, readListRow(instance));

type Reframed = { readonly row: FlightStatusRow; readonly change: StatusChange };

type Recounting = {
  readonly messages: Parameters<typeof recountStatus>[1];
  readonly withheld: Awaited<ReturnType<typeof withholding>>;
  readonly gaveWay: boolean;
  readonly taking: Taking;
};

const reframeOne = (
  status: FlightStatusRow,
  standing: StandingFlight,
  { messages, withheld, gaveWay, taking }: Recounting,
): readonly Reframed[] => {
  // Its times are those that a status is compared with.
  const operating = findOperating(standing.instances);
  if (!operating) return [];
  if (!isUpToDate(standing, status.planned)) throw new OutOfDate('a flight was described anew');
  const frame = frameOfInstance(operating);
  const row = withheld(recountStatus(status, messages, { frame, directory: taking.directory }));
  const now = standing.read;
  // Under its own keys nothing was ever told of a flight that was known as another: all that was observed is news.
  const before = gaveWay
    ? { standing: now, status: unobserved }
    : { standing: atTimesOf(now, status.reference), status };
  return [{ row, change: { departsOn: row.departsOn, before, after: { standing: now, status: row } } }];
};

const reframeWithin = async (
  sql: Sql,
  { places, gaveWay, flights }: Reframing & { readonly flights: ReadonlyMap<string, StandingFlight> },
  taking: Taking,
): Promise<void> => {
  const locked = await lockStatuses(sql, await listStatuses(sql, places));
  const withheld = await withholding(sql, locked);
  const statuses = locked.map(withheld);
  const messages = Map.groupBy(await listMessages(sql, places), formatStatusId);
  const reframed = statuses.flatMap((status) => {
    const name = formatStatusId(status);
    const standing = flights.get(name);
    if (!standing) return [];
    return reframeOne(status, standing, {
      messages: (messages.get(name) ?? []).map(parseObservation),
      withheld,
      gaveWay: gaveWay.has(name),
      taking,
    });
  });
  await deleteSupersededInstances(
    sql,
    places.filter((place) => gaveWay.has(formatStatusId(place))),
  );
  await updateStatuses(
    sql,
    reframed.map(({ row }) => row),
  );
  // Where nothing was observed, a status event has nothing to tell.
  const observed = reframed.filter(({ row }) => row.doc !== '');
  await tellChanges(
    sql,
    observed.map(({ change }) => change),
    taking,
  );
};

/**
 * Counts statuses anew against the schedule in force, and tells what that changes. The flights are looked up before the transaction,
 * as for messages; a schedule that is put in force meanwhile makes it begin again.
 */
export const reframe = async (db: Database, reframing: Reframing, taking: Taking): Promise<void> => {
  for (;;)
    try {
      const load = await getNewestLoadId(db);
      const found = await standingFlights(db, reframing.places);
      const flights = new Map(
        [...found].map(([name, standing]) => [
          name,
          reframing.gaveWay.has(name) ? withInstances(standing, standing.instances.filter(remaining)) : standing,
        ]),
      );
      await db.begin(async (sql) => {
        await lockStatusesShared(sql);
        if ((await getNewestLoadId(sql)) !== load) throw new OutOfDate('a schedule was loaded');
        await reframeWithin(sql, { ...reframing, flights }, taking);
      });
      return;
    } catch (error) {
      if (!(error instanceof OutOfDate)) throw error;
    }
};
