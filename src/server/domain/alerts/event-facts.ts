import type { LocalDate } from '../time/dates.ts';
import type { StatusChangeKind } from './alert.ts';

/** Where and when a flight is scheduled. */
type ScheduledRoute = {
  /** IATA codes of the scheduled airports, in capitals; '' when missing. */
  readonly departureAirport: string;
  readonly arrivalAirport: string;
  /** Local dates of scheduled departure and arrival. */
  readonly departureDate: LocalDate;
  readonly arrivalDate: LocalDate;
};

/** The flight of an event as scheduled; a diversion does not change it. */
type EventFlight = ScheduledRoute & {
  readonly flightType: 'Scheduled' | 'Unscheduled' | 'GA';
  /** Whether the designator is a marketing designator. */
  readonly isMarketing: boolean;
  /** Codes of the designator, in capitals; '' when missing or unknown. */
  readonly iataCarrierCode: string;
  readonly icaoCarrierCode: string;
  /** 0 to 9999. */
  readonly flightNumber: number;
  /** The route and dates before the change; absent if it did not change them. Alerts for either select the event. */
  readonly before?: ScheduledRoute;
};

/** The changes of a status update, and the delay after it. */
export type StatusFacts = {
  readonly changed: ReadonlySet<StatusChangeKind>;
  /** Whether anything else changed: times, state, diversion, check-in counter. */
  readonly changedElse: boolean;
  /** Estimated minus scheduled gate time, minutes with fractions, negative when early; undefined without an estimate. */
  readonly outGateVariationMinutes: number | undefined;
  readonly inGateVariationMinutes: number | undefined;
  /** The same before the update, 0 if unknown then; absent if the update did not change it. */
  readonly previousOutGateVariationMinutes?: number;
  readonly previousInGateVariationMinutes?: number;
  /** The variations that were known between those before and after the update, oldest first; absent if there were none. */
  readonly outGateVariationSteps?: readonly number[];
  readonly inGateVariationSteps?: readonly number[];
  /** Set on the update that cancels the flight. */
  readonly isCancellation?: true;
};

export type ScheduleEventFacts = EventFlight & { readonly kind: 'schedule' };
export type StatusEventFacts = EventFlight & StatusFacts & { readonly kind: 'status' };

/** The facts of an event by which alerts select it. */
export type EventFacts = ScheduleEventFacts | StatusEventFacts;

/** Returns the route and dates before a change, if it changed them. */
export const findRouteBefore = (
  before: ScheduledRoute | undefined,
  after: ScheduledRoute,
): Pick<EventFlight, 'before'> => {
  const names = ['departureAirport', 'arrivalAirport', 'departureDate', 'arrivalDate'] as const;
  return before && names.some((name) => before[name] !== after[name]) ? { before } : {};
};

/** Lists the facts of an event with the flight as it is after the change, and as it was before if its route or dates changed. */
export const listFactStates = <Facts extends EventFacts>(facts: Facts): readonly Facts[] =>
  facts.before ? [facts, { ...facts, ...facts.before }] : [facts];
