import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { compareObservations, parseObservation } from '#domain/status/observed-flight.ts';
import type { StatusMessage } from '#domain/status/message.ts';
import { mapInTurns } from '#lib/map-in-turns.ts';
import type { Sql } from '#store/pool/database.ts';
import {
  lockStatuses,
  replaceDiversions,
  updateStatuses,
  type FlightStatusRow,
  formatStatusId,
} from '#store/status/flight-statuses.ts';
import { insertReferencedIds } from '#store/master-data/referenced-ids.ts';
import { getOrInsertUnconfirmedCarriers } from '#store/master-data/unconfirmed-carriers.ts';
import type { InstanceRow } from '#store/flights/instance-row.ts';
import {
  deleteQuarantined,
  formatReceivedId,
  insertMessages,
  type QuarantineId,
  updateQuarantineReason,
  upsertQuarantined,
} from '#store/status/status-messages.ts';
import {
  countPendingRecoveries,
  PENDING_ORIGINAL,
  upsertUnscheduledInstances,
} from '#store/status/unscheduled-instances.ts';
import {
  type FlightCache,
  isCurrent,
  StaleSnapshotError,
  withPlan,
  withReferenceTimes,
} from '../flights/flight-snapshots.ts';
import { areNewer, computeStatus, hasTooMany } from './compute-status.ts';
import { readMessages } from './merge-messages.ts';
import { type KnownFlightMessage, type MatchedMessage, selectKnown } from './known-messages.ts';
import { emitStatusChanges, type StatusTransition, type EmitOptions } from '../emit-changes.ts';
import { selectRepetitions } from './select-repetitions.ts';
import { createRedactor } from '../privacy/redact-registrations.ts';
import type { NewDays } from './new-days.ts';

/** What became of a message. `contradictions` names its times that are ignored because they are out of order. */
export type MessageOutcome = (
  | {
      readonly kind: 'stored';
      readonly contradictions: readonly string[];
      readonly describesFlight: boolean;
      /** Why the flight plan in the message was ignored. */
      readonly planError?: string;
      /** What in the reference differs from the schedule of the flight, and the reference. */
      readonly remark?: { readonly reason: string; readonly value: string };
      /** The carrier code of the described flight, if the reference data lack it. */
      readonly unconfirmedCarrier?: string;
      /** The carrier codes of its marketing flights that are left out, because the reference data lack them. */
      readonly unknownCarriers?: readonly string[];
    }
  | { readonly kind: 'duplicate' }
  /** Not stored: its flight has a message of the same sender, source and ID with another content. */
  | { readonly kind: 'conflict'; readonly id: string }
  | { readonly kind: 'quarantined'; readonly reason: string; readonly value: string }
) & {
  /** The ID under which it is stored, if that is another one than its own. */
  readonly storedId?: string;
};

/** Called in the transaction that stores messages, with their outcomes. */
export type OnStored = (sql: Sql, outcomes: readonly (readonly [StatusMessage, MessageOutcome])[]) => Promise<void>;

export type IngestContext = EmitOptions & {
  readonly onStored?: OnStored | undefined;
  readonly masterDataIndex: MasterDataIndex;
  /** Saves reading a flight again for each of its messages. */
  readonly cache?: FlightCache | undefined;
  /** The days that plans can create; by default each batch has its own limit. */
  readonly newDays?: NewDays | undefined;
};

/** Identifies a message in quarantine. One that is timed by its receipt counts each time it is received. */
const toQuarantineId = (message: StatusMessage): QuarantineId => {
  const { id, source, sender, content } = message;
  return { id: message.isTimedByReceipt ? formatReceivedId(message) : id, source, sender, content };
};

/** A locked status with the messages of its flight. */
type StatusUpdate = {
  readonly status: FlightStatusRow;
  readonly messages: readonly KnownFlightMessage[];
  /** The newest message that describes the flight, if it is newer than the stored description or adds what that lacks. */
  readonly plan: KnownFlightMessage | undefined;
  /** The time of the description with the plan. */
  readonly describedAt: FlightStatusRow['describedAt'];
};

