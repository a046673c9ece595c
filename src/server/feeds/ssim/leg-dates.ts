import { readText, readValue, type Columns, type FieldFormat } from '../text/fixed-width.ts';
import * as formats from './field-formats.ts';
import { toPassengerMinutes } from '#domain/schedule/instances.ts';
import type { LegEnd, TimeMode } from '#domain/schedule/schedule.ts';
import { addDays, MINUTES_A_DAY } from '#domain/time/dates.ts';
import { operatesOn, type Period } from '#domain/time/period.ts';
import { FeedError } from '../feed-error.ts';
import type { CarrierRecord } from './carrier-record.ts';

const periodColumns: Columns = [15, 36];

const frequencyFormat: FieldFormat<1 | 2> = {
  reason: 'bad-frequency',
  description: 'a frequency rate (blank or 2)',
  parse: (text) => (text === ' ' ? 1 : text === '2' ? 2 : undefined),
};

/** A pattern repeats after up to two weeks, so a period without an operation in its first 14 days has none. */
const hasOperation = (period: Period): boolean => {
  for (let date = period.from; date <= period.to && date < period.from + 14; date = addDays(date, 1))
    if (operatesOn(period, date)) return true;
  return false;
};

/**
 * Parses bytes 15-36 of a record 3. An open date (`00XXX00`) is that of the carrier record. Every other week is counted from the
 * first date, which cannot be open then. Throws a FeedError.
 */
export const parseLegPeriod = (record: string, carrier: CarrierRecord): Period => {
  const from = readValue(record, [15, 21], formats.openDateFormat);
  const to = readValue(record, [22, 28], formats.openDateFormat);
  const days = readValue(record, [29, 35], formats.daysFormat);
  const frequency = readValue(record, [36, 36], frequencyFormat);
  const value = readText(record, periodColumns);
  const reject = (reason: string, message: string): never => {
    throw new FeedError(message, { bytes: periodColumns, value, reason });
  };
  if (frequency === 2 && from === 'open')
    return reject('open-fortnight', 'A frequency rate of 2 requires a first date that is not open.');
  const last = to === 'open' ? carrier.to : to;
  if (last === undefined) return reject('no-end', 'Both the period and the validity period of the carrier are open.');
  const period: Period = { from: from === 'open' ? carrier.from : from, to: last, days, everyWeeks: frequency };
  if (period.to < period.from) return reject('bad-period', 'The period ends before it begins.');
  if (!hasOperation(period)) return reject('never-operates', 'No day of operation falls within the period.');
  return period;
};

type LegEndTimes = Pick<LegEnd, 'aircraftMinutes' | 'passengerMinutes' | 'utcVariationMinutes'>;
type LegTimes = {
  readonly departure: LegEndTimes;
  readonly arrival: LegEndTimes;
  readonly timeMode: TimeMode;
  readonly sequence: number;
};

/** Days from the flight's origin date to both ends; `inferred` is the reason code when a blank contradicts the times. */
export type DateVariations = {
  readonly departure: number;
  readonly arrival: number;
  readonly isUndated: boolean;
  readonly inferred?: 'departure-date-inferred' | 'arrival-date-inferred';
};

const toUtcMinutes = ({ aircraftMinutes, utcVariationMinutes }: LegEndTimes, timeMode: TimeMode): number =>
  timeMode === 'utc' ? aircraftMinutes : aircraftMinutes - utcVariationMinutes;

const isPossibleDuration = (elapsedMinutes: number): boolean => elapsedMinutes > 0 && elapsedMinutes < MINUTES_A_DAY;

/** Returns the days to add so that a duration is more than 0 and less than a day; undefined when it is a multiple of a day. */
const findMissingDays = (elapsedMinutes: number): number | undefined => {
  const days = -Math.floor(elapsedMinutes / MINUTES_A_DAY);
  return isPossibleDuration(elapsedMinutes + days * MINUTES_A_DAY) ? days : undefined;
};

/** Returns the minutes by which the leg is longer for passengers than for the aircraft; negative when it is shorter. */
const computePassengerExtra = ({ departure, arrival }: LegTimes): number =>
  toPassengerMinutes(arrival) - arrival.aircraftMinutes - (toPassengerMinutes(departure) - departure.aircraftMinutes);

const rejectElapsed = (record: string, elapsed: number, subject: string): never => {
  const value = `${readText(record, [40, 52])} ${readText(record, [58, 70])} ${readText(record, [193, 194])}`;
  const message = `The leg takes ${elapsed} minutes for ${subject}; it must take more than 0 and less than 1440.`;
  throw new FeedError(message, { bytes: [40, 194], value, reason: 'impossible-elapsed-time' });
};

/**
 * Parses bytes 193-194 of a record 3 and compares them with the times: a leg lasts more than 0 minutes and less than a day. A blank
 * means 0 when that fits. Otherwise it was omitted, and the only day that fits is inferred, of the arrival before the departure. The
 * first leg departs on the origin date by definition. Throws a FeedError when a written value contradicts the times.
 */
export const resolveDateVariations = (record: string, times: LegTimes): DateVariations => {
  const { departure, arrival, timeMode, sequence } = times;
  const filedDeparture = readValue(record, [193, 193], formats.dateVariationFormat);
  const filedArrival = readValue(record, [194, 194], formats.dateVariationFormat);
  const departureDay = filedDeparture === 'blank' ? 0 : filedDeparture;
  const arrivalDay = filedArrival === 'blank' ? 0 : filedArrival;
  const isUndated = filedDeparture === 'blank' && filedArrival === 'blank';
  if (sequence === 1 && departureDay !== 0) {
    const value = readText(record, [193, 193]);
    throw new FeedError('The departure date variation of leg 1 must be 0.', {
      bytes: [193, 193],
      value,
      reason: 'bad-date-variation',
    });
  }
  const sameDay = toUtcMinutes(arrival, timeMode) - toUtcMinutes(departure, timeMode);
  const elapsed = sameDay + (arrivalDay - departureDay) * MINUTES_A_DAY;
  const days = findMissingDays(elapsed);
  if (days === undefined) return rejectElapsed(record, elapsed, 'the aircraft');
  const forPassengers = elapsed + days * MINUTES_A_DAY + computePassengerExtra(times);
  if (!isPossibleDuration(forPassengers)) return rejectElapsed(record, forPassengers, 'passengers');
  if (days === 0) return { departure: departureDay, arrival: arrivalDay, isUndated };
  if (filedArrival === 'blank' && arrivalDay + days >= -1 && arrivalDay + days <= 7) {
    return {
      departure: departureDay,
      arrival: arrivalDay + days,
      isUndated,
      inferred: 'arrival-date-inferred',
    };
  }
  // A departure d days later shortens the leg by d days, hence the sign.
  if (filedDeparture === 'blank' && sequence > 1 && days < 0 && days >= -2) {
    return {
      departure: departureDay - days,
      arrival: arrivalDay,
      isUndated,
      inferred: 'departure-date-inferred',
    };
  }
  return rejectElapsed(record, elapsed, 'the aircraft');
};
