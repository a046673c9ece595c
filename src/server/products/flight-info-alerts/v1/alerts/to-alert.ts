import type { Alert as WireAlert } from '#generated/flight-info-alerts/v1/types.gen.ts';
import type { Alert } from '#domain/alerts/alert.ts';
import { formatDate, type LocalDate } from '#domain/time/dates.ts';
import { toTimestamp } from '../shared/to-timestamp.ts';

const toTextOrNull = (text: string): string | null => (text === '' ? null : text);
const toDateOrNull = (date: LocalDate | undefined): string | null => (date === undefined ? null : formatDate(date));

/** Returns the wire form of an alert: members without a value are null. */
export const toAlert = (alert: Alert, { deleted }: { readonly deleted: boolean }): WireAlert => ({
  alertId: alert.id,
  accountId: alert.accountId,
  name: toTextOrNull(alert.name),
  description: toTextOrNull(alert.description),
  iataCarrierCode: toTextOrNull(alert.iataCarrierCode),
  icaoCarrierCode: toTextOrNull(alert.icaoCarrierCode),
  flightNumber: alert.flightNumber ?? null,
  fromFlight: alert.fromFlight ?? null,
  toFlight: alert.toFlight ?? null,
  departureAirport: toTextOrNull(alert.departureAirport),
  arrivalAirport: toTextOrNull(alert.arrivalAirport),
  alertType: alert.alertType,
  active: alert.active && !deleted,
  content: alert.content === 'seats' ? 'seats' : null,
  departureDate: toDateOrNull(alert.departureDate),
  arrivalDate: toDateOrNull(alert.arrivalDate),
  createdTimestamp: toTimestamp(alert.createdAt),
  lastUpdatedTimestamp: toTimestamp(alert.updatedAt),
  deleted,
  schedules: alert.schedules,
  status: alert.status,
  gaFlights: alert.gaFlights,
  unscheduledFlights: alert.unscheduledFlights,
  codeshare: alert.codeshare,
  estimatedArrivalTimeThreshold: alert.estimatedArrivalTimeThreshold ?? null,
  estimatedDepartureTimeThreshold: alert.estimatedDepartureTimeThreshold ?? null,
  thresholdOnce: alert.thresholdOnce,
  cancellations: alert.cancellations,
  changeIndicator: alert.changeIndicator,
  statusChangeFilters: { ...alert.statusChangeFilters },
});