/** Selects a plan that changes the description of a flight, and returns when that is described then. */
const selectPlan = (
  { describedAt }: FlightStatusRow,
  plan: KnownFlightMessage | undefined,
): Pick<StatusUpdate, 'plan' | 'describedAt'> => {
  if (!plan) return { plan, describedAt };
  const { observedAt, id } = plan.stored;
  if (!describedAt || compareObservations(plan.stored, describedAt) > 0)
    return { plan, describedAt: { observedAt, id } };
  // The description changes without a newer message; another ID shows it to transactions that have read the former one.
  return plan.match.plan?.completes
    ? { plan, describedAt: { ...describedAt, id: `${describedAt.id}+` } }
    : { plan: undefined, describedAt };
};

const groupByStatus = (
  statuses: readonly FlightStatusRow[],
  messages: readonly KnownFlightMessage[],
): readonly StatusUpdate[] => {
  const byFlight = Map.groupBy(messages, ({ stored }) => formatStatusId(stored));
  return statuses.flatMap((status) => {
    const ofFlight = byFlight.get(formatStatusId(status));
    if (!ofFlight) return [];
    const plan = ofFlight
      .filter(({ match }) => match.plan !== undefined)
      .toSorted((a, b) => compareObservations(a.stored, b.stored))
      .at(-1);
    return [{ status, messages: ofFlight, ...selectPlan(status, plan) }];
  });
};

/** Computes statuses with new messages. If a message of a flight arrived late, or it has too many, all messages of the flight are read again. */
const computeStatuses = async (sql: Sql, updates: readonly StatusUpdate[], masterDataIndex: MasterDataIndex) => {
  const late = updates.filter(
    ({ status, messages }) =>
      hasTooMany(status, messages.length) ||
      !messages.every(({ stored }) => areNewer(status, [parseObservation(stored)])),
  );
  const allMessages = await readMessages(
    sql,
    late.map(({ status }) => status),
  );
  return mapInTurns(updates, ({ status, messages, plan, describedAt }) => {
    const counted = allMessages.get(formatStatusId(status)) ?? messages.map(({ stored }) => stored);
    // The locked status has the newest schedule reference; that of the snapshot may be older by now.
    const reference = plan?.match.plan?.reference ?? status.reference;
    const added = messages.map(({ stored }) => parseObservation(stored));
    const computed = computeStatus(status, counted.map(parseObservation), { reference, masterDataIndex, added });
    const { row, view, hadLandings, steps } = computed;
    return { row: { ...row, describedAt }, contradictions: view.contradictions, hadLandings, steps };
  });
};

type ComputedRows = Awaited<ReturnType<typeof computeStatuses>>;

/** Redacts blocked registrations in the statuses before and after, because events contain both. */
const redactStatuses = async (sql: Sql, updates: readonly StatusUpdate[], computed: ComputedRows) => {
  const rows = [...updates.map(({ status }) => status), ...computed.map(({ row }) => row)];
  const redact = await createRedactor(sql, rows);
  return {
    updates: updates.map((update) => ({ ...update, status: redact(update.status) })),
    computed: computed.map((one) => ({ ...one, row: redact(one.row) })),
  };
};

const listReferenced = (plans: readonly InstanceRow[], diverted: readonly FlightStatusRow[]) => ({
  carriers: new Set(plans.map(({ carrierId }) => carrierId)),
  codeshareCarriers: new Set(plans.flatMap(({ codeshares = [] }) => codeshares.map(({ carrierId }) => carrierId))),
  locations: new Set([
    ...plans.flatMap(({ departureId, arrivalId }) => [departureId, arrivalId]),
    ...diverted.flatMap(({ diversions }) => diversions),
  ]),
});

/** Returns the transition of a flight: all messages of a batch make one. */
const toTransitions = (
  { status, messages, plan }: StatusUpdate,
  { row, steps }: Pick<ComputedRows[number], 'row' | 'steps'>,
): readonly StatusTransition[] => {
  const [first] = messages;
  if (!first) return [];
  const { departsOn } = status;
  const { snapshot } = first.match;
  if (!isCurrent(snapshot, status.describedAt)) throw new StaleSnapshotError('a flight description changed');
  const planRow = plan?.match.plan?.row;
  const known = snapshot.instances.length === 0 ? undefined : withReferenceTimes(snapshot.reportable, status.reference);
  const after = planRow ? withPlan(snapshot, planRow).reportable : known;
  return after
    ? [{ departsOn, before: known && { flight: known, status }, after: { flight: after, status: row }, steps }]
    : [];
};

