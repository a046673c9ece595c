import type { StatusDetails } from '../../../../generated/flight-info/v2/types.gen.ts';
import type { Directory } from '../../../domain/master-data/directory.ts';
import { type FlightView, viewFlight } from '../../../domain/status/flight-view.ts';
import { compareObservations, nothingKnown, type Observation, observe } from '../../../domain/status/known-flight.ts';
import { readObservation } from '../../../domain/status/stored-observation.ts';
import { isCorrection } from '../../../domain/status/transitions.ts';
import { dateAt } from '../../../domain/time/dates.ts';
import { type ListedInstance, placeOf } from '../../../store/flights/flight-instances.ts';
import { blockedAmong } from '../../../store/flights/registration-blocks.ts';
import type { Sql } from '../../../store/pool/database.ts';
import { findStatuses, placeName, type StatusFrame, type StatusPlace } from '../../../store/status/flight-statuses.ts';
import { messagesOf } from '../../../store/status/status-messages.ts';
import { findLegs } from './find-legs.ts';
import { getRegistration, redactRegistration } from './redact-registration.ts';
import { buildThroughHistory } from './through-status.ts';
import { toStatusDetails } from './to-status.ts';

/** Every status of a flight, newest first: what was known after each of its messages, in the order of their source times. */
export const buildHistory = (
  messages: readonly Observation[],
  frame: StatusFrame,
  directory: Directory,
): readonly StatusDetails[] => {
  const history: StatusDetails[] = [];
  let known = nothingKnown;
  let before: FlightView | undefined;
  for (const message of messages.toSorted(compareObservations)) {
    known = observe(known, message);
    const view = viewFlight(known, frame.departure);
    const { observedAt } = message;
    history.push(
      toStatusDetails({ known, view, observedAt, isCorrection: isCorrection(before, view) }, frame, directory),
    );
    before = view;
  }
  return history.toReversed();
};

type Deps = { readonly sql: Sql; readonly directory: Directory };

const emptyList = Buffer.from('[]');
const open = Buffer.from('[');
const close = Buffer.from(']');
const noStops = Buffer.from('"numberOfStops":0');

/** Where the status of a row's flight is kept. The row has to have been read with its status. */
export const statusPositionOf = (row: ListedInstance): StatusPlace => ({
  departsOn: dateAt(placeOf(row).departsAt),
  statusOrder: BigInt(row.statusOrder?.toString('latin1') ?? 0),
});

/** Statuses of flights, newest first, by `placeName`. */
type Statuses = ReadonlyMap<string, readonly StatusDetails[]>;

/** What names an aircraft that is not shown is left out here, for history is read off the messages as they came. */
const createRedactor = async (sql: Sql, histories: readonly (readonly StatusDetails[])[]) => {
  const blocked = await blockedAmong(
    sql,
    histories.flat().flatMap((status) => getRegistration(status) ?? []),
  );
  return (status: StatusDetails): StatusDetails =>
    blocked.has(getRegistration(status) ?? '') ? redactRegistration(status) : status;
};

/** Every status of flights. */
const readHistories = async (places: readonly StatusPlace[], { sql, directory }: Deps): Promise<Statuses> => {
  const [statuses, messages] = await Promise.all([findStatuses(sql, places), messagesOf(sql, places)]);
  const byFlight = Map.groupBy(messages, placeName);
  const histories = statuses.map((status) =>
    buildHistory((byFlight.get(placeName(status)) ?? []).map(readObservation), status.frame, directory),
  );
  const withheld = await createRedactor(sql, histories);
  return new Map(statuses.map((status, index) => [placeName(status), (histories[index] ?? []).map(withheld)]));
};

/** The latest status of flights, each in a list of one. */
const readLatest = async (places: readonly StatusPlace[], { sql }: Deps): Promise<Statuses> => {
  const statuses = await findStatuses(sql, places);
  return new Map(
    statuses.filter(({ doc }) => doc !== '').map((status) => [placeName(status), [JSON.parse(status.doc)]]),
  );
};

/** A status is written with its state first, so that it can be told without reading on. */
const inAirHead = Buffer.from('{"state":"inAir"');
const isInAir = ({ status }: ListedInstance): boolean =>
  status?.subarray(0, inAirHead.length).equals(inAirHead) ?? false;

/** What is known of the flight of a row. */
export type RowStatus = {
  /** The value of `statusDetails`, JSON text. */
  readonly details: Buffer;
  /** While it is in the air: where the status is kept that says so, its own or that of a leg. */
  readonly inAir: StatusPlace | undefined;
};

const toJson = (statuses: readonly StatusDetails[]): Buffer => Buffer.from(JSON.stringify(statuses));

const toRowStatus = (row: ListedInstance, history: readonly StatusDetails[] | undefined): RowStatus => ({
  details: history ? toJson(history) : row.status ? Buffer.concat([open, row.status, close]) : emptyList,
  inAir: isInAir(row) ? statusPositionOf(row) : undefined,
});

/**
 * The flights with stops as a whole: as a rule they have no status of their own, and it is read off those of their legs. Only
 * a source that speaks of the whole flight gives it one.
 */
export const isThroughFlight = (row: ListedInstance): boolean => !row.status && !row.doc.includes(noStops);

/**
 * The statuses of each row: the latest or, `withHistory`, all of them. Who wants to know what is in the air has to have read
 * the rows with their status.
 */
export const readRowStatuses = async (
  rows: readonly ListedInstance[],
  withHistory: boolean,
  deps: Deps,
): Promise<readonly RowStatus[]> => {
  const through = rows.filter(isThroughFlight);
  const legs =
    through.length === 0
      ? []
      : await findLegs(
          deps.sql,
          through.map(({ doc }) => doc),
        );
  const ofThrough = new Map(through.map((row, index) => [row, legs[index] ?? []]));
  const own = withHistory ? rows.map(statusPositionOf) : [];
  const wanted = [...new Map([...own, ...legs.flat()].map((place) => [placeName(place), place])).values()];
  const read: Statuses =
    wanted.length === 0 ? new Map() : await (withHistory ? readHistories : readLatest)(wanted, deps);
  const statusesAt = (place: StatusPlace): readonly StatusDetails[] => read.get(placeName(place)) ?? [];
  return rows.map((row) => {
    const history = withHistory ? statusesAt(statusPositionOf(row)) : undefined;
    const ofLegs = ofThrough.get(row);
    if (!ofLegs || (history && history.length > 0)) return toRowStatus(row, history);
    const composed = buildThroughHistory(ofLegs.map(statusesAt));
    const flies = composed[0]?.state === 'inAir';
    return {
      details: toJson(withHistory ? composed : composed.slice(0, 1)),
      inAir: flies ? ofLegs.findLast((leg) => statusesAt(leg)[0]?.state === 'inAir') : undefined,
    };
  });
};
