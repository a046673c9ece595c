import {
  buildLocalMinute,
  toDate,
  formatDate,
  formatTime,
  localDate,
  toMinuteOfDay,
  type LocalMinute,
  type UtcMinute,
} from '../../../domain/time/dates.ts';
import type { ScheduleReference } from '../../../store/status/flight-statuses.ts';
import type { StatusCandidate } from '../../../store/status/status-candidates.ts';

/** The members of a list row that are read back here: the contract's own, so that nothing is kept twice. */
type RowEnd = {
  readonly date: { readonly local: string; readonly utc: string };
  readonly time: { readonly local: string; readonly utc: string };
};

/** A list row of the contract as far as a status needs it. */
export type ListRow = {
  readonly departure: RowEnd;
  readonly arrival: RowEnd;
  readonly elapsedTime: number;
  readonly flightNumber: number;
  readonly serviceSuffix?: string;
  readonly segmentInfo: { readonly numberOfStops: number };
  readonly statusKey: string;
  readonly scheduleInstanceKey?: string;
};

/** Reads the list row of an instance. */
export const readListRow = ({ doc }: Pick<StatusCandidate, 'doc'>): ListRow => {
  const row: ListRow = JSON.parse(doc);
  return row;
};

const minuteOf = (date: string, time: string): number =>
  buildLocalMinute(localDate(date), Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5)));

/** What the schedule says of an instance. */
export const frameOf = (
  target: Pick<StatusCandidate, 'departure' | 'arrival' | 'flightType' | 'isRecovery'>,
  { departure, arrival, elapsedTime }: ListRow,
): ScheduleReference => {
  const scheduledOut = minuteOf(departure.date.utc, departure.time.utc);
  const scheduledIn = minuteOf(arrival.date.utc, arrival.time.utc);
  return {
    departure: target.departure,
    arrival: target.arrival,
    scheduledOut: scheduledOut as UtcMinute,
    // An elapsed time of 0 says that nobody knows when an unscheduled flight arrives.
    scheduledIn: elapsedTime === 0 && target.flightType !== 'S' ? undefined : (scheduledIn as UtcMinute),
    departureOffset: minuteOf(departure.date.local, departure.time.local) - scheduledOut,
    arrivalOffset: minuteOf(arrival.date.local, arrival.time.local) - scheduledIn,
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

/** A list row with other times; an arrival of which nobody has said when it is stays as it is. */
export const rowInFrame = <Row extends Pick<ListRow, 'departure' | 'arrival'>>(row: Row, frame: ScheduleReference) => ({
  ...row,
  departure: { ...row.departure, ...endAt(frame.scheduledOut, frame.departureOffset) },
  arrival: {
    ...row.arrival,
    ...(frame.scheduledIn !== undefined && endAt(frame.scheduledIn, frame.arrivalOffset)),
  },
});