/**
 * Throws when a recovery flight whose snapshot lacks the flight that it recovers has been linked since. Links are written with the status
 * locked, as it is here, so the result holds. Schedule loads are locked out.
 */
const checkLinks = async (sql: Sql, updates: readonly StatusUpdate[]): Promise<void> => {
  const pending = updates.filter(({ messages }) =>
    messages[0]?.match.snapshot.instances.some(({ original }) => original?.startsWith(PENDING_ORIGINAL)),
  );
  if (pending.length === 0) return;
  const statuses = pending.map(({ status }) => status);
  if ((await countPendingRecoveries(sql, statuses)) < pending.length)
    throw new StaleSnapshotError('a recovery flight was matched');
};

const writeStatuses = async (sql: Sql, updates: readonly StatusUpdate[], computed: ComputedRows): Promise<void> => {
  const diverted = computed.filter(({ hadLandings }) => hadLandings).map(({ row }) => row);
  const plans = updates.flatMap(({ plan }) => plan?.match.plan?.row ?? []);
  // First, because a schedule load locks the same rows before the statuses: the other order could deadlock.
  await insertReferencedIds(sql, listReferenced(plans, diverted));
  await upsertUnscheduledInstances(sql, plans);
  await updateStatuses(
    sql,
    computed.map(({ row }) => row),
  );
  await replaceDiversions(sql, diverted);
};

const toStoredOutcomes = (
  messages: readonly KnownFlightMessage[],
  computed: ComputedRows,
): ReadonlyMap<number, MessageOutcome> => {
  const contradictions = new Map(computed.map((one) => [formatStatusId(one.row), one.contradictions]));
  return new Map(
    messages.map(({ index, message, match: { plan, planError, remark }, stored }) => [
      index,
      {
        kind: 'stored',
        contradictions: contradictions.get(formatStatusId(stored)) ?? [],
        describesFlight: plan !== undefined,
        ...(stored.id !== message.id && { storedId: stored.id }),
        ...(planError !== undefined && { planError }),
        ...(remark && { remark }),
        ...(plan?.unconfirmedCarrier !== undefined && { unconfirmedCarrier: plan.unconfirmedCarrier }),
        ...(plan?.unknownCarriers && { unknownCarriers: plan.unknownCarriers }),
      },
    ]),
  );
};

type StoredBatch = {
  readonly outcomes: ReadonlyMap<number, MessageOutcome>;
  readonly transitions: readonly StatusTransition[];
};

/** Messages whose flights are locked, by what became of them. */
type InsertedMessages = {
  readonly statuses: readonly FlightStatusRow[];
  readonly added: readonly KnownFlightMessage[];
  readonly conflicts: readonly KnownFlightMessage[];
  /** Stored before: with the IDs of the stored messages. */
  readonly duplicates: readonly (readonly [KnownFlightMessage, storedId: string])[];
};

/** Locks the flights of messages, and inserts the messages that are not stored yet. */
const insertKnown = async (sql: Sql, messages: readonly KnownFlightMessage[]): Promise<InsertedMessages> => {
  const flights = new Map(messages.map(({ match: { subject } }) => [formatStatusId(subject), subject]));
  const locking = lockStatuses(sql, [...flights.values()]);
  const { counted, repeated } = messages.some(({ message }) => message.isTimedByReceipt)
    ? await locking.then(() => selectRepetitions(sql, messages))
    : { counted: messages, repeated: [] };
  // Sent one after the other over the connection of the transaction, without waiting for each response: the flights are locked first.
  const [statuses, results] = await Promise.all([
    locking,
    insertMessages(
      sql,
      counted.map(({ stored }) => stored),
    ),
  ]);
  const byResult = Map.groupBy(counted, (_, position) => results[position]);
  const duplicates = (byResult.get('duplicate') ?? []).map((one) => [one, one.stored.id] as const);
  return {
    statuses,
    added: byResult.get('inserted') ?? [],
    conflicts: byResult.get('conflict') ?? [],
    duplicates: [...duplicates, ...repeated],
  };
};

