import { readText, readValue, type Columns, type FieldFormat } from '../text/fixed-width.ts';
import * as formats from './field-formats.ts';
import { passengerMinutesOf } from '../../domain/schedule/passenger-minutes.ts';
import type { LegEnd, TimeMode } from '../../domain/schedule/schedule.ts';
import { addDays, MINUTES_A_DAY } from '../../domain/time/dates.ts';
import { operatesOn, type Period } from '../../domain/time/period.ts';
import { FeedError } from '../feed-error.ts';
import type { CarrierRecord } from './carrier-record.ts';

const periodColumns: Columns = [15, 36];

const frequencyFormat: FieldFormat<1 | 2> = {
  reason: 'bad-frequency',
  description: 'a frequency rate (blank or 2)',
  parse: (text) => (text === ' ' ? 1 : text === '2' ? 2 : undefined),
};

/** A pattern repeats after two weeks at most, so a period that does not operate in its first 14 days never does. */
const hasOperation = (period: Period): boolean => {
  for (let date = period.from; date <= period.to && date < period.from + 14; date = addDays(date, 1))
    if (operatesOn(period, date)) return true;
  return false;
};

/**
 * Reads bytes 15-36 of a record 3. An open end (`00XXX00`) is the carrier's own. Every other week is counted from the first date, which
 * must then be written out. Throws a FeedError.
 */
export const parseLegPeriod = (record: string, carrier: CarrierRecord): Period => {
  const from = readValue(record, [15, 21], formats.openDate);
  const to = readValue(record, [22, 28], formats.openDate);
  const days = readValue(record, [29, 35], formats.days);
  const rate = readValue(record, [36, 36], frequencyFormat);
  const value = readText(record, periodColumns);
  const refuse = (reason: string, message: string): never => {
    throw new FeedError(message, { bytes: periodColumns, value, reason });
  };
  if (rate === 2 && from === 'open')
    return refuse('open-fortnight', 'Every other week cannot be counted from an open first date.');
  const last = to === 'open' ? carrier.to : to;
  if (last === undefined) return refuse('no-end', 'The period is open and so is the validity of the carrier.');
  const period: Period = { from: from === 'open' ? carrier.from : from, to: last, days, everyWeeks: rate };
  if (period.to < period.from) return refuse('bad-period', 'The period ends before it begins.');
  if (!hasOperation(period)) return refuse('never-operates', 'No day of operation falls within the period.');
  return period;
};

type LegEndTimes = Pick<LegEnd, 'aircraftMinutes' | 'passengerMinutes' | 'utcVariationMinutes'>;
type LegTimes = {
  readonly departure: LegEndTimes;
  readonly arrival: LegEndTimes;
  readonly timeMode: TimeMode;
  readonly sequence: number;
};

/** Days from the flight's origin date to both ends; `inferred` is a reason code when a blank did not fit and was replaced. */
export type DateVariations = {
  readonly departure: number;
  readonly arrival: number;
  readonly isUndated: boolean;
  readonly inferred?: 'departure-date-inferred' | 'arrival-date-inferred';
};

const toUtcMinutes = ({ aircraftMinutes, utcVariationMinutes }: LegEndTimes, timeMode: TimeMode): number =>
  timeMode === 'utc' ? aircraftMinutes : aircraftMinutes - utcVariationMinutes;

const isPossibleDuration = (elapsedMinutes: number): boolean => elapsedMinutes > 0 && elapsedMinutes < MINUTES_A_DAY;

/** Whole days to add so that a duration lies between nothing and a day; undefined when it is a whole number of days. */
const findMissingDays = (elapsedMinutes: number): number | undefined => {
  const days = -Math.floor(elapsedMinutes / MINUTES_A_DAY);
  return isPossibleDuration(elapsedMinutes + days * MINUTES_A_DAY) ? days : undefined;
};

/** How much longer the leg is for passengers than for the aircraft; less than nothing where passengers board later than it leaves. */
const computePassengerExtra = ({ departure, arrival }: LegTimes): number =>
  passengerMinutesOf(arrival) - arrival.aircraftMinutes - (passengerMinutesOf(departure) - departure.aircraftMinutes);

const rejectElapsed = (record: string, elapsed: number, whose: string): never => {
  const value = `${readText(record, [40, 52])} ${readText(record, [58, 70])} ${readText(record, [193, 194])}`;
  const message = `The leg would last ${elapsed} minutes for ${whose}; it must last more than 0 and less than 1440.`;
  throw new FeedError(message, { bytes: [40, 194], value, reason: 'impossible-elapsed-time' });
};

/**
 * Reads bytes 193-194 of a record 3 and holds them against the times: a leg lasts more than nothing and less than a day. A blank counts as
 * 0 where that fits. Where it does not, the blank was an omission, and only one day fits: it is taken, arrival before departure.
 * The first leg departs on the origin date by definition. Throws a FeedError when a written value contradicts the times.
 */
export const resolveDateVariations = (record: string, filed: LegTimes): DateVariations => {
  const { departure, arrival, timeMode, sequence } = filed;
  const filedDeparture = readValue(record, [193, 193], formats.dateVariation);
  const filedArrival = readValue(record, [194, 194], formats.dateVariation);
  const departureDay = filedDeparture === 'blank' ? 0 : filedDeparture;
  const arrivalDay = filedArrival === 'blank' ? 0 : filedArrival;
  const undated = filedDeparture === 'blank' && filedArrival === 'blank';
  if (sequence === 1 && departureDay !== 0) {
    const value = readText(record, [193, 193]);
    throw new FeedError('The first leg of a flight departs on its origin date.', {
      bytes: [193, 193],
      value,
      reason: 'bad-date-variation',
    });
  }
  const sameDay = toUtcMinutes(arrival, timeMode) - toUtcMinutes(departure, timeMode);
  const elapsed = sameDay + (arrivalDay - departureDay) * MINUTES_A_DAY;
  const days = findMissingDays(elapsed);
  if (days === undefined) return rejectElapsed(record, elapsed, 'the aircraft');
  const forPassengers = elapsed + days * MINUTES_A_DAY + computePassengerExtra(filed);
  if (!isPossibleDuration(forPassengers)) return rejectElapsed(record, forPassengers, 'passengers');
  if (days === 0) return { departure: departureDay, arrival: arrivalDay, isUndated: undated };
  if (filedArrival === 'blank' && arrivalDay + days >= -1 && arrivalDay + days <= 7) {
    return {
      departure: departureDay,
      arrival: arrivalDay + days,
      isUndated: undated,
      inferred: 'arrival-date-inferred',
    };
  }
  // Leaving d days later shortens the leg by d days, hence the sign.
  if (filedDeparture === 'blank' && sequence > 1 && days < 0 && days >= -2) {
    return {
      departure: departureDay - days,
      arrival: arrivalDay,
      isUndated: undated,
      inferred: 'departure-date-inferred',
    };
  }
  return rejectElapsed(record, elapsed, 'the aircraft');
};
