import {
  buildLocalMinute,
  toDate,
  formatDate,
  formatTime,
  localDate,
  toMinuteOfDay,
  type LocalMinute,
  type UtcMinute,
} from '#domain/time/dates.ts';
import { parseCodeshare } from '#store/flights/codeshares.ts';
import type { ScheduleReference } from '#store/status/flight-statuses.ts';
import type { StatusCandidate } from '#store/status/status-instances.ts';

/** The members of a stored list row that are read here; the contract defines them. */
type RowEnd = {
  readonly date: { readonly local: string; readonly utc: string };
  readonly time: { readonly local: string; readonly utc: string };
  readonly isEstimated?: true;
};

/** The part of a list row of the contract that a status needs. */
export type ListRow = {
  readonly departure: RowEnd;
  readonly arrival: RowEnd;
  readonly elapsedTime: number;
  readonly flightNumber: number;
  readonly serviceSuffix?: string;
  readonly statusKey: string;
  readonly scheduleInstanceKey?: string;
};

/** Reads the list row of an instance; that of a codeshare has its own number. */
export const readListRow = ({ doc, codeshare }: Pick<StatusCandidate, 'doc' | 'codeshare'>): ListRow => {
  const row: ListRow = JSON.parse(doc);
  if (codeshare === undefined) return row;
  const { flightNumber, suffix, key } = parseCodeshare(codeshare);
  return { ...row, flightNumber, serviceSuffix: suffix, scheduleInstanceKey: key };
};

const parseMinute = (date: string, time: string): number =>
  buildLocalMinute(localDate(date), Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5)));

/** Rows of earlier versions mark an estimated arrival only by an elapsed time of 0. */
const isArrivalKnown = (
  { flightType }: Pick<StatusCandidate, 'flightType'>,
  { departure, arrival, elapsedTime }: Pick<ListRow, 'departure' | 'arrival' | 'elapsedTime'>,
): boolean => {
  if (flightType === 'S' || elapsedTime > 0) return true;
  return departure.isEstimated === true && !arrival.isEstimated;
};

/** Returns the scheduled times and airports of an instance. */
export const toScheduleReference = (
  target: Pick<StatusCandidate, 'departure' | 'arrival' | 'flightType' | 'isRecovery'>,
  { departure, arrival, elapsedTime }: ListRow,
): ScheduleReference => {
  const scheduledOut = parseMinute(departure.date.utc, departure.time.utc);
  const scheduledIn = parseMinute(arrival.date.utc, arrival.time.utc);
  return {
    departure: target.departure,
    arrival: target.arrival,
    scheduledOut: scheduledOut as UtcMinute,
    ...(departure.isEstimated && { isDepartureEstimated: true }),
    scheduledIn: isArrivalKnown(target, { arrival, departure, elapsedTime }) ? (scheduledIn as UtcMinute) : undefined,
    departureOffset: parseMinute(departure.date.local, departure.time.local) - scheduledOut,
    arrivalOffset: parseMinute(arrival.date.local, arrival.time.local) - scheduledIn,
    isRecovery: target.isRecovery,
  };
};

const endAt = (utc: UtcMinute, offset: number): RowEnd => {
  const local = (utc + offset) as LocalMinute;
  return {
    date: { local: formatDate(toDate(local)), utc: formatDate(toDate(utc)) },
    time: { local: formatTime(toMinuteOfDay(local)), utc: formatTime(toMinuteOfDay(utc)) },
  };
};

/** Returns a list row with the times of a schedule reference; an unknown arrival time is left as it is. */
export const withScheduleReference = <Row extends Pick<ListRow, 'departure' | 'arrival'>>(
  row: Row,
  reference: ScheduleReference,
) => ({
  ...row,
  departure: { ...row.departure, ...endAt(reference.scheduledOut, reference.departureOffset) },
  arrival: {
    ...row.arrival,
    ...(reference.scheduledIn !== undefined && endAt(reference.scheduledIn, reference.arrivalOffset)),
  },
});
