import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { computeScheduleKey, computeStatusKey, toKeyOrder } from '#domain/schedule/keys.ts';
import type { Designator } from '#domain/schedule/schedule.ts';
import type { FlightFacts, FlightReference, LandingFacts } from '#domain/status/message.ts';
import { addDays, type LocalDate } from '#domain/time/dates.ts';
import type { Sql } from '#store/pool/database.ts';
import { toDistinctIds } from '#store/status/flight-statuses.ts';
import { listCandidatesByKey, type StatusCandidate } from '#store/status/status-instances.ts';
import { findLocation, getStationCode, listDesignators } from './flight-codes.ts';
import { getReference, legDays } from './legs-by-number.ts';
import { isConfirmed, type Reports } from './select-by-reports.ts';
import { hasScheduledTime } from './select-by-time.ts';

/** A query for the flight of a message, or for another flight that a message mentions. */
export type FlightQuery = {
  readonly flight: FlightReference;
  readonly id?: string | undefined;
  readonly source?: string | undefined;
  readonly sender?: number | undefined;
  readonly facts?: FlightFacts | undefined;
  readonly landings?: readonly LandingFacts<string>[] | undefined;
};

/** Returns what the message of a query reports of its flight. */
export const toReports = ({ flight, facts, landings }: FlightQuery): Reports => ({
  facts,
  landings,
  hasDerivedDays: flight.by === 'designator' && flight.hasDerivedDays === true,
});

/** A key under which a reference may be found, and the date from which a flight with this key departs. */
type KeyCandidate = { readonly kind: 'schedule' | 'status'; readonly date: LocalDate; readonly key: Buffer };

/** The keys of one reading of a reference. */
type KeyReading = {
  readonly candidates: readonly KeyCandidate[];
  /** Whether the reading is not that of the contract, so that a scheduled flight must fit the times of the message. */
  readonly isLenient?: boolean;
};

const stationOf = (masterDataIndex: MasterDataIndex, code: string): string => {
  const location = findLocation(masterDataIndex, code);
  return location ? getStationCode(location) : code;
};

/** The second departure of a designator on one route and day shows that the designator does not identify a flight. */
const occurrences = [1, 2] as const;

/** Lists the readings of a reference, the likeliest first; their keys are computed where they are needed. */
const listReadings = (reference: FlightReference, masterDataIndex: MasterDataIndex): readonly (() => KeyReading)[] => {
  if (reference.by !== 'designator') {
    const key = Buffer.from(reference.key, 'hex');
    const kind = reference.by === 'statusKey' ? 'status' : 'schedule';
    return [() => ({ candidates: [{ kind, date: reference.departureDate, key }] })];
  }
  const { flightNumber, suffix, originDate, departureAirport, arrivalAirport, datedBy } = reference;
  if (departureAirport === '' || arrivalAirport === undefined || datedBy === 'utc') return [];
  if (originDate === undefined || hasScheduledTime(reference)) return [];
  const board = stationOf(masterDataIndex, departureAirport);
  const off = stationOf(masterDataIndex, arrivalAirport);
  return listDesignators(masterDataIndex, reference.carrier).flatMap((carrier): readonly (() => KeyReading)[] => {
    const designator: Designator = { carrier, flightNumber, suffix };
    const identities = occurrences.map((occurrence) => ({ designator, date: originDate, board, off, occurrence }));
    const listByDeparture = () =>
      identities.map((identity) => ({ kind: 'status', date: originDate, key: computeStatusKey(identity) }) as const);
    const listByOrigin = () =>
      identities.map(
        (identity) => ({ kind: 'schedule', date: originDate, key: computeScheduleKey(identity) }) as const,
      );
    if (datedBy === 'departure') return [() => ({ candidates: listByDeparture() })];
    // Unscheduled flights have a status key only, and a source may give the date of the leg as origin date.
    return [() => ({ candidates: listByOrigin() }), () => ({ candidates: listByDeparture(), isLenient: true })];
  });
};

const toCandidateName = ({ kind, date, key }: KeyCandidate): string => `${kind}${date}|${key.toString('latin1')}`;

/** Finds the candidates of a batch, with one query per day and kind of key. */
const findCandidates = async (
  sql: Sql,
  candidates: readonly KeyCandidate[],
): Promise<ReadonlyMap<string, readonly StatusCandidate[]>> => {
  const found = new Map<string, StatusCandidate[]>();
  const keep = (candidate: KeyCandidate, target: StatusCandidate): void => {
    const name = toCandidateName(candidate);
    found.set(name, [...(found.get(name) ?? []), target]);
  };
  for (const ofDay of Map.groupBy(candidates, ({ kind, date }) => `${kind}${date}`).values()) {
    const [first] = ofDay;
    if (!first) continue;
    const { kind, date } = first;
    const orders = [...new Set(ofDay.map(({ key }) => toKeyOrder(key)))];
    const window =
      kind === 'status' ? { from: date, days: 1 } : { from: addDays(date, -legDays.back), days: legDays.days };
    const targets = await listCandidatesByKey(sql, { kind, ...window }, orders);
    const byOrder = Map.groupBy(targets, (target) => (kind === 'status' ? target.statusOrder : target.keyOrder));
    for (const candidate of ofDay)
      for (const target of byOrder.get(toKeyOrder(candidate.key)) ?? [])
        if (kind === 'status' || target.key.equals(candidate.key)) keep(candidate, target);
  }
  return found;
};

/** Selects the flights that the keys of a reading name: several have the same designator, date and route. */
const selectReading = (
  { candidates, isLenient = false }: KeyReading,
  found: ReadonlyMap<string, readonly StatusCandidate[]>,
  reports: Reports,
): readonly StatusCandidate[] => {
  const all = candidates.flatMap((candidate) => found.get(toCandidateName(candidate)) ?? []);
  // The operating flight has precedence over its marketing flights. Departures of one origin date can have one key if they leave on different days.
  const targets = toDistinctIds(all.toSorted((a, b) => Number(b.isMarketing) - Number(a.isMarketing)));
  return isLenient
    ? targets.filter((target) => target.flightType !== 'S' || isConfirmed(getReference(target), reports))
    : targets;
};

/** Finds the flights of the first reading of each query that names some; later readings are queried only where earlier ones name none. */
export const findByKeys = async (
  sql: Sql,
  queries: readonly FlightQuery[],
  masterDataIndex: MasterDataIndex,
): Promise<readonly (readonly StatusCandidate[])[]> => {
  const readings = queries.map(({ flight }) => listReadings(flight, masterDataIndex));
  const matches: (readonly StatusCandidate[])[] = queries.map(() => []);
  const longest = Math.max(0, ...readings.map(({ length }) => length));
  for (let step = 0; step < longest; step += 1) {
    const open = readings.map((ofOne, index) => (matches[index]?.length ? undefined : ofOne[step]?.()));
    const found = await findCandidates(
      sql,
      open.flatMap((reading) => reading?.candidates ?? []),
    );
    open.forEach((reading, index) => {
      const query = queries[index];
      if (reading && query) matches[index] = selectReading(reading, found, toReports(query));
    });
  }
  return matches;
};
