import {
  addDays,
  buildLocalMinute,
  toDate,
  formatDate,
  formatMinute,
  localDate,
  MINUTES_A_DAY,
  type LocalMinute,
} from '#domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';
import { bindValue, type WhereClause } from '../pool/where-clause.ts';

/** A span of local time, both ends included. */
export type TimeSpan = { readonly from: LocalMinute; readonly to: LocalMinute };

/** S scheduled, P scheduled by the timetable of an airport and in no schedule, U unscheduled, G general aviation. */
export type FlightTypeLetter = 'S' | 'P' | 'U' | 'G';

/** A filter by the latest known times of the flight, local; at least one is set. */
export type LatestFilter = {
  readonly departs: TimeSpan | undefined;
  readonly arrives: TimeSpan | undefined;
  /** The scheduled departures, local, of the flights that are scheduled in the first span given, set by `addDepartureBounds`. */
  readonly scheduled?: TimeSpan | undefined;
};

/** Selects instances. An undefined member does not filter; an empty list matches nothing. */
export type InstanceFilter = {
  /** Local departure. Always set it (by `addDepartureBounds` for a filter by arrival): it limits the partitions that are read. */
  readonly departs?: TimeSpan | undefined;
  /** Local arrival. */
  readonly arrives?: TimeSpan | undefined;
  /** The latest known departure and arrival, local: that of the status, else the scheduled one. The list is in the order of the first given. */
  readonly latest?: LatestFilter | undefined;
  /** States of the status; a flight without one is Scheduled. */
  readonly states?: readonly string[] | undefined;
  /** Location ids. */
  readonly departures?: readonly number[] | undefined;
  readonly arrivals?: readonly number[] | undefined;
  /** Flights scheduled to one of these locations or diverted to one match; `arrivals` stays a filter of the scheduled arrival. */
  readonly scheduledOrDivertedTo?: readonly number[] | undefined;
  /** Carrier ids. */
  readonly carriers?: readonly number[] | undefined;
  /** The carriers of which codeshares match too, those that only operating flights name; none by default. */
  readonly codeshareCarriers?: readonly number[] | undefined;
  readonly flightNumber?: number | undefined;
  readonly flightTypes?: readonly FlightTypeLetter[] | undefined;
  /** One letter each; a blank selects flights without a service type. */
  readonly serviceTypes?: readonly string[] | undefined;
  readonly isMarketing?: boolean | undefined;
  /** Leaves out flights with stops as a whole. */
  readonly legsOnly?: true | undefined;
  /** Registration of the aircraft, without hyphens; a blocked one matches nothing. */
  readonly registration?: string | undefined;
};

/** Adds the condition that a column is in a span. */
export const addTimeSpan = (where: WhereClause, column: string, { from, to }: TimeSpan): void => {
  where.conditions.push(
    `${column} between ${bindValue(where, formatMinute(from))} and ${bindValue(where, formatMinute(to))}`,
  );
};
/**
 * Adds bounds of departure to a filter by arrival, so that only the partitions that can match are read. A flight lasts at most as long as the
 * longest of its day; across the date line it can arrive the day before it departs.
 */
export const addDepartureBounds = async (sql: Sql, filter: InstanceFilter): Promise<InstanceFilter> => {
  const { departs, arrives, latest } = filter;
  if (latest) return addLatestBounds(sql, filter, latest);
  if (departs || !arrives) return filter;
  return { ...filter, departs: await readDepartureBounds(sql, arrives) };
};

/** Returns the local departures of the flights that can arrive in a span. */
const readDepartureBounds = async (sql: Sql, arrives: TimeSpan): Promise<TimeSpan> => {
  const [row] = await sql<{ since: string | null }[]>`
    select min(day) as since from expanded_day where day + longest_days >= ${formatDate(toDate(arrives.from))}`;
  const from = row?.since ? localDate(row.since) : toDate(arrives.from);
  return { from: buildLocalMinute(from, 0), to: buildLocalMinute(addDays(toDate(arrives.to), 2), -1) };
};

/** Days from the scheduled date of a flight up to which a search by its latest time finds it. */
const MAX_LATE_DAYS = 7;

const addLatestBounds = async (sql: Sql, filter: InstanceFilter, latest: LatestFilter): Promise<InstanceFilter> => {
  const scheduled = latest.departs ?? (latest.arrives && (await readDepartureBounds(sql, latest.arrives)));
  if (!scheduled) return filter;
  const late = { from: shiftDays(scheduled.from, -MAX_LATE_DAYS), to: shiftDays(scheduled.to, 1) };
  return { ...filter, departs: filter.departs ?? late, latest: { ...latest, scheduled } };
};

const shiftDays = (minute: LocalMinute, days: number): LocalMinute => (minute + days * MINUTES_A_DAY) as LocalMinute;
