import { type AlertSelection, getEffectiveFilters, getFlightNumberRange, statusChangeKinds } from './alert.ts';
import type { EventFacts } from './event-facts.ts';

/** Numbers in a row. */
export const ROW_LENGTH = 8;

/** Marks an unset threshold; thresholds end at 1440. */
const NO_THRESHOLD = 32_767;

/** Marks an unset date; no flight has it. */
const NO_DATE = -2_147_483_648;

/** The facts of an event that rows are compared with, as numbers. */
export type RowQuery = {
  /** One bit for the kind of event, the flight type and whether it is a marketing flight. */
  readonly kindBit: number;
  readonly flightNumber: number;
  /** Days since 1970. */
  readonly departureDate: number;
  readonly arrivalDate: number;
  readonly isStatus: boolean;
  /** One bit for each of `statusChangeKinds`. */
  readonly changed: number;
  /** Whether the update contains more than changes that the alert does not select. */
  readonly isMore: boolean;
  readonly outMinutes: number;
  readonly inMinutes: number;
};

const flightTypes = { Scheduled: 0, Unscheduled: 1, GA: 2 } as const;

const encodeKind = (facts: Pick<EventFacts, 'kind' | 'flightType' | 'isMarketing'>): number =>
  1 << (flightTypes[facts.flightType] * 4 + (facts.kind === 'status' ? 2 : 0) + (facts.isMarketing ? 1 : 0));

const encodeChanges = (has: (change: (typeof statusChangeKinds)[number]) => boolean): number =>
  statusChangeKinds.reduce((bits, change, start) => (has(change) ? bits | (1 << start) : bits), 0);

/** Converts an event to a row query. */
export const toRowQuery = (facts: EventFacts): RowQuery => {
  const status = facts.kind === 'status' ? facts : undefined;
  const changed = status?.changed;
  return {
    kindBit: encodeKind(facts),
    flightNumber: facts.flightNumber,
    departureDate: facts.departureDate,
    arrivalDate: facts.arrivalDate,
    isStatus: status !== undefined,
    changed: changed && changed.size > 0 ? encodeChanges((change) => changed.has(change)) : 0,
    isMore: status?.changedElse === true || changed?.size === 0,
    outMinutes: status?.outGateVariationMinutes ?? NaN,
    inMinutes: status?.inGateVariationMinutes ?? NaN,
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
    encodeChanges((change) => selection.statusChangeFilters[change]),
    selection.estimatedDepartureTimeThreshold ?? NO_THRESHOLD,
    selection.estimatedArrivalTimeThreshold ?? NO_THRESHOLD,
  ];
};

const reaches = (minutes: number, threshold: number): boolean =>
  threshold < 0 ? minutes <= threshold : minutes >= threshold && threshold !== NO_THRESHOLD;

const at = (rows: readonly number[], start: number): number => rows[start] ?? 0;

const matchesDate = (criterion: number, value: number): boolean => criterion === NO_DATE || criterion === value;

const matchesUpdate = (rows: readonly number[], start: number, query: RowQuery): boolean => {
  if ((at(rows, start + 5) & query.changed) !== 0) return true;
  if (!query.isMore) return false;
  const departure = at(rows, start + 6);
  const arrival = at(rows, start + 7);
  if (departure === NO_THRESHOLD && arrival === NO_THRESHOLD) return true;
  return reaches(query.outMinutes, departure) || reaches(query.inMinutes, arrival);
};

/** Returns whether the row at an index selects an event, apart from its codes: the decision of `matchAlert`, computed from numbers. */
export const matchesRow = (rows: readonly number[], start: number, query: RowQuery): boolean =>
  (at(rows, start) & query.kindBit) !== 0 &&
  query.flightNumber >= at(rows, start + 1) &&
  query.flightNumber <= at(rows, start + 2) &&
  matchesDate(at(rows, start + 3), query.departureDate) &&
  matchesDate(at(rows, start + 4), query.arrivalDate) &&
  (!query.isStatus || matchesUpdate(rows, start, query));
