import type { AlertFilters } from './alert.ts';
import type { MatchingAlert } from './alert-match.ts';
import type { EventFacts } from './event-facts.ts';
import { ROW_LENGTH, matchesRow, type RowQuery } from './match-row.ts';

/** An alert with its ID. */
export type IndexedAlert = MatchingAlert & { readonly id: string };

/**
 * Alerts that require the same codes. Alerts with otherwise equal criteria share a row, so that they are evaluated once. Rows are consecutive in one
 * list: following references from alert to alert would cost more than evaluating.
 */
export type MatchBucket<A extends IndexedAlert> = {
  readonly filters: AlertFilters;
  readonly rows: number[];
  /** Alerts of each row. */
  readonly alerts: A[][];
};

/** Creates a bucket of one alert, the usual size; exactly sized lists halve the memory of the index. */
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
 * Number of rows that a new alert is compared with. Frequent rows come early; without a limit, adding many alerts that differ only in their
 * thresholds would take quadratic time.
 */
const MAX_COMPARED_ROWS = 256;

const isSameRow = ({ rows }: Pick<MatchBucket<IndexedAlert>, 'rows'>, index: number, row: readonly number[]): boolean =>
  row.every((value, column) => rows[index * ROW_LENGTH + column] === value);

export const addToBucket = <A extends IndexedAlert>(bucket: MatchBucket<A>, row: readonly number[], alert: A): void => {
  for (let index = 0; index < Math.min(bucket.alerts.length, MAX_COMPARED_ROWS); index++)
    if (isSameRow(bucket, index, row)) {
      bucket.alerts[index]?.push(alert);
      return;
    }
  bucket.rows.push(...row);
  bucket.alerts.push([alert]);
};

/** Removes an alert; the last row replaces its row if that becomes empty. */
export const removeFromBucket = <A extends IndexedAlert>(
  bucket: MatchBucket<A>,
  row: readonly number[],
  alert: A,
): void => {
  const { rows, alerts } = bucket;
  const index = alerts.findIndex((members, at) => isSameRow(bucket, at, row) && members.includes(alert));
  const remaining = alerts[index]?.filter((other) => other !== alert);
  if (remaining === undefined) return;
  alerts[index] = remaining;
  if (remaining.length > 0) return;
  const lastRow = rows.splice(-ROW_LENGTH);
  const lastAlerts = alerts.pop();
  if (lastAlerts === undefined || index === alerts.length) return;
  rows.splice(index * ROW_LENGTH, ROW_LENGTH, ...lastRow);
  alerts[index] = lastAlerts;
};

/** Whether an event has all required codes; rows check flight numbers and dates. */
const matchesCodes = (filters: AlertFilters, facts: EventFacts): boolean =>
  (filters.iataCarrierCode === '' || filters.iataCarrierCode === facts.iataCarrierCode) &&
  (filters.icaoCarrierCode === '' || filters.icaoCarrierCode === facts.icaoCarrierCode) &&
  (filters.departureAirport === '' || filters.departureAirport === facts.departureAirport) &&
  (filters.arrivalAirport === '' || filters.arrivalAirport === facts.arrivalAirport);

/** Returns whether alerts with these filters belong in the bucket. */
export const hasSameCodes = (bucket: Pick<MatchBucket<IndexedAlert>, 'filters'>, filters: AlertFilters): boolean =>
  filters.iataCarrierCode === bucket.filters.iataCarrierCode &&
  filters.icaoCarrierCode === bucket.filters.icaoCarrierCode &&
  filters.departureAirport === bucket.filters.departureAirport &&
  filters.arrivalAirport === bucket.filters.arrivalAirport;

/** An event, its row query, and the list of matches to fill. */
export type BucketSearch<A> = { readonly facts: EventFacts; readonly query: RowQuery; readonly matches: A[] };

/** Adds the alerts of a bucket that select an event to the matches. */
export const matchBucket = <A extends IndexedAlert>(
  bucket: MatchBucket<A>,
  { facts, query: question, matches: found }: BucketSearch<A>,
): void => {
  if (!matchesCodes(bucket.filters, facts)) return;
  for (let index = 0; index < bucket.alerts.length; index++)
    if (matchesRow(bucket.rows, index * ROW_LENGTH, question))
      for (const alert of bucket.alerts[index] ?? []) found.push(alert);
};
