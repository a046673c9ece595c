import { noFilters } from '../../../../domain/alerts/alert-filters.ts';
import type { AlertContent } from '../../../../store/alerts/alerts.ts';

/** The defaults of the contract: what an alert is where its creator says nothing. */
export const defaultAlert: Omit<AlertContent, 'alertType'> = {
  name: '',
  description: '',
  ...noFilters,
  content: '',
  schedules: true,
  status: true,
  gaFlights: false,
  unscheduledFlights: false,
  codeshare: true,
  changeIndicator: false,
  estimatedDepartureTimeThreshold: undefined,
  estimatedArrivalTimeThreshold: undefined,
  statusChangeFilters: {
    baggage: true,
    aircraftRegistrationNumber: true,
    gates: true,
    terminal: true,
    seats: true,
    aircraftType: true,
  },
};
