import type { LocalDate } from '../time/dates.ts';
import type { StatusChangeKind } from './alert.ts';

/** The flight of an event, as it was scheduled: a diversion leaves all of this as it is. */
type EventFlight = {
  readonly flightType: 'Scheduled' | 'Unscheduled' | 'GA';
  /** Whether the designator is one under which the flight is sold and not flown. */
  readonly isMarketing: boolean;
  /** Of the designator, in capitals; '' when there is none or it is not known. */
  readonly iataCarrierCode: string;
  readonly icaoCarrierCode: string;
  /** 0 to 9999. */
  readonly flightNumber: number;
  /** IATA codes of the scheduled airports, in capitals; '' when there is none. */
  readonly departureAirport: string;
  readonly arrivalAirport: string;
  /** Local dates of scheduled departure and arrival, each at its airport. */
  readonly departureDate: LocalDate;
  readonly arrivalDate: LocalDate;
};

/** What a status update changed, and how late the flight is after it. */
export type StatusFacts = {
  readonly changed: ReadonlySet<StatusChangeKind>;
  /** Whether anything else changed: times, the state, a diversion, a check-in counter. */
  readonly changedElse: boolean;
  /**
   * Estimated less scheduled time at the gate, minutes with seconds as their fraction, negative when early; undefined
   * when there is no estimate.
   */
  readonly outGateVariationMinutes: number | undefined;
  readonly inGateVariationMinutes: number | undefined;
};

export type ScheduleEventFacts = EventFlight & { readonly kind: 'schedule' };
export type StatusEventFacts = EventFlight & StatusFacts & { readonly kind: 'status' };

/** All that the selection of events by alerts looks at. */
export type EventFacts = ScheduleEventFacts | StatusEventFacts;
