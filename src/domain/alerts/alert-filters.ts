import type { AlertSelection } from './alert.ts';

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
export const filtersOf = (selection: AlertSelection): AlertFilters =>
  selection.alertType === 'Global' ? noFilters : selection;

/** The flight numbers asked for, both ends included; `from` is past `to` when the number lies outside its own range. */
export const flightNumbersOf = (filters: AlertFilters): { readonly from: number; readonly to: number } => {
  const { flightNumber, fromFlight = 0, toFlight = 9999 } = filters;
  return { from: Math.max(flightNumber ?? 0, fromFlight), to: Math.min(flightNumber ?? 9999, toFlight) };
};
