import type { Alert as WireAlert } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import type { Alert } from '../../../../domain/alerts/alert.ts';
import { formatDate, type LocalDate } from '../../../../domain/time/dates.ts';
import { showTimestamp } from '../shared/to-timestamp.ts';

const textOrNull = (text: string): string | null => (text === '' ? null : text);
const dateOrNull = (date: LocalDate | undefined): string | null => (date === undefined ? null : formatDate(date));

/** An alert as the contract has it: what is not set is null. */
export const showAlert = (alert: Alert, { deleted }: { readonly deleted: boolean }): WireAlert => ({
  alertId: alert.id,
  accountId: alert.accountId,
  name: textOrNull(alert.name),
  description: textOrNull(alert.description),
  iataCarrierCode: textOrNull(alert.iataCarrierCode),
  icaoCarrierCode: textOrNull(alert.icaoCarrierCode),
  flightNumber: alert.flightNumber ?? null,
  fromFlight: alert.fromFlight ?? null,
  toFlight: alert.toFlight ?? null,
  departureAirport: textOrNull(alert.departureAirport),
  arrivalAirport: textOrNull(alert.arrivalAirport),
  alertType: alert.alertType,
  active: alert.active && !deleted,
  content: alert.content === 'seats' ? 'seats' : null,
  departureDate: dateOrNull(alert.departureDate),
  arrivalDate: dateOrNull(alert.arrivalDate),
  createdTimestamp: showTimestamp(alert.createdAt),
  lastUpdatedTimestamp: showTimestamp(alert.updatedAt),
  deleted,
  schedules: alert.schedules,
  status: alert.status,
  gaFlights: alert.gaFlights,
  unscheduledFlights: alert.unscheduledFlights,
  codeshare: alert.codeshare,
  estimatedArrivalTimeThreshold: alert.estimatedArrivalTimeThreshold ?? null,
  estimatedDepartureTimeThreshold: alert.estimatedDepartureTimeThreshold ?? null,
  changeIndicator: alert.changeIndicator,
  statusChangeFilters: { ...alert.statusChangeFilters },
});
