import { addDays } from '../../domain/time/dates.ts';
import { operatesOn, type Period } from '../../domain/time/period.ts';
import { FeedError } from '../feed-error.ts';
import type { CarrierRecord } from './carrier-record.ts';
import * as kinds from './fields.ts';

const columns: kinds.Columns = [15, 36];

const everyWeeks: kinds.Kind<1 | 2> = {
  reason: 'bad-frequency',
  is: 'a frequency rate (blank or 2)',
  read: (text) => (text === ' ' ? 1 : text === '2' ? 2 : undefined),
};

/** A pattern repeats after two weeks at most, so a period that does not operate in its first 14 days never does. */
const operates = (period: Period): boolean => {
  for (let date = period.from; date <= period.to && date < period.from + 14; date = addDays(date, 1))
    if (operatesOn(period, date)) return true;
  return false;
};

/**
 * Reads bytes 15-36 of a record 3. An open end (`00XXX00`) is the carrier's own. Every other week is counted from the first date, which
 * must then be written out. Throws a FeedError.
 */
export const readLegPeriod = (record: string, carrier: CarrierRecord): Period => {
  const from = kinds.valueAt(record, [15, 21], kinds.openDate);
  const to = kinds.valueAt(record, [22, 28], kinds.openDate);
  const days = kinds.valueAt(record, [29, 35], kinds.days);
  const rate = kinds.valueAt(record, [36, 36], everyWeeks);
  const value = kinds.textAt(record, columns);
  const refuse = (reason: string, message: string): never => {
    throw new FeedError(message, { bytes: columns, value, reason });
  };
  if (rate === 2 && from === 'open')
    return refuse('open-fortnight', 'Every other week cannot be counted from an open first date.');
  const last = to === 'open' ? carrier.to : to;
  if (last === undefined) return refuse('no-end', 'The period is open and so is the validity of the carrier.');
  const period: Period = { from: from === 'open' ? carrier.from : from, to: last, days, everyWeeks: rate };
  if (period.to < period.from) return refuse('bad-period', 'The period ends before it begins.');
  if (!operates(period)) return refuse('never-operates', 'No day of operation falls within the period.');
  return period;
};
