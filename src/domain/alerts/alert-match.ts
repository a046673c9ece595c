import { type Alert, type AlertSelection, getEffectiveFilters, statusChangeKinds } from './alert.ts';
import type { EventFacts, StatusFacts } from './event-facts.ts';

/** The settings of an alert that can refuse an event, in the order in which they are asked. */
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

/** The first setting that refuses an event, or `matched` when none does. */
export type MatchVerdict = 'matched' | AlertSetting;

/** Of an alert, what decides which events it selects. */
export type MatchingAlert = AlertSelection & Pick<Alert, 'active'>;

const findKindMismatch = (alert: AlertSelection, facts: EventFacts): AlertSetting | undefined => {
  if (facts.kind === 'schedule' && !alert.schedules) return 'schedules';
  if (facts.kind === 'status' && !alert.status) return 'status';
  if (facts.flightType === 'GA' && !alert.gaFlights) return 'gaFlights';
  if (facts.flightType === 'Unscheduled' && !alert.unscheduledFlights) return 'unscheduledFlights';
  return facts.isMarketing && !alert.codeshare ? 'codeshare' : undefined;
};

const exact = ['departureAirport', 'arrivalAirport', 'departureDate', 'arrivalDate'] as const;

const differs = <T>(asked: T | '' | undefined, told: T): boolean =>
  asked !== '' && asked !== undefined && asked !== told;

const findFlightMismatch = (alert: AlertSelection, facts: EventFacts): AlertSetting | undefined => {
  const filters = getEffectiveFilters(alert);
  if (differs(filters.iataCarrierCode, facts.iataCarrierCode)) return 'iataCarrierCode';
  if (differs(filters.icaoCarrierCode, facts.icaoCarrierCode)) return 'icaoCarrierCode';
  if (differs(filters.flightNumber, facts.flightNumber)) return 'flightNumber';
  if (filters.fromFlight !== undefined && facts.flightNumber < filters.fromFlight) return 'fromFlight';
  if (filters.toFlight !== undefined && facts.flightNumber > filters.toFlight) return 'toFlight';
  return exact.find((name) => differs(filters[name], facts[name]));
};

const reaches = (minutes: number | undefined, threshold: number | undefined): boolean =>
  minutes !== undefined && threshold !== undefined && (threshold < 0 ? minutes <= threshold : minutes >= threshold);

/** The filters by kind of change speak first; the thresholds decide about the updates on which they have nothing to say. */
const findUpdateMismatch = (alert: AlertSelection, facts: StatusFacts): AlertSetting | undefined => {
  const { changed } = facts;
  if (statusChangeKinds.some((change) => changed.has(change) && alert.statusChangeFilters[change])) return undefined;
  if (changed.size > 0 && !facts.changedElse) return 'statusChangeFilters';
  const departure = alert.estimatedDepartureTimeThreshold;
  const arrival = alert.estimatedArrivalTimeThreshold;
  if (departure === undefined && arrival === undefined) return undefined;
  if (reaches(facts.outGateVariationMinutes, departure) || reaches(facts.inGateVariationMinutes, arrival))
    return undefined;
  return departure === undefined ? 'estimatedArrivalTimeThreshold' : 'estimatedDepartureTimeThreshold';
};

/** Whether an alert selects an event, and if not, which of its settings refuses it first (docs/guides/alerts.md has the rules). */
export const matchAlert = (alert: MatchingAlert, facts: EventFacts): MatchVerdict =>
  (alert.active ? undefined : 'active') ??
  findKindMismatch(alert, facts) ??
  findFlightMismatch(alert, facts) ??
  (facts.kind === 'status' ? findUpdateMismatch(alert, facts) : undefined) ??
  'matched';
