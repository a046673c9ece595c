import type { MatchingAlert } from './alert-match.ts';
import {
  type AlertFilters,
  type AlertSelection,
  getEffectiveFilters,
  getFlightNumberRange,
  statusChangeKinds,
} from './alert.ts';
import type { EventFacts } from './event-facts.ts';

/** Numbers in a row. */
const ROW_LENGTH = 8;

/** Marks an unset threshold; thresholds end at 1440. */
const NO_THRESHOLD = 32_767;

/** Marks an unset date; no flight has it. */
const NO_DATE = -2_147_483_648;

/** The facts of an event that rows are compared with, as numbers. */
type RowQuery = {
  /** One bit for the kind of event, the flight type and whether it is a marketing flight. */
  readonly kindBit: number;
  readonly flightNumber: number;
  /** Days since 1970. */
  readonly departureDate: number;
  readonly arrivalDate: number;
  readonly isStatus: boolean;
  /** One bit for each of `statusChangeKinds`, and one for a cancellation. */
  readonly changed: number;
  /** Whether the update contains more than changes that the alert does not select. */
  readonly isMore: boolean;
  readonly outMinutes: number;
  readonly inMinutes: number;
  /** Before the update; the same as after it if unchanged. */
  readonly previousOutMinutes: number;
  readonly previousInMinutes: number;
  /** Between the two; most updates have none. */
  readonly outSteps: readonly number[] | undefined;
  readonly inSteps: readonly number[] | undefined;
};

const flightTypes = { Scheduled: 0, Unscheduled: 1, GA: 2 } as const;

const encodeKind = (facts: Pick<EventFacts, 'kind' | 'flightType' | 'isMarketing'>): number =>
  1 << (flightTypes[facts.flightType] * 4 + (facts.kind === 'status' ? 2 : 0) + (facts.isMarketing ? 1 : 0));

/** Bits after those of `statusChangeKinds`: cancellations are selected, and thresholds select once. */
const CANCELLATION_BIT = 1 << statusChangeKinds.length;
const ONCE_BIT = CANCELLATION_BIT << 1;

const encodeChanges = (has: (change: (typeof statusChangeKinds)[number]) => boolean): number =>
  statusChangeKinds.reduce((bits, change, index) => (has(change) ? bits | (1 << index) : bits), 0);

/** Converts an event to a row query. */
export const toRowQuery = (facts: EventFacts): RowQuery => {
  const status = facts.kind === 'status' ? facts : undefined;
  const changed = status?.changed;
  const outMinutes = status?.outGateVariationMinutes ?? NaN;
  const inMinutes = status?.inGateVariationMinutes ?? NaN;
  const changedBits = changed && changed.size > 0 ? encodeChanges((change) => changed.has(change)) : 0;
  return {
    kindBit: encodeKind(facts),
    flightNumber: facts.flightNumber,
    departureDate: facts.departureDate,
    arrivalDate: facts.arrivalDate,
    isStatus: status !== undefined,
    changed: changedBits | (status?.isCancellation ? CANCELLATION_BIT : 0),
    isMore: status?.changedElse === true || changed?.size === 0,
    outMinutes,
    inMinutes,
    previousOutMinutes: status?.previousOutGateVariationMinutes ?? outMinutes,
    previousInMinutes: status?.previousInGateVariationMinutes ?? inMinutes,
    outSteps: status?.outGateVariationSteps,
    inSteps: status?.inGateVariationSteps,
  };
};

const encodeKinds = (selection: AlertSelection): number => {
  let bits = 0;
  for (const flightType of ['Scheduled', 'Unscheduled', 'GA'] as const)
    for (const kind of ['schedule', 'status'] as const)
      for (const isMarketing of [false, true]) {
        const type = { Scheduled: true, Unscheduled: selection.unscheduledFlights, GA: selection.gaFlights }[
          flightType
        ];
        const isSelected = kind === 'status' ? selection.status : selection.schedules;
        if (type && isSelected && (selection.codeshare || !isMarketing))
          bits |= encodeKind({ kind, flightType, isMarketing });
      }
  return bits;
};

