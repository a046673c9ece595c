import type { AlertFilters } from './alert.ts';
import type { MatchingAlert } from './alert-match.ts';
import type { EventFacts } from './event-facts.ts';
import { ROW_LENGTH, matchesRow, type RowQuery } from './match-row.ts';

/** An alert as an index holds it. */
export type IndexedAlert = MatchingAlert & { readonly id: string };

/**
 * Alerts that ask for the same codes. Those that are alike in all the rest too share a row, so that they are judged once;
 * rows lie one after another in one list, because a walk from alert to alert through memory costs more than the judging.
 */
export type MatchBucket<A extends IndexedAlert> = {
  readonly filters: AlertFilters;
  readonly rows: number[];
  /** The alerts of each row. */
  readonly alerts: A[][];
};

/** A bucket of one alert, as most are: its lists are made to measure, which halves the memory of an index. */
export const createMatchBucket = <A extends IndexedAlert>(
  filters: AlertFilters,
  row: readonly number[],
  alert: A,
): MatchBucket<A> => ({
  filters,
  rows: [...row],
  alerts: [[alert]],
});

/**
 * Rows among which an alert that comes looks for its like. What many share comes early; without an end to the search the time
 * for many alerts that differ in nothing but their thresholds would grow with the square of their number.
 */
const MAX_COMPARED_ROWS = 256;

const isSameRow = ({ rows }: Pick<MatchBucket<IndexedAlert>, 'rows'>, index: number, row: readonly number[]): boolean =>
  row.every((value, place) => rows[index * ROW_LENGTH + place] === value);

export const addToBucket = <A extends IndexedAlert>(bucket: MatchBucket<A>, row: readonly number[], alert: A): void => {
  for (let index = 0; index < Math.min(bucket.alerts.length, MAX_COMPARED_ROWS); index++)
    if (isSameRow(bucket, index, row)) {
      bucket.alerts[index]?.push(alert);
      return;
    }
  bucket.rows.push(...row);
  bucket.alerts.push([alert]);
};

/** Takes an alert out; the last row moves to where its row was if that is left empty. */
export const removeFromBucket = <A extends IndexedAlert>(
  bucket: MatchBucket<A>,
  row: readonly number[],
  alert: A,
): void => {
  const { rows, alerts } = bucket;
  const index = alerts.findIndex((known, at) => isSameRow(bucket, at, row) && known.includes(alert));
  const left = alerts[index]?.filter((other) => other !== alert);
  if (left === undefined) return;
  alerts[index] = left;
  if (left.length > 0) return;
  const lastRow = rows.splice(-ROW_LENGTH);
  const lastAlerts = alerts.pop();
  if (lastAlerts === undefined || index === alerts.length) return;
  rows.splice(index * ROW_LENGTH, ROW_LENGTH, ...lastRow);
  alerts[index] = lastAlerts;
};

/** Whether an event has all the codes that filters ask for; flight numbers and dates are left to the rows. */
const matchesCodes = (filters: AlertFilters, facts: EventFacts): boolean =>
  (filters.iataCarrierCode === '' || filters.iataCarrierCode === facts.iataCarrierCode) &&
  (filters.icaoCarrierCode === '' || filters.icaoCarrierCode === facts.icaoCarrierCode) &&
  (filters.departureAirport === '' || filters.departureAirport === facts.departureAirport) &&
  (filters.arrivalAirport === '' || filters.arrivalAirport === facts.arrivalAirport);

/** Whether alerts of these filters belong in the bucket: they ask for the same codes. */
export const hasSameCodes = (bucket: Pick<MatchBucket<IndexedAlert>, 'filters'>, filters: AlertFilters): boolean =>
  filters.iataCarrierCode === bucket.filters.iataCarrierCode &&
  filters.icaoCarrierCode === bucket.filters.icaoCarrierCode &&
  filters.departureAirport === bucket.filters.departureAirport &&
  filters.arrivalAirport === bucket.filters.arrivalAirport;

/** The event, what rows are asked about it, and where the alerts that select it are put. */
export type BucketSearch<A> = { readonly facts: EventFacts; readonly query: RowQuery; readonly matches: A[] };

/** Finds the alerts of a bucket that select an event. */
export const matchBucket = <A extends IndexedAlert>(
  bucket: MatchBucket<A>,
  { facts, query: question, matches: found }: BucketSearch<A>,
): void => {
  if (!matchesCodes(bucket.filters, facts)) return;
  for (let index = 0; index < bucket.alerts.length; index++)
    if (matchesRow(bucket.rows, index * ROW_LENGTH, question))
      for (const alert of bucket.alerts[index] ?? []) found.push(alert);
};
