import { type Alert, type AlertSelection, getEffectiveFilters, statusChangeKinds } from './alert.ts';
import { type EventFacts, listFactStates, type StatusFacts } from './event-facts.ts';

/** The settings of an alert that can exclude an event, in the order of evaluation. */
export const alertSettings = [
  'active',
  'schedules',
  'status',
  'gaFlights',
  'unscheduledFlights',
  'codeshare',
  'iataCarrierCode',
  'icaoCarrierCode',
  'flightNumber',
  'fromFlight',
  'toFlight',
  'departureAirport',
  'arrivalAirport',
  'departureDate',
  'arrivalDate',
  'statusChangeFilters',
  'estimatedDepartureTimeThreshold',
  'estimatedArrivalTimeThreshold',
] as const;
export type AlertSetting = (typeof alertSettings)[number];

/** The first setting that excludes an event, or `matched`. */
export type MatchVerdict = 'matched' | AlertSetting;

/** The part of an alert that decides which events it selects. */
export type MatchingAlert = AlertSelection & Pick<Alert, 'active'>;

const findKindMismatch = (alert: AlertSelection, facts: EventFacts): AlertSetting | undefined => {
  if (facts.kind === 'schedule' && !alert.schedules) return 'schedules';
  if (facts.kind === 'status' && !alert.status) return 'status';
  if (facts.flightType === 'GA' && !alert.gaFlights) return 'gaFlights';
  if (facts.flightType === 'Unscheduled' && !alert.unscheduledFlights) return 'unscheduledFlights';
  return facts.isMarketing && !alert.codeshare ? 'codeshare' : undefined;
};

const exactFilters = ['departureAirport', 'arrivalAirport', 'departureDate', 'arrivalDate'] as const;

const isMismatch = <T>(criterion: T | '' | undefined, value: T): boolean =>
  criterion !== '' && criterion !== undefined && criterion !== value;

const findFlightMismatch = (alert: AlertSelection, facts: EventFacts): AlertSetting | undefined => {
  const filters = getEffectiveFilters(alert);
  if (isMismatch(filters.iataCarrierCode, facts.iataCarrierCode)) return 'iataCarrierCode';
  if (isMismatch(filters.icaoCarrierCode, facts.icaoCarrierCode)) return 'icaoCarrierCode';
  if (isMismatch(filters.flightNumber, facts.flightNumber)) return 'flightNumber';
  if (filters.fromFlight !== undefined && facts.flightNumber < filters.fromFlight) return 'fromFlight';
  if (filters.toFlight !== undefined && facts.flightNumber > filters.toFlight) return 'toFlight';
  return exactFilters.find((name) => isMismatch(filters[name], facts[name]));
};

/** A flight that leaves or reaches the route or date of an alert is selected by its state before or after the change. */
const findRouteMismatch = (alert: AlertSelection, facts: EventFacts): AlertSetting | undefined => {
  const mismatches = listFactStates(facts).map((state) => findFlightMismatch(alert, state));
  return mismatches.includes(undefined) ? undefined : mismatches[0];
};

const reaches = (minutes: number | undefined, threshold: number | undefined): boolean =>
  minutes !== undefined && threshold !== undefined && (threshold < 0 ? minutes <= threshold : minutes >= threshold);

/** The variation of an update: before it, its steps, and after it. */
type Variation = {
  readonly minutes: number | undefined;
  readonly previous: number | undefined;
  readonly steps: readonly number[] | undefined;
};

/** Whether an update reaches a threshold with one of its steps; with `once`, only if the one before had not reached it. */
const selectsVariation = (
  { minutes, previous, steps = [] }: Variation,
  { threshold, once }: { readonly threshold: number | undefined; readonly once: boolean },
): boolean => {
  const all = [...steps, minutes];
  if (!once) return all.some((step) => reaches(step, threshold));
  const before = [previous ?? minutes ?? 0, ...all];
  return all.some((step, index) => reaches(step, threshold) && !reaches(before[index], threshold));
};

/** Filters by kind of change are evaluated first; thresholds decide about the remaining updates. */
const findUpdateMismatch = (alert: AlertSelection, facts: StatusFacts): AlertSetting | undefined => {
  const { changed } = facts;
  if (statusChangeKinds.some((change) => changed.has(change) && alert.statusChangeFilters[change])) return undefined;
  if (changed.size > 0 && !facts.changedElse) return 'statusChangeFilters';
  const departure = alert.estimatedDepartureTimeThreshold;
  const arrival = alert.estimatedArrivalTimeThreshold;
  if (departure === undefined && arrival === undefined) return undefined;
  if (alert.cancellations && facts.isCancellation) return undefined;
  const out = {
    minutes: facts.outGateVariationMinutes,
    previous: facts.previousOutGateVariationMinutes,
    steps: facts.outGateVariationSteps,
  };
  const into = {
    minutes: facts.inGateVariationMinutes,
    previous: facts.previousInGateVariationMinutes,
    steps: facts.inGateVariationSteps,
  };
  const once = alert.thresholdOnce;
  if (selectsVariation(out, { threshold: departure, once })) return undefined;
  if (selectsVariation(into, { threshold: arrival, once })) return undefined;
  return departure === undefined ? 'estimatedArrivalTimeThreshold' : 'estimatedDepartureTimeThreshold';
};

/** Returns `matched` when an alert selects an event, otherwise the first setting that excludes it (docs/reference/alert-rules.md documents the rules). */
export const matchAlert = (alert: MatchingAlert, facts: EventFacts): MatchVerdict =>
  (alert.active ? undefined : 'active') ??
  findKindMismatch(alert, facts) ??
  findRouteMismatch(alert, facts) ??
  (facts.kind === 'status' ? findUpdateMismatch(alert, facts) : undefined) ??
  'matched';
