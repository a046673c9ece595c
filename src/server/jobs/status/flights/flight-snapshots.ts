import { findOperating } from '#domain/schedule/designators.ts';
import { toKeyOrder } from '#domain/schedule/keys.ts';
import { formatDate, localDate, toDate } from '#domain/time/dates.ts';
import { mapInTurns } from '#lib/map-in-turns.ts';
import { type ParsedFlight, parseFlight } from '#products/flight-info-alerts/v1/events/build-content.ts';
import { renderCodeshareRow } from '#products/flight-info/v2/to-codeshare-row.ts';
import { parseCodeshare } from '#store/flights/codeshares.ts';
import type { InstanceRow } from '#store/flights/instance-row.ts';
import type { Sql } from '#store/pool/database.ts';
import {
  formatStatusId,
  toDistinctIds,
  listPlanTimes,
  type MessageTime,
  type ScheduleReference,
  type StatusId,
} from '#store/status/flight-statuses.ts';
import {
  listCandidatesByKey,
  listInstancesOfStatuses,
  type StatusCandidate,
  type StatusInstanceRow,
} from '#store/status/status-instances.ts';
import { PENDING_ORIGINAL } from '#store/status/unscheduled-instances.ts';
import { type ListRow, readListRow, toScheduleReference, withScheduleReference } from './schedule-reference.ts';

/** Formats the address of a scheduled flight, departure date and key; undefined for other flights. */
export const formatFlightAddress = (target: StatusCandidate | undefined): string | undefined =>
  target?.flightType === 'S' ? `${formatDate(target.departsOn)}/${target.key.toString('hex')}` : undefined;

/** Only times are compared, so the airports do not matter. */
const scheduled = { departure: 0, arrival: 0, flightType: 'S', isRecovery: false } as const;

const hasTimesOf = (row: ListRow, { scheduledOut, scheduledIn }: ScheduleReference): boolean => {
  const times = toScheduleReference(scheduled, row);
  return times.scheduledOut === scheduledOut && times.scheduledIn === scheduledIn;
};

/**
 * Returns a scheduled flight at the times of the schedule reference of its status. A load that retimes a flight changes its times first and its
 * status later; until then events have the old times, so that time and variation change in one event. Marketing flights that are filed with
 * other times keep these.
 */
export const withReferenceTimes = (reportable: ReportableFlight, reference: ScheduleReference): ReportableFlight => {
  const { instances } = reportable.flight;
  const operating = findOperating(instances);
  // A flight without a schedule key is described by messages.
  if (operating?.row.scheduleInstanceKey === undefined || hasTimesOf(operating.row, reference)) return reportable;
  const now = toScheduleReference(scheduled, operating.row);
  const moved = instances.map((one) =>
    hasTimesOf(one.row, now) ? { ...one, row: withScheduleReference(one.row, reference) } : one,
  );
  return { ...reportable, flight: { ...reportable.flight, instances: moved } };
};

/** The status keys of flights that recovery flights recover, by address. */
type RecoveredFlights = ReadonlyMap<string, string>;

/** A parsed flight, from which events are built with any status. */
export type ReportableFlight = {
  /** The flight key of each designator, 64 hexadecimal digits, in the order of the instances. */
  readonly keys: readonly string[];
  readonly flight: ParsedFlight;
  readonly originalStatusKey: string | undefined;
};

/** A flight at the time of a query; without instances it is not known yet. */
export type FlightSnapshot = {
  readonly instances: readonly StatusInstanceRow[];
  /** The message that described it, if it is not scheduled. */
  readonly describedAt: MessageTime | undefined;
  readonly recovered: RecoveredFlights;
  /** The parsed instances. */
  readonly reportable: ReportableFlight;
};

/** The database has changed since a snapshot was read: the transaction is rolled back and repeated with a new snapshot. */
export class StaleSnapshotError extends Error {}

