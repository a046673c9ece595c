import type { LocalDate } from '../../../domain/time/dates.ts';
import type { Directory } from '../../../domain/master-data/directory.ts';
import { toKeyOrder, computeScheduleKey, computeStatusKey } from '../../../domain/schedule/keys.ts';
import type { Designator } from '../../../domain/schedule/schedule.ts';
import type { FlightFacts, FlightReference } from '../../../domain/status/message.ts';
import type { Sql } from '../../../store/pool/database.ts';
import { listCandidatesByKey, type StatusCandidate } from '../../../store/status/status-candidates.ts';
import { listDesignators, findLocation, getStationCode } from './code-lookups.ts';
import { searchByNumber, type FlightMatch, type NumberQuery } from './search-by-number.ts';

/** A key under which a reference may be found, and the date from which a flight with this key departs. */
type KeyCandidate = { readonly kind: 'schedule' | 'status'; readonly date: LocalDate; readonly key: Buffer };

/** Legs of a flight depart within this many days of its origin date, including that day. */
const MAX_LEG_DAYS = 4;

const stationOf = (directory: Directory, code: string): string => {
  const location = findLocation(directory, code);
  return location ? getStationCode(location) : code;
};

const listCandidates = (reference: FlightReference, directory: Directory): readonly KeyCandidate[] => {
  if (reference.by !== 'designator') {
    const key = Buffer.from(reference.key, 'hex');
    return [{ kind: reference.by === 'statusKey' ? 'status' : 'schedule', date: reference.departureDate, key }];
  }
  const { flightNumber, suffix, originDate: date, departureAirport, arrivalAirport, datedBy } = reference;
  if (departureAirport === '' || arrivalAirport === undefined || datedBy === 'utc') return [];
  const board = stationOf(directory, departureAirport);
  const off = stationOf(directory, arrivalAirport);
  return listDesignators(directory, reference.carrier).flatMap((carrier): readonly KeyCandidate[] => {
    const designator: Designator = { carrier, flightNumber, suffix };
    const identity = { designator, date, board, off, occurrence: 1 };
    const byDeparture = { kind: 'status', date, key: computeStatusKey(identity) } as const;
    // Unscheduled flights have a status key only, and a source may give the date of the leg as origin date.
    return datedBy === 'departure'
      ? [byDeparture]
      : [{ kind: 'schedule', date, key: computeScheduleKey(identity) }, byDeparture];
  });
};

const toCandidateName = ({ kind, date, key }: KeyCandidate): string => `${kind}${date}|${key.toString('latin1')}`;

/** Finds the candidates of a batch, with one query per day and kind of key. */
const findByKeys = async (
  sql: Sql,
  candidates: readonly KeyCandidate[],
): Promise<ReadonlyMap<string, StatusCandidate>> => {
  const found = new Map<string, StatusCandidate>();
  const keep = (candidate: KeyCandidate, target: StatusCandidate): void => {
    const name = toCandidateName(candidate);
    // The operating flight has precedence over its marketing flights.
    if (found.get(name)?.isMarketing !== false) found.set(name, target);
  };
  for (const ofDay of Map.groupBy(candidates, ({ kind, date }) => `${kind}${date}`).values()) {
    const [first] = ofDay;
    if (!first) continue;
    const { kind, date } = first;
    const orders = [...new Set(ofDay.map(({ key }) => toKeyOrder(key)))];
    const targets = await listCandidatesByKey(
      sql,
      { kind, from: date, days: kind === 'status' ? 1 : MAX_LEG_DAYS },
      orders,
    );
    const byOrder = Map.groupBy(targets, (target) => (kind === 'status' ? target.statusOrder : target.keyOrder));
    for (const candidate of ofDay)
      for (const target of byOrder.get(toKeyOrder(candidate.key)) ?? [])
        if (kind === 'status' || target.key.equals(candidate.key)) keep(candidate, target);
  }
  return found;
};

/** Finds the first candidate of each list that exists; later ones are queried only where earlier ones do not exist. */
const findFirst = async (
  sql: Sql,
  lists: readonly (readonly KeyCandidate[])[],
): Promise<readonly (StatusCandidate | undefined)[]> => {
  const targets: (StatusCandidate | undefined)[] = lists.map(() => undefined);
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let step = 0; step < longest; step += 1) {
    const open = lists.map((ofOne, index) => (targets[index] ? undefined : ofOne[step]));
    const found = await findByKeys(
      sql,
      open.filter((candidate) => candidate !== undefined),
    );
    open.forEach((candidate, index) => {
      if (candidate) targets[index] = found.get(toCandidateName(candidate));
    });
  }
  return targets;
};

/** A query for the flight of a message, or for another flight that a message mentions. */
export type FlightQuery = {
  readonly flight: FlightReference;
  readonly id?: string | undefined;
  readonly facts?: FlightFacts | undefined;
};

/** Finds the flights of queries. Returns matches in the positions of the queries. */
export const matchFlights = async (
  sql: Sql,
  queries: readonly FlightQuery[],
  directory: Directory,
): Promise<readonly FlightMatch[]> => {
  const targets = await findFirst(
    sql,
    queries.map(({ flight }) => listCandidates(flight, directory)),
  );
  const searches = new Map<number, NumberQuery>();
  for (const [index, { flight, id, facts }] of queries.entries())
    if (!targets[index] && flight.by === 'designator') searches.set(index, { reference: flight, id, facts });
  const searched = await searchByNumber(sql, [...searches.values()], directory);
  const found = new Map([...searches.keys()].map((index, position) => [index, searched[position]]));
  return queries.map((_, index): FlightMatch => {
    const target = targets[index];
    return target ? { target } : (found.get(index) ?? { reason: 'no-such-flight' });
  });
};
