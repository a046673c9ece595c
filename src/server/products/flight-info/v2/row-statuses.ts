import type { StatusDetails } from '#generated/flight-info/v2/types.gen.ts';
import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { computeFlightView, type FlightView, isCorrection } from '#domain/status/flight-view.ts';
import {
  compareObservations,
  isHidden,
  unobservedFlight,
  type Observation,
  applyObservation,
  parseObservation,
} from '#domain/status/observed-flight.ts';
import { toDate } from '#domain/time/dates.ts';
import { type ListedInstance, readInstancePosition } from '#store/flights/flight-instances.ts';
import { listBlockedAmong } from '#store/flights/registration-blocks.ts';
import type { Sql } from '#store/pool/database.ts';
import {
  type FlightStatusRow,
  formatStatusId,
  listStatuses,
  type ScheduleReference,
  type StatusId,
  toDistinctIds,
} from '#store/status/flight-statuses.ts';
import { listMessages } from '#store/status/status-messages.ts';
import { findLegs } from './find-legs.ts';
import { getRegistration, redactRegistration } from './redact-registration.ts';
import { buildThroughHistory } from './through-status.ts';
import { toStatusDetails } from './to-status.ts';

/**
 * Builds the status history of a flight, newest first: its status after each message, in order of source time; none of a hidden flight. Of a flight with too many messages,
 * the earlier ones are merged into one: history begins after it.
 */
export const buildHistory = (
  messages: readonly Observation[],
  reference: ScheduleReference,
  masterDataIndex: MasterDataIndex,
): readonly StatusDetails[] => {
  const history: StatusDetails[] = [];
  let known = unobservedFlight;
  let before: FlightView | undefined;
  for (const message of messages.toSorted(compareObservations)) {
    known = applyObservation(known, message);
    const view = computeFlightView(known, reference.departure);
    const { observedAt } = message;
    if (message.earlier) history.length = 0;
    else
      history.push(
        toStatusDetails(
          { observations: known, view, observedAt, isCorrection: isCorrection(before, view) },
          reference,
          masterDataIndex,
        ),
      );
    before = view;
  }
  return isHidden(known) ? [] : history.toReversed();
};

type Deps = { readonly sql: Sql; readonly masterDataIndex: MasterDataIndex };

const emptyList = Buffer.from('[]');
const open = Buffer.from('[');
const close = Buffer.from(']');
const noStops = Buffer.from('"numberOfStops":0');

/** Returns the ID of the status of a row's flight; the row must have been read with its status. */
export const toStatusId = (row: ListedInstance): StatusId => ({
  departsOn: toDate(readInstancePosition(row).departsAt),
  statusOrder: BigInt(row.statusOrder?.toString('latin1') ?? 0),
});

/** Statuses of flights, newest first, by `formatStatusId`. */
type Statuses = ReadonlyMap<string, readonly StatusDetails[]>;

/** History is computed from unredacted messages: this removes the blocked registrations from it. */
const createRedactor = async (sql: Sql, histories: readonly (readonly StatusDetails[])[]) => {
  const blocked = await listBlockedAmong(
    sql,
    histories.flat().flatMap((status) => getRegistration(status) ?? []),
  );
  return (status: StatusDetails): StatusDetails =>
    blocked.has(getRegistration(status) ?? '') ? redactRegistration(status) : status;
};

/** Reads the whole status history of flights. */
const readHistories = async (ids: readonly StatusId[], { sql, masterDataIndex }: Deps): Promise<Statuses> => {
  const [statuses, messages] = await Promise.all([listStatuses(sql, ids), listMessages(sql, ids)]);
  const byFlight = Map.groupBy(messages, formatStatusId);
  const histories = statuses.map((status) =>
    buildHistory((byFlight.get(formatStatusId(status)) ?? []).map(parseObservation), status.reference, masterDataIndex),
  );
  const redact = await createRedactor(sql, histories);
  return new Map(statuses.map((status, index) => [formatStatusId(status), (histories[index] ?? []).map(redact)]));
};

/** Returns the latest of these statuses, each as a list of one. */
const toLatest = (statuses: readonly FlightStatusRow[]): Statuses =>
  new Map(
    statuses
      .filter(({ statusJson }) => statusJson !== '')
      .map((status) => [formatStatusId(status), [JSON.parse(status.statusJson)]]),
  );

/** A stored status starts with its state, so that this check needs no parsing. */
const inAirHead = Buffer.from('{"state":"inAir"');
const isInAir = ({ statusJson }: ListedInstance): boolean =>
  statusJson?.subarray(0, inAirHead.length).equals(inAirHead) ?? false;

/** The status of the flight of a row. */
export type RowStatus = {
  /** The value of `statusDetails`, JSON text. */
  readonly details: Buffer;
  /** While the flight is in the air: the ID of the status that says so, its own or that of a leg. */
  readonly inAir: StatusId | undefined;
};

const toJson = (statuses: readonly StatusDetails[]): Buffer => Buffer.from(JSON.stringify(statuses));

const toRowStatus = (row: ListedInstance, history: readonly StatusDetails[] | undefined): RowStatus => ({
  details: history ? toJson(history) : row.statusJson ? Buffer.concat([open, row.statusJson, close]) : emptyList,
  inAir: isInAir(row) ? toStatusId(row) : undefined,
});

/** Returns whether a row is a flight with stops: its status is composed of those of its legs. */
export const isThroughFlight = (row: ListedInstance): boolean => !row.rowJson.includes(noStops);

/**
 * Reads the statuses of rows: the latest or, `withHistory`, all of them. `inAir` is set only for rows that were read with
 * their status.
 */
export const readRowStatuses = async (
  rows: readonly ListedInstance[],
  withHistory: boolean,
  deps: Deps,
): Promise<readonly RowStatus[]> => {
  const throughFlights = rows.filter(isThroughFlight);
  const found = await findLegs(
    deps.sql,
    throughFlights.map(({ rowJson }) => rowJson),
  );
  const legsByRow = new Map(throughFlights.map((row, index) => [row, found.legs[index] ?? []]));
  const statuses = withHistory
    ? await readHistories(toDistinctIds([...rows.map(toStatusId), ...found.legs.flat()]), deps)
    : toLatest(found.statuses);
  const statusesAt = (id: StatusId): readonly StatusDetails[] => statuses.get(formatStatusId(id)) ?? [];
  return rows.map((row) => {
    const history = withHistory ? statusesAt(toStatusId(row)) : undefined;
    const legIds = legsByRow.get(row);
    if (!legIds) return toRowStatus(row, history);
    const composed = buildThroughHistory(legIds.map(statusesAt));
    // Earlier versions stored messages of the whole flight: their status counts until a leg has one.
    if (composed.length === 0) return toRowStatus(row, history);
    const isFlying = composed[0]?.state === 'inAir';
    return {
      details: toJson(withHistory ? composed : composed.slice(0, 1)),
      inAir: isFlying ? legIds.findLast((leg) => statusesAt(leg)[0]?.state === 'inAir') : undefined,
    };
  });
};
