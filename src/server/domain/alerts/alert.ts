import type { LocalDate } from '../time/dates.ts';

export const alertTypes = ['Global', 'Carrier', 'Port'] as const;
export type AlertType = (typeof alertTypes)[number];

/** The kinds of change that alerts can select status updates by. */
export const statusChangeKinds = [
  'baggage',
  'aircraftRegistrationNumber',
  'gates',
  'terminal',
  'seats',
  'aircraftType',
] as const;
export type StatusChangeKind = (typeof statusChangeKinds)[number];

/** The criteria of an alert for events. Codes are in capitals, '' for any. */
export type AlertSelection = {
  readonly alertType: AlertType;
  readonly iataCarrierCode: string;
  readonly icaoCarrierCode: string;
  readonly flightNumber: number | undefined;
  /** A range of flight numbers, both ends included. */
  readonly fromFlight: number | undefined;
  readonly toFlight: number | undefined;
  /** IATA codes. */
  readonly departureAirport: string;
  readonly arrivalAirport: string;
  /** Scheduled local dates. */
  readonly departureDate: LocalDate | undefined;
  readonly arrivalDate: LocalDate | undefined;
  readonly schedules: boolean;
  readonly status: boolean;
  readonly gaFlights: boolean;
  readonly unscheduledFlights: boolean;
  /** Whether marketing flights are included. */
  readonly codeshare: boolean;
  /** Minutes, -1440 to 1440, compared with the estimated gate variations. */
  readonly estimatedDepartureTimeThreshold: number | undefined;
  readonly estimatedArrivalTimeThreshold: number | undefined;
  /** Whether a threshold selects only the update with which the estimate crosses it. */
  readonly thresholdOnce: boolean;
  /** Whether cancellations are selected whatever the thresholds are. */
  readonly cancellations: boolean;
  readonly statusChangeFilters: Readonly<Record<StatusChangeKind, boolean>>;
};

/** A stored alert. */
export type Alert = AlertSelection & {
  /** UUIDs. */
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly description: string;
  readonly active: boolean;
  /** Additional data in events, e.g. `seats`; '' for none. */
  readonly content: string;
  /** Whether events contain the changes. */
  readonly changeIndicator: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** The filters of an alert for carrier, flight, route and day, which a Global alert does not have. */
export type AlertFilters = Pick<
  AlertSelection,
  | 'iataCarrierCode'
  | 'icaoCarrierCode'
  | 'flightNumber'
  | 'fromFlight'
  | 'toFlight'
  | 'departureAirport'
  | 'arrivalAirport'
  | 'departureDate'
  | 'arrivalDate'
>;

/** No filters: every flight matches. */
export const noFilters: AlertFilters = {
  iataCarrierCode: '',
  icaoCarrierCode: '',
  flightNumber: undefined,
  fromFlight: undefined,
  toFlight: undefined,
  departureAirport: '',
  arrivalAirport: '',
  departureDate: undefined,
  arrivalDate: undefined,
};

/** Returns the filters in effect; a Global alert ignores its own. */
export const getEffectiveFilters = (selection: AlertSelection): AlertFilters =>
  selection.alertType === 'Global' ? noFilters : selection;

/** Returns the range of flight numbers, both included; `from` is above `to` when the flight number is outside its own range. */
export const getFlightNumberRange = (filters: AlertFilters): { readonly from: number; readonly to: number } => {
  const { flightNumber, fromFlight = 0, toFlight = 9999 } = filters;
  return { from: Math.max(flightNumber ?? 0, fromFlight), to: Math.min(flightNumber ?? 9999, toFlight) };
};
