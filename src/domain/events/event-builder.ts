import type { EventFacts, StatusFacts } from '../alerts/event-facts.ts';
import { localDate, type LocalDate } from '../time/dates.ts';
import type { ScheduleContent, StatusContent } from './event-content.ts';
import { diffProperties, type PropertyChange } from './property-changes.ts';
import { scheduleProperties, type SchedulePropertyName } from './schedule-properties.ts';
import { statusChangeOf, statusProperties, type StatusPropertyName } from './status-properties.ts';

/** What alerts choose a schedule event by. Whether the designator only sells the flight is not told by the event itself. */
export const scheduleEventFacts = (
  { carrierCode, flightNumber, departure, arrival }: ScheduleContent,
  isMarketing: boolean,
): EventFacts => ({
  kind: 'schedule',
  flightType: 'Scheduled',
  isMarketing,
  iataCarrierCode: carrierCode.iata ?? '',
  icaoCarrierCode: carrierCode.icao ?? '',
  flightNumber,
  departureAirport: departure.airport.iata ?? '',
  arrivalAirport: arrival.airport.iata ?? '',
  departureDate: localDate(departure.date.local),
  arrivalDate: localDate(arrival.date.local),
});

/** Which kinds of change, by which alerts choose, are among the changes of a status event, and whether there are any others. */
export const changedKinds = (
  changes: readonly PropertyChange<StatusPropertyName>[],
): Pick<StatusFacts, 'changed' | 'changedElse'> => {
  const kinds = changes.map(({ propertyName }) => statusChangeOf(propertyName));
  return {
    changed: new Set(kinds.filter((kind) => kind !== undefined)),
    changedElse: kinds.includes(undefined),
  };
};

/** Minutes of `[-]HH:MM:SS`, seconds as their fraction. */
const minutesOf = (variation: string | undefined): number | undefined => {
  if (variation === undefined) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = variation.replace('-', '').split(':').map(Number);
  const size = hours * 60 + minutes + seconds / 60;
  return variation.startsWith('-') ? -size : size;
};

const dateOf = ({ times }: StatusContent['departure'] | StatusContent['arrival']): LocalDate | undefined =>
  times?.scheduled && localDate(times.scheduled.local.slice(0, 10));

/**
 * What alerts choose a status event by: the flight as it was scheduled. A flight of which nobody has said when it arrives is
 * taken to arrive on the day on which it departs.
 */
export const statusEventFacts = ({ content: told, changes }: StatusEvent): EventFacts => {
  const { flightType, isOperating, carrierCode, flightNumber, departure, arrival, originationDate } = told;
  const departureDate = dateOf(departure) ?? localDate(originationDate.local.slice(0, 10));
  return {
    kind: 'status',
    flightType,
    isMarketing: !isOperating,
    iataCarrierCode: carrierCode.iata ?? '',
    icaoCarrierCode: carrierCode.icao ?? '',
    flightNumber: Number(flightNumber),
    departureAirport: departure.scheduled.airport?.iata ?? '',
    arrivalAirport: arrival.scheduled.airport?.iata ?? '',
    departureDate,
    arrivalDate: dateOf(arrival) ?? departureDate,
    ...changedKinds(changes),
    outGateVariationMinutes: minutesOf(departure.times?.estimated?.outGateVariation),
    inGateVariationMinutes: minutesOf(arrival.times?.estimated?.inGateVariation),
  };
};

/** Where an instance stands before a schedule is put in force. `told` is what the last schedule with it filed, as far as it is known. */
export type ScheduleState =
  | { readonly kind: 'never' }
  | { readonly kind: 'in-force'; readonly told: ScheduleContent }
  | { readonly kind: 'deleted'; readonly told: ScheduleContent | undefined };

export type ScheduleEventState = 'NEW' | 'UPDATED' | 'REINSTATED' | 'DELETED';

/** What became of an instance in the schedule. `told` is the instance as it is now, and as it was last when it is deleted. */
export type ScheduleEvent = {
  readonly state: ScheduleEventState;
  readonly content: ScheduleContent;
  /** The flight's number of this event: 1 for its first, and one more for each. */
  readonly version: number;
  readonly changes: readonly PropertyChange<SchedulePropertyName>[];
};

const step = (
  before: ScheduleState,
  after: ScheduleContent | undefined,
): Omit<ScheduleEvent, 'version'> | undefined => {
  if (!after) return before.kind === 'in-force' ? { state: 'DELETED', content: before.told, changes: [] } : undefined;
  if (before.kind === 'never') return { state: 'NEW', content: after, changes: [] };
  const changes = before.told ? diffProperties(scheduleProperties, before.told, after) : [];
  if (before.kind === 'deleted') return { state: 'REINSTATED', content: after, changes };
  return changes.length === 0 ? undefined : { state: 'UPDATED', content: after, changes };
};

/**
 * The event of one instance when a schedule is put in force, none when it is told the same as before. `after` is undefined when
 * the schedule does not hold it; `version` is the number of the flight's last event, 0 before its first. A flight that comes
 * back is compared with what it was when it was deleted, where that is known.
 */
export const scheduleEvents = (
  before: ScheduleState,
  after: ScheduleContent | undefined,
  version: number,
): readonly ScheduleEvent[] => {
  const event = step(before, after);
  return event ? [{ ...event, version: version + 1 }] : [];
};

/** What became known of a flight under one of its designators. */
export type StatusEvent = {
  readonly content: StatusContent;
  /** The flight's number of this event: 1 for its first, and one more for each. */
  readonly version: number;
  readonly changes: readonly PropertyChange<StatusPropertyName>[];
};

const nothing = {};

/**
 * The event of a flight whose status was counted anew, none when all that is told of it stayed the same: not every message says
 * something new. `before` is undefined for a flight that was not known at all, then all it has is added; `version` is the number
 * of the flight's last event, 0 before its first.
 */
export const statusEvents = (
  before: StatusContent | undefined,
  after: StatusContent,
  version: number,
): readonly StatusEvent[] => {
  const changes = diffProperties(statusProperties, before ?? nothing, after);
  return changes.length === 0 ? [] : [{ content: after, version: version + 1, changes }];
};
