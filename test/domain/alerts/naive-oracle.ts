import type { MatchingAlert } from '#domain/alerts/alert-match.ts';
import type { EventFacts } from '#domain/alerts/event-facts.ts';

const isLateEnough = (variation: number | undefined, threshold: number | undefined): boolean => {
  if (variation === undefined || threshold === undefined) return false;
  return (threshold >= 0 && variation >= threshold) || (threshold < 0 && variation <= threshold);
};

/** Whether docs/reference/alert-rules.md lets an alert select an event: derived from its text only, not from the code. */
export const selects = (alert: MatchingAlert, event: EventFacts): boolean => {
  const objections: boolean[] = [];
  objections.push(!alert.active);
  objections.push(event.kind === 'schedule' && !alert.schedules);
  objections.push(event.kind === 'status' && !alert.status);
  objections.push(event.flightType === 'GA' && !alert.gaFlights);
  objections.push(event.flightType === 'Unscheduled' && !alert.unscheduledFlights);
  objections.push(event.isMarketing && !alert.codeshare);
  if (alert.alertType !== 'Global') {
    objections.push(alert.iataCarrierCode !== '' && alert.iataCarrierCode !== event.iataCarrierCode);
    objections.push(alert.icaoCarrierCode !== '' && alert.icaoCarrierCode !== event.icaoCarrierCode);
    const routes = event.before ? [event, event.before] : [event];
    objections.push(
      routes.every(
        (route) =>
          (alert.departureAirport !== '' && alert.departureAirport !== route.departureAirport) ||
          (alert.arrivalAirport !== '' && alert.arrivalAirport !== route.arrivalAirport) ||
          (alert.departureDate !== undefined && alert.departureDate !== route.departureDate) ||
          (alert.arrivalDate !== undefined && alert.arrivalDate !== route.arrivalDate),
      ),
    );
    objections.push(alert.flightNumber !== undefined && alert.flightNumber !== event.flightNumber);
    objections.push(alert.fromFlight !== undefined && event.flightNumber < alert.fromFlight);
    objections.push(alert.toFlight !== undefined && alert.toFlight < event.flightNumber);
  }
  if (event.kind === 'status') {
    const selected = [...event.changed].filter((change) => alert.statusChangeFilters[change]);
    const passesFilters = selected.length > 0 || (event.changed.size > 0 && !event.changedElse);
    const { estimatedDepartureTimeThreshold: departure, estimatedArrivalTimeThreshold: arrival } = alert;
    if (passesFilters) objections.push(selected.length === 0);
    else if ((departure !== undefined || arrival !== undefined) && !(alert.cancellations && event.isCancellation)) {
      const { outGateVariationMinutes: out, inGateVariationMinutes: into } = event;
      const { previousOutGateVariationMinutes: outBefore = out, previousInGateVariationMinutes: intoBefore = into } =
        event;
      const passed = (all: readonly (number | undefined)[], threshold: number | undefined): boolean =>
        all
          .slice(1)
          .some(
            (step, index) =>
              isLateEnough(step, threshold) && !(alert.thresholdOnce && isLateEnough(all[index] ?? 0, threshold)),
          );
      const departs = passed([outBefore, ...(event.outGateVariationSteps ?? []), out], departure);
      const arrives = passed([intoBefore, ...(event.inGateVariationSteps ?? []), into], arrival);
      objections.push(!departs && !arrives);
    }
  }
  return !objections.includes(true);
};
