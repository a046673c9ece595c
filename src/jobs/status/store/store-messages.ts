import type { Directory } from '../../../domain/master-data/directory.ts';
import { compareObservations, parseObservation, formatObservation } from '../../../domain/status/observed-flight.ts';
import type { StatusMessage } from '../../../domain/status/message.ts';
import type { Sql } from '../../../store/pool/database.ts';
import {
  lockStatuses,
  replaceDiversions,
  updateStatuses,
  type FlightStatusRow,
  formatStatusId,
} from '../../../store/status/flight-statuses.ts';
import { insertReferencedIds } from '../../../store/master-data/referenced-ids.ts';
import type { InstanceRow } from '../../../store/flights/expanded-days.ts';
import { insertMessages, listMessages, type StoredStatusMessage } from '../../../store/status/status-messages.ts';
import { upsertQuarantined, deleteQuarantined } from '../../../store/status/status-quarantine.ts';
import {
  countPendingRecoveries,
  PENDING_ORIGINAL,
  upsertUnscheduledInstances,
} from '../../../store/status/unscheduled-instances.ts';
import { atTimesOf, isUpToDate, OutOfDate, type StandingFlight, withPlan } from '../flights/flight-snapshots.ts';
import { areNewer, countMessages } from './compute-status.ts';
import type { FlightMemory } from '../flights/flight-cache.ts';
import type { Placed } from '../match/match-messages.ts';
import { tellChanges, type StatusChange, type Telling } from '../emit-changes.ts';
import { withholding } from '../privacy/redact-registrations.ts';

/** What became of a message. `contradictions` names times it leaves out because they cannot follow each other. */
export type Outcome =
  | {
      readonly kind: 'stored';
      readonly contradictions: readonly string[];
      readonly describesFlight: boolean;
      /** Why the plan of the message was left out. */
      readonly planRefused?: string;
    }
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'quarantined'; readonly reason: string; readonly value: string };

/** What messages are taken with: the master data as they are, and what dates events. */
export type Taking = Telling & {
  readonly directory: Directory;
  /** Spares reading flights anew for each of their messages. */
  readonly memory?: FlightMemory | undefined;
};

type Found = Extract<Placed, { subject: object }>;

/** A message at its place in the batch, with what became of the search for its flight. */
export type PlacedMessage = {
  readonly index: number;
  readonly message: StatusMessage;
  readonly placed: Exclude<Placed, Found> | (Found & { readonly standing: StandingFlight });
};

/** A message whose flight is known, at its place in the batch. */
type Entry = {
  readonly index: number;
  readonly placed: Extract<PlacedMessage['placed'], { subject: object }>;
  readonly stored: StoredStatusMessage;
};

/** The messages whose flights are known. */
export const entriesOf = (batch: readonly PlacedMessage[]): readonly Entry[] =>
  batch.flatMap(({ index, message, placed }) => {
    if ('reason' in placed) return [];
    const { departsOn, statusOrder } = placed.subject;
    const { id, source, observedAt } = message;
    return [
      {
        index,
        placed,
        stored: { departsOn, statusOrder, id, source, observedAt, observation: formatObservation(placed) },
      },
    ];
  });

/** A locked status with what the batch says of its flight. */
type Subject = {
  readonly status: FlightStatusRow;
  readonly entries: readonly Entry[];
  /** The newest description of the flight, when it is newer than the one that stands. */
  readonly plan: Entry | undefined;
};

const subjectsOf = (statuses: readonly FlightStatusRow[], entries: readonly Entry[]): readonly Subject[] => {
  const byFlight = Map.groupBy(entries, ({ stored }) => formatStatusId(stored));
  return statuses.map((status) => {
    const ofFlight = byFlight.get(formatStatusId(status)) ?? [];
    const plan = ofFlight
      .filter(({ placed }) => placed.plan !== undefined)
      .toSorted((a, b) => compareObservations(a.stored, b.stored))
      .at(-1);
    const isNews = plan && (!status.planned || compareObservations(plan.stored, status.planned) > 0);
    return { status, entries: ofFlight, plan: isNews ? plan : undefined };
  });
};

/** Counts new messages in; for flights of which one came late, all of the flight's messages are read again. */
const count = async (sql: Sql, subjects: readonly Subject[], directory: Directory) => {
  const late = subjects.filter(
    ({ status, entries }) => !entries.every(({ stored }) => areNewer(status, [parseObservation(stored)])),
  );
  const all = Map.groupBy(
    await listMessages(
      sql,
      late.map(({ status }) => status),
    ),
    formatStatusId,
  );
  return subjects.map(({ status, entries, plan }) => {
    const messages = all.get(formatStatusId(status)) ?? entries.map(({ stored }) => stored);
    // The locked status knows the newest schedule or description of the flight; what was looked up may be older by now.
    const frame = plan?.placed.plan?.frame ?? status.reference;
    const { row, view, spokeOfLandings } = countMessages(status, messages.map(parseObservation), { frame, directory });
    const planned = plan ? { observedAt: plan.stored.observedAt, id: plan.stored.id } : status.planned;
    return { row: { ...row, planned }, contradictions: view.contradictions, spokeOfLandings };
  });
};

