import type { StatusDetails } from '../../../../generated/flight-info/v2/types.gen.ts';
import { dateAt } from '../../../domain/time/dates.ts';
import type { Directory } from '../../../domain/master-data/directory.ts';
import { readObservation } from '../../../domain/status/stored-observation.ts';
import type { Sql } from '../../../store/pool/database.ts';
import { placeOf, type ListedInstance } from '../../../store/flights/flight-instances.ts';
import { findStatuses, type StatusPlace, placeName } from '../../../store/status/flight-statuses.ts';
import { blockedAmong } from '../../../store/flights/registration-blocks.ts';
import { messagesOf } from '../../../store/status/status-messages.ts';
import { flightHistory } from './flight-history.ts';
import { legPlaces } from './leg-places.ts';
import { throughHistory } from './through-status.ts';
import { registrationOf, withoutRegistration } from './withhold-registration.ts';

type Deps = { readonly sql: Sql; readonly directory: Directory };

const none = Buffer.from('[]');
const open = Buffer.from('[');
const close = Buffer.from(']');
const noStops = Buffer.from('"numberOfStops":0');

/** Where the status of a row's flight is kept. The row has to have been read with its status. */
export const statusPlaceOf = (row: ListedInstance): StatusPlace => ({
  departsOn: dateAt(placeOf(row).departsAt),
  statusOrder: BigInt(row.statusOrder?.toString('latin1') ?? 0),
});

/** Statuses of flights, newest first, by `placeName`. */
type Statuses = ReadonlyMap<string, readonly StatusDetails[]>;

/** What names an aircraft that is not shown is left out here, for history is read off the messages as they came. */
const withholdAmong = async (sql: Sql, histories: readonly (readonly StatusDetails[])[]) => {
  const blocked = await blockedAmong(
    sql,
    histories.flat().flatMap((status) => registrationOf(status) ?? []),
  );
  return (status: StatusDetails): StatusDetails =>
    blocked.has(registrationOf(status) ?? '') ? withoutRegistration(status) : status;
};

/** Every status of flights. */
const historiesOf = async (places: readonly StatusPlace[], { sql, directory }: Deps): Promise<Statuses> => {
  const [statuses, messages] = await Promise.all([findStatuses(sql, places), messagesOf(sql, places)]);
  const byFlight = Map.groupBy(messages, placeName);
  const histories = statuses.map((status) =>
    flightHistory((byFlight.get(placeName(status)) ?? []).map(readObservation), status.frame, directory),
  );
  const withheld = await withholdAmong(sql, histories);
  return new Map(statuses.map((status, index) => [placeName(status), (histories[index] ?? []).map(withheld)]));
};

/** The latest status of flights, each in a list of one. */
const latestOf = async (places: readonly StatusPlace[], { sql }: Deps): Promise<Statuses> => {
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

const showAll = (statuses: readonly StatusDetails[]): Buffer => Buffer.from(JSON.stringify(statuses));

const ownStatus = (row: ListedInstance, history: readonly StatusDetails[] | undefined): RowStatus => ({
  details: history ? showAll(history) : row.status ? Buffer.concat([open, row.status, close]) : none,
  inAir: isInAir(row) ? statusPlaceOf(row) : undefined,
});

/**
 * The flights with stops as a whole: as a rule they have no status of their own, and it is read off those of their legs. Only
 * a source that speaks of the whole flight gives it one.
 */
export const isThrough = (row: ListedInstance): boolean => !row.status && !row.doc.includes(noStops);

/**
 * The statuses of each row: the latest or, `withHistory`, all of them. Who wants to know what is in the air has to have read
 * the rows with their status.
 */
export const statusesOfRows = async (
  rows: readonly ListedInstance[],
  withHistory: boolean,
  deps: Deps,
): Promise<readonly RowStatus[]> => {
  const through = rows.filter(isThrough);
  const legs =
    through.length === 0
      ? []
      : await legPlaces(
          deps.sql,
          through.map(({ doc }) => doc),
        );
  const ofThrough = new Map(through.map((row, index) => [row, legs[index] ?? []]));
  const own = withHistory ? rows.map(statusPlaceOf) : [];
  const wanted = [...new Map([...own, ...legs.flat()].map((place) => [placeName(place), place])).values()];
  const read: Statuses = wanted.length === 0 ? new Map() : await (withHistory ? historiesOf : latestOf)(wanted, deps);
  const statusesAt = (place: StatusPlace): readonly StatusDetails[] => read.get(placeName(place)) ?? [];
  return rows.map((row) => {
    const history = withHistory ? statusesAt(statusPlaceOf(row)) : undefined;
    const ofLegs = ofThrough.get(row);
    if (!ofLegs || (history && history.length > 0)) return ownStatus(row, history);
    const composed = throughHistory(ofLegs.map(statusesAt));
    const flies = composed[0]?.state === 'inAir';
    return {
      details: showAll(withHistory ? composed : composed.slice(0, 1)),
      inAir: flies ? ofLegs.findLast((leg) => statusesAt(leg)[0]?.state === 'inAir') : undefined,
    };
  });
};