const readRecoveredFlights = async (sql: Sql, addresses: ReadonlySet<string>): Promise<RecoveredFlights> => {
  const parts = [...addresses].map((address) => {
    const [date = '', key = ''] = address.split('/');
    return { address, date: localDate(date), key: Buffer.from(key, 'hex') };
  });
  const found = new Map<string, string>();
  for (const [from, ofDay] of Map.groupBy(parts, ({ date }) => date)) {
    const orders = ofDay.map(({ key }) => toKeyOrder(key));
    for (const target of await listCandidatesByKey(sql, { kind: 'schedule', from, days: 1 }, orders))
      for (const { address } of ofDay.filter(({ key }) => key.equals(target.key)))
        found.set(address, target.storedStatus?.key.toString('hex') ?? readListRow(target).statusKey);
  }
  return found;
};

const isAddress = (original: string | undefined): original is string =>
  original !== undefined && original !== '' && !original.startsWith(PENDING_ORIGINAL);

/** Whether a flight is, or may become, known only by the description in a message. */
const canDependOnPlan = (instances: readonly StatusInstanceRow[]): boolean =>
  instances.every(({ flightType }) => flightType === 'S') ? instances.length === 0 : true;

const toReportable = (instances: readonly StatusInstanceRow[], recovered: RecoveredFlights): ReportableFlight => ({
  keys: instances.map(({ key }) => key.toString('hex')),
  flight: parseFlight(
    instances.map(({ doc, codeshare, seats, isMarketing }) => ({
      doc: codeshare === undefined ? doc : renderCodeshareRow(doc, parseCodeshare(codeshare)),
      seats,
      isMarketing,
      details: undefined,
    })),
  ),
  originalStatusKey: instances.flatMap(({ original }) => recovered.get(original ?? '') ?? [])[0],
});

/** Returns the snapshot with other instances. */
export const withInstances = (snapshot: FlightSnapshot, instances: readonly StatusInstanceRow[]): FlightSnapshot => ({
  ...snapshot,
  instances,
  reportable: toReportable(instances, snapshot.recovered),
});

/**
 * Reads what events contain of flights besides their status, by status ID. `plans` are flights that messages describe. Call it before the
 * transaction that writes: one that has locked statuses must not wait for a day of instances, because a schedule load may have locked the day
 * and wait for the statuses.
 */
export const readFlightSnapshots = async (
  sql: Sql,
  ids: readonly StatusId[],
  plans: readonly InstanceRow[] = [],
): Promise<ReadonlyMap<string, FlightSnapshot>> => {
  const unique = toDistinctIds(ids);
  // Read before the instances: if the flight is described again in between, `isCurrent` then detects the older plan.
  const described = await listPlanTimes(sql, unique);
  const instances = Map.groupBy(await listInstancesOfStatuses(sql, unique), formatStatusId);
  const all = [...[...instances.values()].flat(), ...plans];
  const recovered = await readRecoveredFlights(sql, new Set(all.map(({ original }) => original).filter(isAddress)));
  const snapshots = await mapInTurns(unique, (id) => {
    const name = formatStatusId(id);
    const ofFlight = instances.get(name) ?? [];
    const reportable = toReportable(ofFlight, recovered);
    return [name, { instances: ofFlight, describedAt: described.get(name), recovered, reportable }] as const;
  });
  return new Map(snapshots);
};

/** Whether the description of a flight is still that of the snapshot. It changes only under the lock of the status, which the caller holds. */
export const isCurrent = ({ instances, describedAt }: FlightSnapshot, now: MessageTime | undefined): boolean =>
  !canDependOnPlan(instances) || (describedAt?.observedAt === now?.observedAt && describedAt?.id === now?.id);

/** Returns the instances of a flight that a message describes: itself, then its marketing flights. */
const toInstances = (plan: InstanceRow): readonly StatusInstanceRow[] => {
  const operating: StatusInstanceRow = {
    departsOn: toDate(plan.departsAt),
    statusOrder: toKeyOrder(plan.statusKey),
    key: plan.key,
    departure: plan.departureId,
    arrival: plan.arrivalId,
    flightType: plan.flightType,
    isMarketing: plan.isMarketing,
    doc: plan.doc,
    seats: undefined,
    original: plan.original,
  };
  const marketing = (plan.codeshares ?? []).map((codeshare) => ({
    ...operating,
    key: Buffer.from(codeshare.key, 'hex'),
    isMarketing: true,
    codeshare: JSON.stringify(codeshare),
  }));
  return [operating, ...marketing];
};

