import type { ConnectingFlight, ConnectingRecord } from '#domain/connections/flights/connecting-flight.ts';
import { toConnectionPoint, isConnectionPoint } from '#domain/connections/rules/connection-point.ts';
import type { ConnectionSet } from '#domain/connections/set/connection-set.ts';
import { listDepartingOn, listFlightRecords, type SetRecord } from '#domain/connections/set/flight-records.ts';
import { addDays, formatDate, MINUTES_A_DAY, type LocalDate } from '#domain/time/dates.ts';
import type { Designator } from '#domain/schedule/schedule.ts';
import { Problem } from '#http/response/problem.ts';
import type { ExplanationQuery } from './parse-query.ts';
import { toSetDates } from './current-set.ts';
import { getUtcTimesOn } from './to-leg.ts';

/** How far from the arrival of leg 1 departures of leg 2 are searched. */
const SEARCH_DAYS = 7;

/** Local and UTC date differ by up to a day, and leg 1 can arrive on a later day. */
const MARGIN_DAYS = 2;

/** A flight between two airports on a local date of departure. */
export type DatedFlight = {
  readonly flight: ConnectingRecord;
  readonly date: LocalDate;
  /** Minutes since 1970-01-01T00:00 UTC. */
  readonly departsAtUtc: number;
  readonly arrivesAtUtc: number;
};

export type DatedPair = { readonly leg1: DatedFlight; readonly leg2: DatedFlight };

const listDeparturesOn = (records: readonly SetRecord[], date: LocalDate): readonly DatedFlight[] =>
  listDepartingOn(records, date).map((flight) => {
    const { departureUtcMinutes, arrivalUtcMinutes } = getUtcTimesOn(flight.record, date);
    const midnight = date * MINUTES_A_DAY;
    return {
      flight,
      date,
      departsAtUtc: midnight + departureUtcMinutes,
      arrivesAtUtc: midnight + arrivalUtcMinutes,
    };
  });

/** Returns the records of all flights with one of the designators; scanning a large carrier takes under 1 ms. */
const listRecords = (set: ConnectionSet, designators: readonly Designator[]): readonly SetRecord[] =>
  designators.flatMap((designator) => listFlightRecords(set, designator));

const formatRoute = ({ flight: { airports } }: ConnectingRecord): string => airports.map(({ iata }) => iata).join(' ');

/** Whether the rules allow a pair. */
export type IsAllowed = (pair: DatedPair) => boolean;

/**
 * Returns the departure of leg 2, from a list in time order, that a passenger of leg 1 would take: the first that makes a
 * legal connection, else the first at or after the arrival, else the last before it.
 */
const chooseDeparture = (
  departures: readonly DatedFlight[],
  leg1: DatedFlight,
  isAllowed: IsAllowed,
): DatedFlight | undefined => {
  const later = departures.filter(({ departsAtUtc }) => departsAtUtc >= leg1.arrivesAtUtc);
  return later.find((leg2) => isAllowed({ leg1, leg2 })) ?? later[0] ?? departures.at(-1);
};

/** Chooses one departure for each route of leg 2. */
const chooseDepartures = (
  departures: readonly DatedFlight[],
  leg1: DatedFlight,
  isAllowed: IsAllowed,
): readonly DatedFlight[] => {
  const near = departures.filter(
    ({ departsAtUtc }) => Math.abs(departsAtUtc - leg1.arrivesAtUtc) <= SEARCH_DAYS * MINUTES_A_DAY,
  );
  return [...Map.groupBy(near, ({ flight }) => formatRoute(flight)).values()].flatMap(
    (ofRoute) => chooseDeparture(ofRoute, leg1, isAllowed) ?? [],
  );
};

const getConnectionPoint = ({ leg1, leg2 }: DatedPair) => toConnectionPoint(leg1.flight.flight, leg2.flight.flight);

const isAt = (pair: DatedPair, airport: string): boolean => {
  const { arrival, departure } = getConnectionPoint(pair);
  return arrival.iata === airport || departure.iata === airport;
};

const airportCount = ({ airports }: ConnectingFlight): number => airports.length;
const countAirports = ({ leg1, leg2 }: DatedPair): number =>
  airportCount(leg1.flight.flight) + airportCount(leg2.flight.flight);

const formatDesignator = ([flight]: readonly Designator[]): string =>
  flight ? `${flight.carrier} ${flight.flightNumber}${flight.suffix}` : '';

const notFoundProblem = (set: ConnectionSet, reason: string): Problem => {
  const { startDate, endDate } = toSetDates({ set });
  return new Problem('not-found', `${reason} The set contains the flights of ${startDate} to ${endDate}.`);
};

/**
 * Finds all pairs of segments of two flights that meet at a connection point; if none does, the two whole flights.
 * Throws Problem `not-found` if a flight does not depart, or neither serves the requested via point.
 */
export const findPairs = (
  set: ConnectionSet,
  { leg1, leg2, date, viaPoint }: ExplanationQuery,
  isAllowed: IsAllowed,
): readonly DatedPair[] => {
  const isInSet = date >= set.from && date < addDays(set.from, set.days);
  const firsts = isInSet ? listDeparturesOn(listRecords(set, leg1), date) : [];
  if (firsts.length === 0)
    throw notFoundProblem(set, `No flight ${formatDesignator(leg1)} departs on ${formatDate(date)}.`);
  const latest = Math.max(...firsts.map(({ arrivesAtUtc }) => Math.floor(arrivesAtUtc / MINUTES_A_DAY)));
  const from = addDays(date, -SEARCH_DAYS - MARGIN_DAYS);
  const days = latest + SEARCH_DAYS + MARGIN_DAYS - from + 1;
  const seconds = listRecords(set, leg2);
  const departures = Array.from({ length: days }, (_, day) => listDeparturesOn(seconds, addDays(from, day)))
    .flat()
    .toSorted((a, b) => a.departsAtUtc - b.departsAtUtc);
  const all = firsts.flatMap((first) =>
    chooseDepartures(departures, first, isAllowed).map((second): DatedPair => ({ leg1: first, leg2: second })),
  );
  if (all.length === 0)
    throw notFoundProblem(
      set,
      `No flight ${formatDesignator(leg2)} departs within ${SEARCH_DAYS} days of the arrival of ${formatDesignator(leg1)} on ${formatDate(date)}.`,
    );
  const matching = viaPoint === undefined ? all : all.filter((pair) => isAt(pair, viaPoint));
  if (matching.length === 0)
    throw notFoundProblem(
      set,
      `${formatDesignator(leg1)} does not arrive at ${viaPoint}, and ${formatDesignator(leg2)} does not depart from there.`,
    );
  const meeting = matching.filter((pair) => isConnectionPoint(getConnectionPoint(pair)));
  return meeting.length > 0 ? meeting : matching.toSorted((a, b) => countAirports(b) - countAirports(a)).slice(0, 1);
};
