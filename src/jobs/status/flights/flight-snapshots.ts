import { toKeyOrder } from '../../../domain/schedule/keys.ts';
import { findOperating } from '../../../domain/schedule/designators.ts';
import { toDate, formatDate, localDate } from '../../../domain/time/dates.ts';
import { parseFlight, type ParsedFlight } from '../../../products/flight-info-alerts/v1/events/status-content.ts';
import type { InstanceRow } from '../../../store/flights/expanded-days.ts';
import type { Sql } from '../../../store/pool/database.ts';
import {
  listPlanTimes,
  type MessageTime,
  formatStatusId,
  type ScheduleReference,
  type StatusId,
} from '../../../store/status/flight-statuses.ts';
import { listInstancesOfStatuses, type StatusInstanceRow } from '../../../store/status/status-instances.ts';
import { type StatusCandidate, listCandidatesByKey } from '../../../store/status/status-candidates.ts';
import { PENDING_ORIGINAL } from '../../../store/status/unscheduled-instances.ts';
import { frameOf, type ListRow, readListRow, rowInFrame } from './schedule-reference.ts';

/** Date and key of a scheduled flight, as they stand in its address; undefined for other flights, which have none. */
export const flightAddress = (target: StatusCandidate | undefined): string | undefined =>
  target?.flightType === 'S' ? `${formatDate(target.departsOn)}/${target.key.toString('hex')}` : undefined;

/** Only times are compared, so the places do not matter. */
const scheduled = { departure: 0, arrival: 0, flightType: 'S', isRecovery: false } as const;

const isAt = (row: ListRow, { scheduledOut, scheduledIn }: ScheduleReference): boolean => {
  const times = frameOf(scheduled, row);
  return times.scheduledOut === scheduledOut && times.scheduledIn === scheduledIn;
};

/**
 * A scheduled flight at the times that its status is compared with. Those are others than the schedule has between a load that retimes
 * it and the moment when its status is counted anew: until then it is told at its old times, as its variations are, and then both change
 * at once. Designators that are filed with times of their own keep these.
 */
export const atTimesOf = (tellable: TellableFlight, frame: ScheduleReference): TellableFlight => {
  const { instances } = tellable.flight;
  const operating = findOperating(instances);
  if (!operating || operating.row.flightType !== 'Scheduled' || isAt(operating.row, frame)) return tellable;
  const now = frameOf(scheduled, operating.row);
  const moved = instances.map((one) => (isAt(one.row, now) ? { ...one, row: rowInFrame(one.row, frame) } : one));
  return { ...tellable, flight: { ...tellable.flight, instances: moved } };
};

/** The status keys of flights that are recovered, by the addresses that lead to them. */
type Originals = ReadonlyMap<string, string>;

/** A flight that was read, to be told with any status. */
export type TellableFlight = {
  /** What the events of each designator are counted by, 64 hexadecimal digits, in the order of the designators told. */
  readonly keys: readonly string[];
  readonly flight: ParsedFlight;
  readonly originalStatusKey: string | undefined;
};

/** A flight as schedules and plans have it when it is looked up; without instances it is not known yet. */
export type StandingFlight = {
  readonly instances: readonly StatusInstanceRow[];
  /** The message that described it, where no schedule holds it. */
  readonly planned: MessageTime | undefined;
  readonly originals: Originals;
  /** The instances, read. */
  readonly read: TellableFlight;
};

/** What was looked up has changed since: it is looked up again, and what was done with it is undone. */
export class OutOfDate extends Error {}

const originalsAt = async (sql: Sql, addresses: ReadonlySet<string>): Promise<Originals> => {
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

/** Whether a plan may have been, or may be, all that is known of a flight. */
export const restsOnPlan = (instances: readonly StatusInstanceRow[]): boolean =>
  instances.every(({ flightType }) => flightType === 'S') ? instances.length === 0 : true;

const readInstances = (instances: readonly StatusInstanceRow[], originals: Originals): TellableFlight => ({
  keys: instances.map(({ key }) => key.toString('hex')),
  flight: parseFlight(
    instances.map(({ doc, seats, isMarketing }) => ({ doc, seats, isMarketing, details: undefined })),
  ),
  originalStatusKey: instances.flatMap(({ original }) => originals.get(original ?? '') ?? [])[0],
});

/** The same flight with other instances. */
export const withInstances = (standing: StandingFlight, instances: readonly StatusInstanceRow[]): StandingFlight => ({
  ...standing,
  instances,
  read: readInstances(instances, standing.originals),
});

/**
 * What is told of flights beside their status, by the names of their places. `plans` are flights that messages describe. It is
 * asked for before the transaction that writes: none that holds statuses may open the days of instances, since a schedule load
 * may hold those and wait for events of the same flights.
 */
export const standingFlights = async (
  sql: Sql,
  places: readonly StatusId[],
  plans: readonly InstanceRow[] = [],
): Promise<ReadonlyMap<string, StandingFlight>> => {
  const unique = [...new Map(places.map((place) => [formatStatusId(place), place])).values()];
  // Before the instances: of a flight that is described anew in between, `isUpToDate` then tells that its plan is an older one.
  const planned = await listPlanTimes(sql, unique);
  const instances = Map.groupBy(await listInstancesOfStatuses(sql, unique), formatStatusId);
  const all = [...[...instances.values()].flat(), ...plans];
  const originals = await originalsAt(sql, new Set(all.map(({ original }) => original).filter(isAddress)));
  return new Map(
    unique.map((place) => {
      const name = formatStatusId(place);
      const ofFlight = instances.get(name) ?? [];
      return [
        name,
        { instances: ofFlight, planned: planned.get(name), originals, read: readInstances(ofFlight, originals) },
      ];
    }),
  );
};

/**
 * Whether the plan that a flight rests on is still the one that was looked up. A plan is written with the status of its flight
 * locked, and only with its time: under that lock the answer holds.
 */
export const isUpToDate = ({ instances, planned }: StandingFlight, now: MessageTime | undefined): boolean =>
  !restsOnPlan(instances) || (planned?.observedAt === now?.observedAt && planned?.id === now?.id);

/** The flight as a plan describes it, beside whatever a schedule holds. */
export const withPlan = (standing: StandingFlight, plan: InstanceRow): StandingFlight =>
  withInstances(standing, [
    ...standing.instances.filter(({ flightType }) => flightType === 'S'),
    {
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
    },
  ]);
