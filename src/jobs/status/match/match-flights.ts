import type { LocalDate } from '../../../domain/time/dates.ts';
import type { Directory } from '../../../domain/master-data/directory.ts';
import { toKeyOrder, computeScheduleKey, computeStatusKey } from '../../../domain/schedule/keys.ts';
import type { Designator } from '../../../domain/schedule/schedule.ts';
import type { FlightFacts, FlightReference } from '../../../domain/status/message.ts';
import type { Sql } from '../../../store/pool/database.ts';
import { listCandidatesByKey, type StatusCandidate } from '../../../store/status/status-candidates.ts';
import { listDesignators, findLocation, getStationCode } from './code-lookups.ts';
import { searchByNumber, type FlightMatch, type NumberQuery } from './search-by-number.ts';

/** One way in which a reference can be looked up: by a key, on the days on which a flight with it departs. */
type KeyCandidate = { readonly kind: 'schedule' | 'status'; readonly date: LocalDate; readonly key: Buffer };

/** A later leg departs at most so many days after the flight's origin date, that day included. */
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
    // Flights that no schedule holds have a status key only, and a source may call a leg's own date the origin date.
    return datedBy === 'departure'
      ? [byDeparture]
      : [{ kind: 'schedule', date, key: computeScheduleKey(identity) }, byDeparture];
  });
};

const toCandidateName = ({ kind, date, key }: KeyCandidate): string => `${kind}${date}|${key.toString('latin1')}`;

/** Looks all candidates of a batch up at once: one question a day and kind of key. */
const findByKeys = async (
  sql: Sql,
  candidates: readonly KeyCandidate[],
): Promise<ReadonlyMap<string, StatusCandidate>> => {
  const found = new Map<string, StatusCandidate>();
  const note = (candidate: KeyCandidate, target: StatusCandidate): void => {
    const name = toCandidateName(candidate);
    // Of the marketing flights and the one that operates them, the latter gives its times.
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
        if (kind === 'status' || target.key.equals(candidate.key)) note(candidate, target);
  }
  return found;
};

/** The target of the first way that leads to one, for each list of ways: later ways are tried only where the earlier ones failed. */
const findFirst = async (
  sql: Sql,
  ways: readonly (readonly KeyCandidate[])[],
): Promise<readonly (StatusCandidate | undefined)[]> => {
  const targets: (StatusCandidate | undefined)[] = ways.map(() => undefined);
  const longest = Math.max(0, ...ways.map(({ length }) => length));
  for (let step = 0; step < longest; step += 1) {
    const open = ways.map((ofOne, index) => (targets[index] ? undefined : ofOne[step]));
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

/** What looks for a flight: a message, or a mention of another flight in one. */
export type FlightQuery = {
  readonly flight: FlightReference;
  readonly id?: string | undefined;
  readonly facts?: FlightFacts | undefined;
};

/** Finds the instances that are wanted, each in its place. */
export const matchFlights = async (
  sql: Sql,
  wanted: readonly FlightQuery[],
  directory: Directory,
): Promise<readonly FlightMatch[]> => {
  const targets = await findFirst(
    sql,
    wanted.map(({ flight }) => listCandidates(flight, directory)),
  );
  const seekers = new Map<number, NumberQuery>();
  for (const [index, { flight, id, facts }] of wanted.entries())
    if (!targets[index] && flight.by === 'designator') seekers.set(index, { reference: flight, id, facts });
  const searched = await searchByNumber(sql, [...seekers.values()], directory);
  const found = new Map([...seekers.keys()].map((index, position) => [index, searched[position]]));
  return wanted.map((_, index): FlightMatch => {
    const target = targets[index];
    return target ? { target } : (found.get(index) ?? { reason: 'no-such-flight' });
  });
};
