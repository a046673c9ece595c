import { type AlertSelection, getEffectiveFilters, getFlightNumberRange, statusChangeKinds } from './alert.ts';
import type { EventFacts } from './event-facts.ts';

/** Numbers a row has. */
export const ROW_LENGTH = 8;

/** Stands for a threshold that is not set; thresholds end at 1440. */
const NO_THRESHOLD = 32_767;

/** Stands for a date that is not asked for: no calendar of flights comes to it. */
const NO_DATE = -2_147_483_648;

/** An event as rows are asked about it: bits in place of words and sets. */
export type RowQuery = {
  /** One bit, for the kind of event, the type of flight and whether it is a marketing flight. */
  readonly kindBit: number;
  readonly flightNumber: number;
  /** Days since 1970. */
  readonly departureDate: number;
  readonly arrivalDate: number;
  readonly isStatus: boolean;
  /** A bit for each of `statusChanges`. */
  readonly changed: number;
  /** Whether there is more to it than unwanted changes when no wanted one is found. */
  readonly isMore: boolean;
  readonly outMinutes: number;
  readonly inMinutes: number;
};

const flightTypes = { Scheduled: 0, Unscheduled: 1, GA: 2 } as const;

const encodeKind = (facts: Pick<EventFacts, 'kind' | 'flightType' | 'isMarketing'>): number =>
  1 << (flightTypes[facts.flightType] * 4 + (facts.kind === 'status' ? 2 : 0) + (facts.isMarketing ? 1 : 0));

const encodeChanges = (has: (change: (typeof statusChangeKinds)[number]) => boolean): number =>
  statusChangeKinds.reduce((bits, change, place) => (has(change) ? bits | (1 << place) : bits), 0);

/** What rows are asked about an event. */
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
        const wanted = kind === 'status' ? selection.status : selection.schedules;
        if (type && wanted && (selection.codeshare || !isMarketing))
          bits |= encodeKind({ kind, flightType, isMarketing });
      }
  return bits;
};

/** All of a selection but its codes, as numbers: kinds, first and last flight number, dates, changes, thresholds. */
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

const at = (rows: readonly number[], place: number): number => rows[place] ?? 0;

const matchesDate = (asked: number, told: number): boolean => asked === NO_DATE || asked === told;

const matchesUpdate = (rows: readonly number[], place: number, question: RowQuery): boolean => {
  if ((at(rows, place + 5) & question.changed) !== 0) return true;
  if (!question.isMore) return false;
  const departure = at(rows, place + 6);
  const arrival = at(rows, place + 7);
  if (departure === NO_THRESHOLD && arrival === NO_THRESHOLD) return true;
  return reaches(question.outMinutes, departure) || reaches(question.inMinutes, arrival);
};

/**
 * Whether the row that begins at a place selects an event, apart from its codes: the decision of `alertMatches`, taken from
 * numbers alone.
 */
export const matchesRow = (rows: readonly number[], place: number, question: RowQuery): boolean =>
  (at(rows, place) & question.kindBit) !== 0 &&
  question.flightNumber >= at(rows, place + 1) &&
  question.flightNumber <= at(rows, place + 2) &&
  matchesDate(at(rows, place + 3), question.departureDate) &&
  matchesDate(at(rows, place + 4), question.arrivalDate) &&
  (!question.isStatus || matchesUpdate(rows, place, question));
