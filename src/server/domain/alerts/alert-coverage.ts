import {
  type AlertFilters,
  type AlertSelection,
  getEffectiveFilters,
  getFlightNumberRange,
  statusChangeKinds,
} from './alert.ts';

/** Filters with one value: a wider alert has none or the same value. */
const exactFilters = [
  'iataCarrierCode',
  'icaoCarrierCode',
  'departureAirport',
  'arrivalAirport',
  'departureDate',
  'arrivalDate',
] as const;

const isUnset = (value: string | number | undefined): boolean => value === '' || value === undefined;

const coversFlights = (filters: AlertFilters, otherFilters: AlertFilters): boolean => {
  const numbers = getFlightNumberRange(filters);
  const wider = getFlightNumberRange(otherFilters);
  return (
    exactFilters.every((name) => isUnset(otherFilters[name]) || otherFilters[name] === filters[name]) &&
    wider.from <= numbers.from &&
    numbers.to <= wider.to
  );
};

const switches = ['schedules', 'status', 'gaFlights', 'unscheduledFlights', 'codeshare'] as const;

const hasThreshold = (selection: AlertSelection): boolean =>
  selection.estimatedDepartureTimeThreshold !== undefined || selection.estimatedArrivalTimeThreshold !== undefined;

/** Whether every variation that reaches one threshold reaches the other: 15 and 10, -15 and -10, but not 15 and -10. */
const coversThreshold = (filters: number | undefined, other: number | undefined): boolean =>
  filters === undefined || (other !== undefined && (other < 0 ? filters <= other : filters >= other));

/** Whether every update that crosses one threshold crosses the other. */
const coversCrossing = (filters: number | undefined, other: number | undefined): boolean =>
  filters === undefined || filters === other;

const coversThresholds = (filters: AlertSelection, other: AlertSelection): boolean => {
  if (!hasThreshold(other)) return true;
  if (!hasThreshold(filters)) return false;
  if (filters.cancellations && !other.cancellations) return false;
  if (other.thresholdOnce && !filters.thresholdOnce) return false;
  const covers = other.thresholdOnce ? coversCrossing : coversThreshold;
  return (
    covers(filters.estimatedDepartureTimeThreshold, other.estimatedDepartureTimeThreshold) &&
    covers(filters.estimatedArrivalTimeThreshold, other.estimatedArrivalTimeThreshold)
  );
};

const coversUpdates = (filters: AlertSelection, other: AlertSelection): boolean =>
  statusChangeKinds.every((change) => !filters.statusChangeFilters[change] || other.statusChangeFilters[change]) &&
  coversThresholds(filters, other);

const isEmptySelection = (selection: AlertSelection): boolean => {
  const { from, to } = getFlightNumberRange(getEffectiveFilters(selection));
  return from > to || !(selection.schedules || selection.status);
};

/**
 * Returns whether another alert already selects every event that this one would select, so that it could add nothing. A selection of nothing is not
 * covered. It is irrelevant whether the other alert is active and what its events contain (content, change indicators): the caller compares those.
 */
export const isCoveredBy = (selection: AlertSelection, other: AlertSelection): boolean =>
  !isEmptySelection(selection) &&
  switches.every((name) => !selection[name] || other[name]) &&
  coversFlights(getEffectiveFilters(selection), getEffectiveFilters(other)) &&
  (!selection.status || coversUpdates(selection, other));
