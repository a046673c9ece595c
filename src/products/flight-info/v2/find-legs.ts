import type { FlightInstance } from '../../../../generated/flight-info/v2/types.gen.ts';
import { addDays, localDate, type LocalDate } from '../../../domain/time/dates.ts';
import { keyOrder, statusKey } from '../../../domain/schedule/keys.ts';
import type { Sql } from '../../../store/pool/database.ts';
import type { StatusPlace } from '../../../store/status/flight-statuses.ts';
import { targetsByStatus, type StatusTarget } from '../../../store/status/status-targets.ts';

/** A later leg departs from a day before (across the date line) to so many days after the flight. */
const DAY_OFFSETS = [-1, 0, 1, 2, 3];

type Leg = { readonly board: string; readonly off: string };
type ThroughFlight = { readonly row: FlightInstance; readonly date: LocalDate; readonly legs: readonly Leg[] };

const parseThroughFlight = (doc: Buffer): ThroughFlight => {
  const row: FlightInstance = JSON.parse(doc.toString());
  const stops = row.segmentInfo.intermediateAirports.iata.map(({ station }) => station);
  const codeOf = ({ iata, icao, faa }: FlightInstance['departure']['airport']): string => iata ?? icao ?? faa ?? '';
  const stations = [codeOf(row.departure.airport), ...stops, codeOf(row.arrival.airport)];
  const legs = stations.slice(1).map((off, index) => ({ board: stations[index] ?? '', off }));
  return { row, date: localDate(row.departure.date.local), legs };
};

const keyOf = ({ row }: ThroughFlight, date: LocalDate, { board, off }: Leg): Buffer => {
  const operating = row.codeshare.operatingFlight;
  const designator = operating
    ? { carrier: operating.code, flightNumber: Number(operating.serviceNumber), suffix: operating.suffix }
    : {
        carrier: row.carrier.iata ?? row.carrier.icao ?? '',
        flightNumber: row.flightNumber,
        suffix: row.serviceSuffix ?? '',
      };
  return statusKey({ designator, date, board, off, occurrence: 1 });
};

const utcOf = ({ date, time }: FlightInstance['departure']): string => `${date.utc}T${time.utc}`;

type Candidate = { readonly target: StatusTarget; readonly row: FlightInstance };

const nameOf = (date: LocalDate, order: bigint): string => `${date}|${order}`;

/** Follows a flight from leg to leg: each is the first of its way to leave once the one before has arrived. */
const followLegs = (flight: ThroughFlight, found: ReadonlyMap<string, Candidate>): readonly StatusPlace[] => {
  const places: StatusPlace[] = [];
  let after = utcOf(flight.row.departure);
  for (const leg of flight.legs) {
    const next = DAY_OFFSETS.map((days) => addDays(flight.date, days))
      .flatMap((date) => found.get(nameOf(date, keyOrder(keyOf(flight, date, leg)))) ?? [])
      .find(({ row }) => utcOf(row.departure) >= after);
    if (!next) return [];
    places.push(next.target);
    after = utcOf(next.row.arrival);
  }
  return places;
};

const listCandidates = (flights: readonly ThroughFlight[]): readonly StatusPlace[] =>
  flights.flatMap((flight) =>
    flight.legs.flatMap((leg) =>
      DAY_OFFSETS.map((days) => {
        const date = addDays(flight.date, days);
        return { departsOn: date, statusOrder: keyOrder(keyOf(flight, date, leg)) };
      }),
    ),
  );

/** Where a leg of these flights with stops can be, whether or not one is there. */
export const listLegCandidates = (docs: readonly Buffer[]): readonly StatusPlace[] =>
  listCandidates(docs.map(parseThroughFlight));

/** Where the statuses of the legs of flights with stops are kept, in the order of the legs; nothing for a flight of which a leg is missing. */
export const findLegs = async (sql: Sql, docs: readonly Buffer[]): Promise<readonly (readonly StatusPlace[])[]> => {
  const flights = docs.map(parseThroughFlight);
  const found = new Map<string, Candidate>();
  for (const [date, ofDate] of Map.groupBy(listCandidates(flights), ({ departsOn }) => departsOn)) {
    const targets = await targetsByStatus(
      sql,
      date,
      ofDate.map(({ statusOrder }) => statusOrder),
    );
    for (const target of targets) found.set(nameOf(date, target.statusOrder), { target, row: JSON.parse(target.doc) });
  }
  return flights.map((flight) => followLegs(flight, found));
};
