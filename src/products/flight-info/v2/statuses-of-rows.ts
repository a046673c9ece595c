import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StatusDetails } from '../../../../generated/flight-info/v2/types.gen.ts';
import { dateAt } from '../../../domain/dates.ts';
import type { Directory } from '../../../domain/directory.ts';
import { readObservation } from '../../../domain/status/stored-observation.ts';
import type { Sql } from '../../../store/database.ts';
import { placeOf, type ListedInstance } from '../../../store/flight-instances.ts';
import { findStatuses, type StatusPlace } from '../../../store/flight-statuses.ts';
import { messagesOf } from '../../../store/status-messages.ts';
import { flightHistory } from './flight-history.ts';
import { legPlaces } from './leg-places.ts';
import { throughHistory } from './through-status.ts';

type Deps = { readonly sql: Sql; readonly directory: Directory };

const none = Buffer.from('[]');
const open = Buffer.from('[');
const close = Buffer.from(']');
const noStops = Buffer.from('"numberOfStops":0');

const nameOf = ({ departsOn, statusOrder }: StatusPlace): string => `${departsOn}|${statusOrder}`;

const statusPlaceOf = (row: ListedInstance): StatusPlace => ({
  departsOn: dateAt(placeOf(row).departsAt),
  statusOrder: BigInt(row.statusOrder.toString('latin1')),
});

/** Flights are written out in groups of this size, and others get their turn between two groups. */
const FLIGHTS_A_TURN = 20;

/** Every status of flights, newest first, by `nameOf`. */
const historiesOf = async (
  places: readonly StatusPlace[],
  { sql, directory }: Deps,
): Promise<ReadonlyMap<string, readonly StatusDetails[]>> => {
  const [statuses, messages] = await Promise.all([findStatuses(sql, places), messagesOf(sql, places)]);
  const byFlight = Map.groupBy(messages, nameOf);
  const histories = new Map<string, readonly StatusDetails[]>();
  for (const [index, status] of statuses.entries()) {
    const ofFlight = byFlight.get(nameOf(status)) ?? [];
    histories.set(nameOf(status), flightHistory(ofFlight.map(readObservation), status.frame, directory));
    if (index % FLIGHTS_A_TURN === FLIGHTS_A_TURN - 1) await nextTurn();
  }
  return histories;
};

/** The latest status of flights, in a list of one, by `nameOf`. */
const latestOf = async (
  places: readonly StatusPlace[],
  { sql }: Deps,
): Promise<ReadonlyMap<string, readonly StatusDetails[]>> => {
  const statuses = await findStatuses(sql, places);
  return new Map(statuses.filter(({ doc }) => doc !== '').map((status) => [nameOf(status), [JSON.parse(status.doc)]]));
};

/** A flight with stops as a whole has no status of its own: it is read off those of its legs. */
const isThrough = (row: ListedInstance): boolean => !row.status && !row.doc.includes(noStops);

/** The value of `statusDetails` for each row, JSON text: the latest status or, `withHistory`, all of them. */
export const statusesOfRows = async (
  rows: readonly ListedInstance[],
  withHistory: boolean,
  deps: Deps,
): Promise<readonly Buffer[]> => {
  const through = rows.filter(isThrough);
  const legs =
    through.length === 0
      ? []
      : await legPlaces(
          deps.sql,
          through.map(({ doc }) => doc),
        );
  const ofThrough = new Map(through.map((row, index) => [row, legs[index] ?? []]));
  const own = withHistory ? rows.filter((row) => !ofThrough.has(row)).map(statusPlaceOf) : [];
  const wanted = [...new Map([...own, ...legs.flat()].map((place) => [nameOf(place), place])).values()];
  const read = wanted.length === 0 ? new Map() : await (withHistory ? historiesOf : latestOf)(wanted, deps);
  return rows.map((row) => {
    const ofLegs = ofThrough.get(row);
    if (ofLegs) {
      const history = throughHistory(ofLegs.map((leg) => read.get(nameOf(leg)) ?? []));
      return Buffer.from(JSON.stringify(withHistory ? history : history.slice(0, 1)));
    }
    if (withHistory) return Buffer.from(JSON.stringify(read.get(nameOf(statusPlaceOf(row))) ?? []));
    return row.status ? Buffer.concat([open, row.status, close]) : none;
  });
};