/** Encodes a selection without its codes as numbers: kinds, first and last flight number, dates, changes, thresholds. */
export const encodeRow = (selection: AlertSelection): readonly number[] => {
  const filters = getEffectiveFilters(selection);
  const { from, to } = getFlightNumberRange(filters);
  return [
    encodeKinds(selection),
    from,
    to,
    filters.departureDate ?? NO_DATE,
    filters.arrivalDate ?? NO_DATE,
    encodeChanges((change) => selection.statusChangeFilters[change]) |
      (selection.cancellations ? CANCELLATION_BIT : 0) |
      (selection.thresholdOnce ? ONCE_BIT : 0),
    selection.estimatedDepartureTimeThreshold ?? NO_THRESHOLD,
    selection.estimatedArrivalTimeThreshold ?? NO_THRESHOLD,
  ];
};

const reaches = (minutes: number, threshold: number): boolean =>
  threshold < 0 ? minutes <= threshold : minutes >= threshold && threshold !== NO_THRESHOLD;

/** Whether one of the steps between two variations reaches a threshold; with `isOnce`, only if the one before had not reached it. */
const reachesBetween = (
  steps: readonly number[] | undefined,
  { previous, minutes }: { readonly previous: number; readonly minutes: number },
  { threshold, isOnce }: { readonly threshold: number; readonly isOnce: boolean },
): boolean => {
  if (!steps) return false;
  // Without an estimate before, the flight counts as on schedule.
  let before = Number.isNaN(previous) ? 0 : previous;
  for (const step of [...steps, minutes]) {
    if (reaches(step, threshold) && !(isOnce && reaches(before, threshold))) return true;
    before = step;
  }
  return false;
};

const at = (rows: readonly number[], start: number): number => rows[start] ?? 0;

const matchesDate = (criterion: number, value: number): boolean => criterion === NO_DATE || criterion === value;

const matchesUpdate = (rows: readonly number[], start: number, query: RowQuery): boolean => {
  if ((at(rows, start + 5) & query.changed) !== 0) return true;
  if (!query.isMore) return false;
  const departure = at(rows, start + 6);
  const arrival = at(rows, start + 7);
  if (departure === NO_THRESHOLD && arrival === NO_THRESHOLD) return true;
  const isOnce = (at(rows, start + 5) & ONCE_BIT) !== 0;
  return (
    (reaches(query.outMinutes, departure) && !(isOnce && reaches(query.previousOutMinutes, departure))) ||
    (reaches(query.inMinutes, arrival) && !(isOnce && reaches(query.previousInMinutes, arrival))) ||
    reachesBetween(
      query.outSteps,
      { previous: query.previousOutMinutes, minutes: query.outMinutes },
      { threshold: departure, isOnce },
    ) ||
    reachesBetween(
      query.inSteps,
      { previous: query.previousInMinutes, minutes: query.inMinutes },
      { threshold: arrival, isOnce },
    )
  );
};

/** Returns whether the row at an index selects an event, apart from its codes: the decision of `matchAlert`, computed from numbers. */
const matchesRow = (rows: readonly number[], start: number, query: RowQuery): boolean =>
  (at(rows, start) & query.kindBit) !== 0 &&
  query.flightNumber >= at(rows, start + 1) &&
  query.flightNumber <= at(rows, start + 2) &&
  matchesDate(at(rows, start + 3), query.departureDate) &&
  matchesDate(at(rows, start + 4), query.arrivalDate) &&
  (!query.isStatus || matchesUpdate(rows, start, query));

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
  { facts, query, matches }: BucketSearch<A>,
): void => {
  if (!matchesCodes(bucket.filters, facts)) return;
  for (let index = 0; index < bucket.alerts.length; index++)
    if (matchesRow(bucket.rows, index * ROW_LENGTH, query))
      for (const alert of bucket.alerts[index] ?? []) matches.push(alert);
};
