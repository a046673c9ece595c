import { addDays, formatDate } from '../../domain/dates.ts';
import type { Directory } from '../../domain/directory.ts';
import { scheduleKey } from '../../domain/keys.ts';
import type { FlightReference } from '../../domain/status/message.ts';
import type { Sql } from '../../store/database.ts';
import { findStatuses } from '../../store/flight-statuses.ts';
import { targetsByNumber, type StatusTarget } from '../../store/status-targets.ts';
import { readListRow } from './scheduled-frame.ts';
import { designatorsOf, locationMeant, stationCodeOf } from './station-codes.ts';

/** The instance a reference means, or the reason why none could be told. */
export type Match = { readonly target: StatusTarget } | { readonly reason: 'no-such-flight' | 'ambiguous-flight' };

type ByDesignator = Extract<FlightReference, { by: 'designator' }>;

/** Legs of a flight depart within so many days of its origin date, that day included. */
const LEG_DAYS = 4;

const isOfDate = (
  target: StatusTarget,
  { originDate, datedBy, carrier, flightNumber, suffix }: ByDesignator,
  directory: Directory,
): boolean => {
  if (target.flightType !== 'S' || datedBy === 'departure') return target.departsOn === originDate;
  const [from, to] = [directory.location(target.departure), directory.location(target.arrival)];
  if (!from || !to) return false;
  // The key holds the origin date, so that the date can be tried on it.
  return designatorsOf(directory, carrier).some((designator) =>
    scheduleKey({
      designator: { carrier: designator, flightNumber, suffix },
      date: originDate,
      board: stationCodeOf(from),
      off: stationCodeOf(to),
      occurrence: 1,
    }).equals(target.key),
  );
};

const legsOf = async (sql: Sql, reference: ByDesignator, directory: Directory): Promise<readonly StatusTarget[]> => {
  const { carrier, flightNumber, suffix, originDate, datedBy } = reference;
  const carriers = new Set(
    [carrier, ...designatorsOf(directory, carrier)].flatMap((code) =>
      directory.carriers(code.length === 3 ? 'icao' : 'iata', code).map(({ id }) => id),
    ),
  );
  const targets = await targetsByNumber(sql, {
    from: addDays(originDate, -1),
    days: LEG_DAYS + 1,
    carriers: [...carriers],
    flightNumber,
  });
  const legs = targets
    .map((target) => ({ target, row: readListRow(target) }))
    .filter(({ row }) => row.segmentInfo.numberOfStops === 0 && (row.serviceSuffix ?? '') === suffix);
  const ofUtcDate =
    datedBy === 'utc' ? legs.filter(({ row }) => row.departure.date.utc === formatDate(originDate)) : [];
  // Not every source of telegrams means UTC: where no leg departs on that date, it is the date of the flight.
  const meant = ofUtcDate.length > 0 ? ofUtcDate : legs.filter(({ target }) => isOfDate(target, reference, directory));
  return meant.map(({ target }) => target);
};

/** Of several legs the one that has left and not arrived: a landing that no schedule foresees can only be its. */
const inTheAir = async (sql: Sql, legs: readonly StatusTarget[]): Promise<readonly StatusTarget[]> => {
  if (legs.length < 2) return legs;
  const statuses = await findStatuses(sql, legs);
  const moving = new Set(
    statuses.filter(({ state }) => state === 'inAir' || state === 'OutGate').map((one) => one.statusOrder),
  );
  return legs.filter(({ statusOrder }) => moving.has(statusOrder));
};

/**
 * Finds the leg that a reference means which does not name both its airports. One that names the arrival only, as movement
 * telegrams do, may speak of a landing that was not scheduled: then the leg that is under way is meant.
 */
export const searchByNumber = async (sql: Sql, reference: ByDesignator, directory: Directory): Promise<Match> => {
  const legs = await legsOf(sql, reference, directory);
  const { departureAirport, arrivalAirport } = reference;
  const departure = locationMeant(directory, departureAirport)?.id;
  const arrival = arrivalAirport === undefined ? undefined : locationMeant(directory, arrivalAirport)?.id;
  const leaving = departureAirport === '' ? legs : legs.filter((leg) => leg.departure === departure);
  const arriving = arrival === undefined ? leaving : leaving.filter((leg) => leg.arrival === arrival);
  const meant = arriving.length > 0 || departureAirport !== '' ? arriving : await inTheAir(sql, leaving);
  const [target, other] = meant;
  if (!target) return { reason: 'no-such-flight' };
  return other ? { reason: 'ambiguous-flight' } : { target };
};
