import { toKeyOrder } from '../../../domain/schedule/keys.ts';
import { toDate } from '../../../domain/time/dates.ts';
import type { InstanceRow } from '../../../store/flights/expanded-days.ts';
import type { Sql } from '../../../store/pool/database.ts';
import { formatStatusId, type StatusId } from '../../../store/status/flight-statuses.ts';
import { canDependOnPlan, type FlightSnapshot, readFlightSnapshots, withInstances } from './flight-snapshots.ts';

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
