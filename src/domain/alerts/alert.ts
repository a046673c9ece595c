import type { LocalDate } from '../time/dates.ts';

/** The settings by which an alert asks for a carrier, a flight, a route or a day: those that a Global alert does without. */
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

/** Asks for nothing: every flight is right. */
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

/** The filters that count: what else is set in a Global alert is ignored. */
export const getEffectiveFilters = (selection: AlertSelection): AlertFilters =>
  selection.alertType === 'Global' ? noFilters : selection;

/** The flight numbers asked for, both ends included; `from` is past `to` when the number lies outside its own range. */
export const getFlightNumberRange = (filters: AlertFilters): { readonly from: number; readonly to: number } => {
  const { flightNumber, fromFlight = 0, toFlight = 9999 } = filters;
  return { from: Math.max(flightNumber ?? 0, fromFlight), to: Math.min(flightNumber ?? 9999, toFlight) };
};

export const alertTypes = ['Global', 'Carrier', 'Port'] as const;
export type AlertType = (typeof alertTypes)[number];

/** The kinds of change a status event can be chosen by. */
export const statusChangeKinds = [
  'baggage',
  'aircraftRegistrationNumber',
  'gates',
  'terminal',
  'seats',
  'aircraftType',
] as const;
export type StatusChangeKind = (typeof statusChangeKinds)[number];

/** Which events an alert selects. Codes are in capitals, '' where the alert does not ask for one. */
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
  /** Minutes, -1440 to 1440, against the estimated variations at the gates. */
  readonly estimatedDepartureTimeThreshold: number | undefined;
  readonly estimatedArrivalTimeThreshold: number | undefined;
  readonly statusChangeFilters: Readonly<Record<StatusChangeKind, boolean>>;
};

/** An alert as a subscriber keeps it. */
export type Alert = AlertSelection & {
  /** UUIDs. */
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly description: string;
  readonly active: boolean;
  /** Datasets that events carry beside their own, e.g. `seats`; '' for none. */
  readonly content: string;
  /** Whether events say what has changed. */
  readonly changeIndicator: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};