/** Returns the snapshot with the flight that a message describes, in addition to scheduled instances. */
export const withPlan = (snapshot: FlightSnapshot, plan: InstanceRow): FlightSnapshot => {
  const scheduled = snapshot.instances.filter(({ flightType }) => flightType === 'S');
  const filed = new Set(scheduled.map(({ key }) => key.toString('hex')));
  return withInstances(snapshot, [
    ...scheduled,
    ...toInstances(plan).filter(({ key }) => !filed.has(key.toString('hex'))),
  ]);
};

/** Limits the cache to about 100 MB, if each flight has one marketing designator. */
const MAX_FLIGHTS = 10_000;

/** The snapshots as of one schedule load, by status ID. */
type LoadSnapshots = {
  readonly get: (id: string) => FlightSnapshot | undefined;
  readonly set: (id: string, snapshot: FlightSnapshot) => void;
};

/** Caches snapshots of scheduled flights: ten or more messages of a flight arrive within hours, and only a schedule load changes it. */
export type FlightCache = {
  /** Returns the snapshots as of a load, and drops those of another load. */
  readonly forLoad: (load: number) => LoadSnapshots;
};

/** Creates an empty cache. */
export const createFlightCache = (maxFlights = MAX_FLIGHTS): FlightCache => {
  let currentLoad: number | undefined;
  let snapshots = new Map<string, FlightSnapshot>();
  return {
    forLoad: (load) => {
      if (load !== currentLoad) {
        currentLoad = load;
        snapshots = new Map();
      }
      const ofLoad = snapshots;
      return {
        get: (id) => ofLoad.get(id),
        set: (id, snapshot) => {
          const [oldest] = ofLoad.size < maxFlights ? [] : ofLoad.keys();
          if (oldest !== undefined) ofLoad.delete(oldest);
          ofLoad.set(id, snapshot);
        },
      };
    },
  };
};

/** Until its status is recomputed, events of a flight that a schedule now holds are built from its description. */
const withoutScheduled = (snapshot: FlightSnapshot): FlightSnapshot => {
  const { instances } = snapshot;
  const isReplaced = instances.some(({ flightType, original }) => flightType !== 'S' && original === undefined);
  if (!isReplaced || instances.length === 1) return snapshot;
  return withInstances(
    snapshot,
    instances.filter(({ flightType }) => flightType !== 'S'),
  );
};

/** Returns the snapshots of flights, from the cache where possible, by status ID. `plans` are flights that messages describe. */
export const readCachedSnapshots = async (
  sql: Sql,
  { ids, plans }: { readonly ids: readonly StatusId[]; readonly plans: readonly InstanceRow[] },
  cached: LoadSnapshots | undefined,
): Promise<ReadonlyMap<string, FlightSnapshot>> => {
  const described = new Set(
    plans.map(({ departsAt, statusKey }) =>
      formatStatusId({ departsOn: toDate(departsAt), statusOrder: toKeyOrder(statusKey) }),
    ),
  );
  const snapshots = new Map<string, FlightSnapshot>();
  for (const id of new Set(ids.map(formatStatusId))) {
    const snapshot = described.has(id) ? undefined : cached?.get(id);
    if (snapshot) snapshots.set(id, snapshot);
  }
  const read = await readFlightSnapshots(
    sql,
    ids.filter((id) => !snapshots.has(formatStatusId(id))),
    plans,
  );
  for (const [id, snapshot] of read) {
    snapshots.set(id, withoutScheduled(snapshot));
    if (canDependOnPlan(snapshot.instances) || described.has(id)) continue;
    // The documents are parsed already; without them the cache is smaller.
    const instances = snapshot.instances.map((instance) => ({ ...instance, doc: '', seats: undefined }));
    cached?.set(id, { ...snapshot, instances });
  }
  return snapshots;
};
