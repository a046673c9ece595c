import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import { addDays, localDate } from '#domain/time/dates.ts';
import { toKeyOrder, computeStatusKey, type FlightIdentity } from '#domain/schedule/keys.ts';
import type { Sql } from '#store/pool/database.ts';
import {
  type FlightStatusRow,
  formatStatusId,
  listStatuses,
  type StatusId,
  toDistinctIds,
} from '#store/status/flight-statuses.ts';
import { listCandidatesByStatus, type StatusCandidate } from '#store/status/status-instances.ts';

/** Days from the departure of the flight to that of a later leg; -1 across the date line. */
const DAY_OFFSETS = [-1, 0, 1, 2, 3];

type ThroughFlight = {
  readonly row: FlightInstance;
  /** For each leg the statuses that it can have, in the order of `DAY_OFFSETS`. */
  readonly legs: readonly (readonly StatusId[])[];
};

const getDesignator = ({ carrier, flightNumber, serviceSuffix, codeshare }: FlightInstance) =>
  codeshare.operatingFlight
    ? {
        carrier: codeshare.operatingFlight.code,
        flightNumber: Number(codeshare.operatingFlight.serviceNumber),
        suffix: codeshare.operatingFlight.suffix,
      }
    : { carrier: carrier.iata ?? carrier.icao ?? '', flightNumber, suffix: serviceSuffix ?? '' };

/** Days by which a message can have retimed a flight over midnight. */
const RETIMED_DAYS = [0, 1, -1, 2];

/** Returns the days from the date in the status key of a flight to that of its departure, which its legs have in common. */
const findRetimedDays = ({ departure, statusKey }: FlightInstance, identity: Omit<FlightIdentity, 'date'>): number =>
  RETIMED_DAYS.find(
    (days) =>
      computeStatusKey({ ...identity, date: addDays(localDate(departure.date.local), -days) }).toString('hex') ===
      statusKey,
  ) ?? 0;

const parseThroughFlight = (doc: Buffer): ThroughFlight => {
  const row: FlightInstance = JSON.parse(doc.toString());
  const stops = row.segmentInfo.intermediateAirports.iata.map(({ station }) => station);
  const getCode = ({ iata, icao, faa }: FlightInstance['departure']['airport']): string => iata ?? icao ?? faa ?? '';
  const stations = [getCode(row.departure.airport), ...stops, getCode(row.arrival.airport)];
  const designator = getDesignator(row);
  const dates = DAY_OFFSETS.map((days) => addDays(localDate(row.departure.date.local), days));
  const [board = '', off = ''] = [stations[0], stations.at(-1)];
  const retimedDays = findRetimedDays(row, { designator, board, off, occurrence: 1 });
  const legs = stations.slice(1).map((off, index) => {
    const board = stations[index] ?? '';
    return dates.map((date) => {
      const key = computeStatusKey({ designator, date: addDays(date, -retimedDays), board, off, occurrence: 1 });
      return { departsOn: date, statusOrder: toKeyOrder(key) };
    });
  });
  return { row, legs };
};

const formatUtc = ({ date, time }: FlightInstance['departure']): string => `${date.utc}T${time.utc}`;

type Candidate = { readonly target: StatusCandidate; readonly row: FlightInstance };

/** Follows a flight from leg to leg: the next leg is the first on its route to depart after the arrival of the one before. */
const followLegs = (flight: ThroughFlight, candidates: ReadonlyMap<string, Candidate>): readonly StatusId[] => {
  const places: StatusId[] = [];
  let after = formatUtc(flight.row.departure);
  for (const leg of flight.legs) {
    const next = leg
      .flatMap((id) => candidates.get(formatStatusId(id)) ?? [])
      .find(({ row }) => formatUtc(row.departure) >= after);
    if (!next) return [];
    places.push(next.target);
    after = formatUtc(next.row.arrival);
  }
  return places;
};

/** Lists the status IDs that the legs of flights with stops can have, whether or not they exist. */
export const listLegCandidates = (docs: readonly Buffer[]): readonly StatusId[] =>
  docs.flatMap((doc) => parseThroughFlight(doc).legs.flat());

/** The legs of flights with stops, and the statuses that legs on their routes have. */
type FoundLegs = {
  /** Status IDs in leg order; none for a flight with a missing leg, and for one of which no leg has a status. */
  readonly legs: readonly (readonly StatusId[])[];
  readonly statuses: readonly FlightStatusRow[];
};

/**
 * Finds the legs of flights with stops. The statuses are read first: most flights with stops have none yet, and the rows of their legs need no
 * query then.
 */
export const findLegs = async (sql: Sql, docs: readonly Buffer[]): Promise<FoundLegs> => {
  const flights = docs.map(parseThroughFlight);
  const candidates = flights.map(({ legs }) => legs.flat());
  const statuses = await listStatuses(sql, toDistinctIds(candidates.flat()));
  const reported = new Set(statuses.map(formatStatusId));
  const ofReported = candidates.filter((ids) => ids.some((id) => reported.has(formatStatusId(id))));
  const targets = await listCandidatesByStatus(sql, ofReported.flat());
  const found = new Map(
    targets.map((target): readonly [string, Candidate] => [
      formatStatusId(target),
      { target, row: JSON.parse(target.doc) },
    ]),
  );
  return { legs: flights.map((flight) => followLegs(flight, found)), statuses };
};
