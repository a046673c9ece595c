import type { LocalDate } from '../../../domain/time/dates.ts';
import type { Directory } from '../../../domain/master-data/directory.ts';
import { toKeyOrder, computeScheduleKey, computeStatusKey } from '../../../domain/schedule/keys.ts';
import type { Designator } from '../../../domain/schedule/schedule.ts';
import type { FlightFacts, FlightReference } from '../../../domain/status/message.ts';
import type { Sql } from '../../../store/pool/database.ts';
import { listCandidatesByKey, type StatusCandidate } from '../../../store/status/status-candidates.ts';
import { designatorsOf, locationMeant, stationCodeOf } from './station-codes.ts';
import { searchByNumber, type Match, type Seeker } from './search-by-number.ts';

/** One way in which a reference can be looked up: by a key, on the days on which a flight with it departs. */
type Candidate = { readonly kind: 'schedule' | 'status'; readonly date: LocalDate; readonly key: Buffer };

/** A later leg departs at most so many days after the flight's origin date, that day included. */
const LEG_DAYS = 4;

const stationOf = (directory: Directory, code: string): string => {
  const location = locationMeant(directory, code);
  return location ? stationCodeOf(location) : code;
};

const candidatesOf = (reference: FlightReference, directory: Directory): readonly Candidate[] => {
  if (reference.by !== 'designator') {
    const key = Buffer.from(reference.key, 'hex');
    return [{ kind: reference.by === 'statusKey' ? 'status' : 'schedule', date: reference.departureDate, key }];
  }
  const { flightNumber, suffix, originDate: date, departureAirport, arrivalAirport, datedBy } = reference;
  if (departureAirport === '' || arrivalAirport === undefined || datedBy === 'utc') return [];
  const board = stationOf(directory, departureAirport);
  const off = stationOf(directory, arrivalAirport);
  return designatorsOf(directory, reference.carrier).flatMap((carrier): readonly Candidate[] => {
    const designator: Designator = { carrier, flightNumber, suffix };
    const identity = { designator, date, board, off, occurrence: 1 };
    const byDeparture = { kind: 'status', date, key: computeStatusKey(identity) } as const;
    // Flights that no schedule holds have a status key only, and a source may call a leg's own date the origin date.
    return datedBy === 'departure'
      ? [byDeparture]
      : [{ kind: 'schedule', date, key: computeScheduleKey(identity) }, byDeparture];
  });
};

const nameOf = ({ kind, date, key }: Candidate): string => `${kind}${date}|${key.toString('latin1')}`;

/** Looks all candidates of a batch up at once: one question a day and kind of key. */
const lookUp = async (sql: Sql, candidates: readonly Candidate[]): Promise<ReadonlyMap<string, StatusCandidate>> => {
  const found = new Map<string, StatusCandidate>();
  const note = (candidate: Candidate, target: StatusCandidate): void => {
    const name = nameOf(candidate);
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
      { kind, from: date, days: kind === 'status' ? 1 : LEG_DAYS },
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
const firstFound = async (
  sql: Sql,
  ways: readonly (readonly Candidate[])[],
): Promise<readonly (StatusCandidate | undefined)[]> => {
  const targets: (StatusCandidate | undefined)[] = ways.map(() => undefined);
  const longest = Math.max(0, ...ways.map(({ length }) => length));
  for (let step = 0; step < longest; step += 1) {
    const open = ways.map((ofOne, index) => (targets[index] ? undefined : ofOne[step]));
    const found = await lookUp(
      sql,
      open.filter((candidate) => candidate !== undefined),
    );
    open.forEach((candidate, index) => {
      if (candidate) targets[index] = found.get(nameOf(candidate));
    });
  }
  return targets;
};

/** What looks for a flight: a message, or a mention of another flight in one. */
export type Wanted = {
  readonly flight: FlightReference;
  readonly id?: string | undefined;
  readonly facts?: FlightFacts | undefined;
};

/** Finds the instances that are wanted, each in its place. */
export const matchFlights = async (
  sql: Sql,
  wanted: readonly Wanted[],
  directory: Directory,
): Promise<readonly Match[]> => {
  const targets = await firstFound(
    sql,
    wanted.map(({ flight }) => candidatesOf(flight, directory)),
  );
  const seekers = new Map<number, Seeker>();
  for (const [index, { flight, id, facts }] of wanted.entries())
    if (!targets[index] && flight.by === 'designator') seekers.set(index, { reference: flight, id, facts });
  const searched = await searchByNumber(sql, [...seekers.values()], directory);
  const found = new Map([...seekers.keys()].map((index, position) => [index, searched[position]]));
  return wanted.map((_, index): Match => {
    const target = targets[index];
    return target ? { target } : (found.get(index) ?? { reason: 'no-such-flight' });
  });
};
