import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import { addDays, localDate, type LocalDate } from '#domain/time/dates.ts';
import { toKeyOrder, computeStatusKey } from '#domain/schedule/keys.ts';
import type { Sql } from '#store/pool/database.ts';
import type { StatusId } from '#store/status/flight-statuses.ts';
import { listCandidatesByStatus, type StatusCandidate } from '#store/status/status-instances.ts';

/** Days from the departure of the flight to that of a later leg; -1 across the date line. */
const DAY_OFFSETS = [-1, 0, 1, 2, 3];

type Leg = { readonly board: string; readonly off: string };
type ThroughFlight = { readonly row: FlightInstance; readonly date: LocalDate; readonly legs: readonly Leg[] };

const parseThroughFlight = (doc: Buffer): ThroughFlight => {
  const row: FlightInstance = JSON.parse(doc.toString());
  const stops = row.segmentInfo.intermediateAirports.iata.map(({ station }) => station);
  const getCode = ({ iata, icao, faa }: FlightInstance['departure']['airport']): string => iata ?? icao ?? faa ?? '';
  const stations = [getCode(row.departure.airport), ...stops, getCode(row.arrival.airport)];
  const legs = stations.slice(1).map((off, index) => ({ board: stations[index] ?? '', off }));
  return { row, date: localDate(row.departure.date.local), legs };
};

const computeLegKey = ({ row }: ThroughFlight, date: LocalDate, { board, off }: Leg): Buffer => {
  const operating = row.codeshare.operatingFlight;
  const designator = operating
    ? { carrier: operating.code, flightNumber: Number(operating.serviceNumber), suffix: operating.suffix }
    : {
        carrier: row.carrier.iata ?? row.carrier.icao ?? '',
        flightNumber: row.flightNumber,
        suffix: row.serviceSuffix ?? '',
      };
  return computeStatusKey({ designator, date, board, off, occurrence: 1 });
};

const formatUtc = ({ date, time }: FlightInstance['departure']): string => `${date.utc}T${time.utc}`;

type Candidate = { readonly target: StatusCandidate; readonly row: FlightInstance };

const formatCandidateId = (date: LocalDate, order: bigint): string => `${date}|${order}`;

/** Follows a flight from leg to leg: the next leg is the first on its route to depart after the arrival of the one before. */
const followLegs = (flight: ThroughFlight, candidates: ReadonlyMap<string, Candidate>): readonly StatusId[] => {
  const places: StatusId[] = [];
  let after = formatUtc(flight.row.departure);
  for (const leg of flight.legs) {
    const next = DAY_OFFSETS.map((days) => addDays(flight.date, days))
      .flatMap((date) => candidates.get(formatCandidateId(date, toKeyOrder(computeLegKey(flight, date, leg)))) ?? [])
      .find(({ row }) => formatUtc(row.departure) >= after);
    if (!next) return [];
    places.push(next.target);
    after = formatUtc(next.row.arrival);
  }
  return places;
};

const listCandidates = (flights: readonly ThroughFlight[]): readonly StatusId[] =>
  flights.flatMap((flight) =>
    flight.legs.flatMap((leg) =>
      DAY_OFFSETS.map((days) => {
        const date = addDays(flight.date, days);
        return { departsOn: date, statusOrder: toKeyOrder(computeLegKey(flight, date, leg)) };
      }),
    ),
  );

/** Lists the status IDs that the legs of flights with stops can have, whether or not they exist. */
export const listLegCandidates = (docs: readonly Buffer[]): readonly StatusId[] =>
  listCandidates(docs.map(parseThroughFlight));

/** Finds the status IDs of the legs of flights with stops, in leg order; none for a flight with a missing leg. One query for each day. */
export const findLegs = async (sql: Sql, docs: readonly Buffer[]): Promise<readonly (readonly StatusId[])[]> => {
  const flights = docs.map(parseThroughFlight);
  const days = Map.groupBy(listCandidates(flights), ({ departsOn }) => departsOn);
  const found = await Promise.all(
    [...days].map(([date, ids]) =>
      listCandidatesByStatus(
        sql,
        date,
        ids.map(({ statusOrder }) => statusOrder),
      ),
    ),
  );
  const candidates = new Map(
    found
      .flat()
      .map((target): readonly [string, Candidate] => [
        formatCandidateId(target.departsOn, target.statusOrder),
        { target, row: JSON.parse(target.doc) },
      ]),
  );
  return flights.map((flight) => followLegs(flight, candidates));
};
