import {
  type AlertFilters,
  type AlertSelection,
  getEffectiveFilters,
  getFlightNumberRange,
  statusChangeKinds,
} from './alert.ts';

/** The filters that ask for one value, so that a wider alert must leave them open or ask for the same. */
const exact = [
  'iataCarrierCode',
  'icaoCarrierCode',
  'departureAirport',
  'arrivalAirport',
  'departureDate',
  'arrivalDate',
] as const;

const isUnset = (asked: string | number | undefined): boolean => asked === '' || asked === undefined;

const coversFlights = (own: AlertFilters, others: AlertFilters): boolean => {
  const numbers = getFlightNumberRange(own);
  const wider = getFlightNumberRange(others);
  return (
    exact.every((name) => isUnset(others[name]) || others[name] === own[name]) &&
    wider.from <= numbers.from &&
    numbers.to <= wider.to
  );
};

const switches = ['schedules', 'status', 'gaFlights', 'unscheduledFlights', 'codeshare'] as const;

const hasThreshold = (selection: AlertSelection): boolean =>
  selection.estimatedDepartureTimeThreshold !== undefined || selection.estimatedArrivalTimeThreshold !== undefined;

/** Whether every variation that reaches one threshold reaches the other: 15 and 10, -15 and -10, but not 15 and -10. */
const coversThreshold = (own: number | undefined, other: number | undefined): boolean =>
  own === undefined || (other !== undefined && (other < 0 ? own <= other : own >= other));

const coversThresholds = (own: AlertSelection, other: AlertSelection): boolean =>
  !hasThreshold(other) ||
  (hasThreshold(own) &&
    coversThreshold(own.estimatedDepartureTimeThreshold, other.estimatedDepartureTimeThreshold) &&
    coversThreshold(own.estimatedArrivalTimeThreshold, other.estimatedArrivalTimeThreshold));

const coversUpdates = (own: AlertSelection, other: AlertSelection): boolean =>
  statusChangeKinds.every((change) => !own.statusChangeFilters[change] || other.statusChangeFilters[change]) &&
  coversThresholds(own, other);

const selectsNothing = (selection: AlertSelection): boolean => {
  const { from, to } = getFlightNumberRange(getEffectiveFilters(selection));
  return from > to || !(selection.schedules || selection.status);
};

/**
 * Whether every event that an alert would select is selected by another one already, so that it could bring nothing new.
 * A selection of nothing is covered by none: there is no event to be sent twice. Whether the other alert is active is
 * not looked at, and what events carry (content, change indicators) makes no difference.
 */
export const isCoveredBy = (selection: AlertSelection, other: AlertSelection): boolean =>
  !selectsNothing(selection) &&
  switches.every((name) => !selection[name] || other[name]) &&
  coversFlights(getEffectiveFilters(selection), getEffectiveFilters(other)) &&
  (!selection.status || coversUpdates(selection, other));