/** Leaves out aircraft that are not shown, of the statuses as they were, too: events tell of both. */
const withhold = async (sql: Sql, subjects: readonly Subject[], counted: Awaited<ReturnType<typeof count>>) => {
  const rows = [...subjects.map(({ status }) => status), ...counted.map(({ row }) => row)];
  const withheld = await withholding(sql, rows);
  return {
    subjects: subjects.map((subject) => ({ ...subject, status: withheld(subject.status) })),
    counted: counted.map((one) => ({ ...one, row: withheld(one.row) })),
  };
};

const pointedAt = (plans: readonly InstanceRow[], diverted: readonly FlightStatusRow[]) => ({
  carriers: new Set(plans.map(({ carrierId }) => carrierId)),
  locations: new Set([
    ...plans.flatMap(({ departureId, arrivalId }) => [departureId, arrivalId]),
    ...diverted.flatMap(({ diversions }) => diversions),
  ]),
});

/** What is told of a flight before its messages and after them: all messages of a batch make one change of it. */
const changeOf = ({ status, entries, plan }: Subject, row: FlightStatusRow): readonly StatusChange[] => {
  const [first] = entries;
  if (!first) return [];
  const { departsOn } = status;
  const { standing } = first.placed;
  if (!isUpToDate(standing, status.planned)) throw new OutOfDate('a flight was described anew');
  const described = plan?.placed.plan?.row;
  const known = standing.instances.length === 0 ? undefined : atTimesOf(standing.read, status.reference);
  const after = described ? withPlan(standing, described).read : known;
  return after
    ? [{ departsOn, before: known && { standing: known, status }, after: { standing: after, status: row } }]
    : [];
};

/**
 * Sees that recovery flights which had not found what they recover when they were looked up have not found it since: that is told with
 * their status locked, as it is here, so that the answer holds. Schedule loads are locked out, so that none of them is waited for.
 */
const checkLinks = async (sql: Sql, subjects: readonly Subject[]): Promise<void> => {
  const pending = subjects.filter(({ entries }) =>
    entries[0]?.placed.standing.instances.some(({ original }) => original?.startsWith(PENDING_ORIGINAL)),
  );
  if (pending.length === 0) return;
  const places = pending.map(({ status }) => status);
  if ((await countPendingRecoveries(sql, places)) < pending.length)
    throw new OutOfDate('a flight found what it recovers');
};

const store = async (
  sql: Sql,
  entries: readonly Entry[],
  directory: Directory,
): Promise<{ readonly outcomes: ReadonlyMap<number, Outcome>; readonly changes: readonly StatusChange[] }> => {
  const flights = new Map(entries.map(({ placed: { subject } }) => [formatStatusId(subject), subject]));
  const statuses = await lockStatuses(sql, [...flights.values()]);
  const stored = entries.map((entry) => entry.stored);
  const fresh = await insertMessages(sql, stored);
  const news = entries.filter((_, position) => fresh.has(position));
  const found = subjectsOf(statuses, news).filter((subject) => subject.entries.length > 0);
  await checkLinks(sql, found);
  const { subjects, counted } = await withhold(sql, found, await count(sql, found, directory));
  const diverted = counted.filter(({ spokeOfLandings }) => spokeOfLandings).map(({ row }) => row);
  const plans = subjects.flatMap(({ plan }) => plan?.placed.plan?.row ?? []);
  // Before anything is written that a schedule load may wait for: a load marks the same places, and may be waited for here.
  await insertReferencedIds(sql, pointedAt(plans, diverted));
  await upsertUnscheduledInstances(sql, plans);
  await updateStatuses(
    sql,
    counted.map(({ row }) => row),
  );
  await replaceDiversions(sql, diverted);
  await deleteQuarantined(
    sql,
    stored.map(({ id }) => id),
  );
  const changes = subjects.flatMap((subject, index) => {
    const row = counted[index]?.row;
    return row ? changeOf(subject, row) : [];
  });
  const contradictions = new Map(counted.map((one) => [formatStatusId(one.row), one.contradictions]));
  const outcomes = new Map(
    news.map(({ index, placed, stored: message }) => [
      index,
      {
        kind: 'stored',
        contradictions: contradictions.get(formatStatusId(message)) ?? [],
        describesFlight: placed.plan !== undefined,
        ...(placed.planRefused !== undefined && { planRefused: placed.planRefused }),
      } as const,
    ]),
  );
  return { outcomes, changes };
};

const refused = (batch: readonly PlacedMessage[]) =>
  batch.flatMap(({ message, placed }) => {
    if (!('reason' in placed)) return [];
    const { id, source, observedAt, flight } = message;
    const flightNumber = flight.by === 'designator' ? flight.flightNumber : undefined;
    return [{ id, source, observedAt, reason: placed.reason, flightNumber, message: JSON.stringify(message) }];
  });

/**
 * Stores messages with their flights, and those without one in quarantine, and writes the events that tell what they changed; `sql`
 * must be a transaction that shares the statuses.
 */
export const storeMessages = async (
  sql: Sql,
  batch: readonly PlacedMessage[],
  taking: Taking,
): Promise<ReadonlyMap<number, Outcome>> => {
  const { outcomes, changes } = await store(sql, entriesOf(batch), taking.directory);
  await upsertQuarantined(sql, refused(batch));
  await tellChanges(sql, changes, taking);
  return outcomes;
};