/** Removes from the quarantine what is stored now, and marks what cannot be. */
const releaseQuarantined = async (
  sql: Sql,
  { added, conflicts, duplicates }: Omit<InsertedMessages, 'statuses'>,
): Promise<void> => {
  const released = [...added, ...duplicates.map(([one]) => one)];
  await deleteQuarantined(
    sql,
    released.map(({ message }) => toQuarantineId(message)),
  );
  await updateQuarantineReason(
    sql,
    conflicts.map(({ message }) => toQuarantineId(message)),
    'message-id-reused',
  );
};

const toKnownOutcomes = (
  { added, conflicts, duplicates }: Omit<InsertedMessages, 'statuses'>,
  computed: ComputedRows,
): ReadonlyMap<number, MessageOutcome> =>
  new Map<number, MessageOutcome>([
    ...toStoredOutcomes(added, computed),
    ...conflicts.map(({ index, stored: { id } }) => [index, { kind: 'conflict', id }] as const),
    ...duplicates.map(([{ index, message }, id]): [number, MessageOutcome] => [
      index,
      { kind: 'duplicate', ...(id !== message.id && { storedId: id }) },
    ]),
  ]);

const storeKnown = async (
  sql: Sql,
  messages: readonly KnownFlightMessage[],
  masterDataIndex: MasterDataIndex,
): Promise<StoredBatch> => {
  const { statuses, ...inserted } = await insertKnown(sql, messages);
  const grouped = groupByStatus(statuses, inserted.added);
  await checkLinks(sql, grouped);
  const { updates, computed } = await redactStatuses(
    sql,
    grouped,
    await computeStatuses(sql, grouped, masterDataIndex),
  );
  await Promise.all([releaseQuarantined(sql, inserted), writeStatuses(sql, updates, computed)]);
  const transitions = updates.flatMap((update, index) => {
    const one = computed[index];
    return one ? toTransitions(update, one) : [];
  });
  return { outcomes: toKnownOutcomes(inserted, computed), transitions };
};

/** Gives flights of carriers that the reference data lack the IDs of these carriers, which are inserted now that the flights exist. */
const insertCarriers = async (
  sql: Sql,
  messages: readonly KnownFlightMessage[],
): Promise<readonly KnownFlightMessage[]> => {
  const codes = new Set(messages.flatMap(({ match }) => match.plan?.unconfirmedCarrier ?? []));
  if (codes.size === 0) return messages;
  const carriers = await getOrInsertUnconfirmedCarriers(sql, codes);
  const ids = new Map(carriers.map(({ id, iata, icao }) => [icao || iata, id]));
  return messages.map((message) => {
    const { plan } = message.match;
    const carrierId = ids.get(plan?.unconfirmedCarrier ?? '');
    if (!plan || carrierId === undefined) return message;
    return { ...message, match: { ...message.match, plan: { ...plan, row: { ...plan.row, carrierId } } } };
  });
};

/** Messages without a flight, as they are stored in quarantine. */
const listUnmatched = (batch: readonly MatchedMessage[]) =>
  batch.flatMap(({ index, message, match }) => {
    if (!('reason' in match)) return [];
    const { observedAt, flight } = message;
    const flightNumber = flight.by === 'designator' ? flight.flightNumber : undefined;
    const id = toQuarantineId(message);
    const quarantined = message.isTimedByReceipt ? { ...message, isNamedByReceipt: true } : message;
    const row = { ...id, observedAt, reason: match.reason, flightNumber, message: JSON.stringify(quarantined) };
    const storedId = id.id === message.id ? {} : { storedId: id.id };
    return [{ row, outcome: [index, { kind: 'quarantined', ...match, ...storedId }] as const }];
  });

/**
 * Stores messages with their flights, those without a flight in quarantine, and the events of what changed. `sql` must be a transaction with
 * the shared lock on statuses. Returns the outcome of each message by its index.
 */
export const storeMessages = async (
  sql: Sql,
  batch: readonly MatchedMessage[],
  context: IngestContext,
): Promise<ReadonlyMap<number, MessageOutcome>> => {
  const known = await insertCarriers(sql, selectKnown(batch, context.masterDataIndex));
  const { outcomes, transitions } = await storeKnown(sql, known, context.masterDataIndex);
  const unmatched = listUnmatched(batch);
  await upsertQuarantined(
    sql,
    unmatched.map(({ row }) => row),
  );
  await emitStatusChanges(sql, transitions, context);
  return new Map<number, MessageOutcome>([...outcomes, ...unmatched.map(({ outcome }) => outcome)]);
};
