import { type EventFacts, findRouteBefore, type StatusFacts } from '#domain/alerts/event-facts.ts';
import { localDate, type LocalDate } from '#domain/time/dates.ts';
import type { ScheduleContent, StatusContent } from './event-content.ts';
import {
  diffProperties,
  getChangeKind,
  type PropertyChange,
  scheduleProperties,
  type SchedulePropertyName,
  statusProperties,
  type StatusPropertyName,
} from './event-properties.ts';

/** A status change of a flight under one of its designators. */
export type StatusEvent = {
  readonly kind: 'status';
  /** Counts the events of a flight: 1 for its first. */
  readonly version: number;
  readonly content: StatusContent;
  readonly changes: readonly PropertyChange<StatusPropertyName>[];
};

export type ScheduleEventState = 'NEW' | 'UPDATED' | 'REINSTATED' | 'DELETED';

/** A schedule change of an instance. `content` is the current state, or the last one if the instance is deleted. */
export type ScheduleEvent = {
  readonly kind: 'schedule';
  /** Counts the events of a flight: 1 for its first. */
  readonly version: number;
  readonly state: ScheduleEventState;
  readonly content: ScheduleContent;
  readonly changes: readonly PropertyChange<SchedulePropertyName>[];
};

/** The state of an instance before a schedule is published. `content` is what the last schedule filed, if known. */
export type PreviousSchedule =
  | { readonly kind: 'never' }
  | { readonly kind: 'in-force'; readonly content: ScheduleContent }
  | { readonly kind: 'deleted'; readonly content: ScheduleContent | undefined };

/** Returns which change kinds, the ones alerts select by, occur in a status event, and whether others occur. */
export const listChangeKinds = (
  changes: readonly PropertyChange<StatusPropertyName>[],
): Pick<StatusFacts, 'changed' | 'changedElse'> => {
  const kinds = changes.map(({ propertyName }) => getChangeKind(propertyName));
  return {
    changed: new Set(kinds.filter((kind) => kind !== undefined)),
    changedElse: kinds.includes(undefined),
  };
};

/** Parses `[-]HH:MM:SS` as minutes; seconds become the fraction. */
const parseVariationMinutes = (variation: string | undefined): number | undefined => {
  if (variation === undefined) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = variation.replace('-', '').split(':').map(Number);
  const size = hours * 60 + minutes + seconds / 60;
  return variation.startsWith('-') ? -size : size;
};

/** Returns the variation before the update, 0 if unknown then; undefined if the update did not change it. */
const findPreviousMinutes = (changes: StatusEvent['changes'], propertyName: StatusPropertyName): number | undefined => {
  const change = changes.find((one) => one.propertyName === propertyName);
  if (!change) return undefined;
  return parseVariationMinutes(change.previousValue === undefined ? undefined : String(change.previousValue)) ?? 0;
};

const toPreviousFacts = ({ content, changes }: StatusEvent): Partial<StatusFacts> => {
  const out = findPreviousMinutes(changes, 'Departure.Times.Estimated.OutGateVariation');
  const arrival = findPreviousMinutes(changes, 'Arrival.Times.Estimated.InGateVariation');
  const isCancellation = content.state === 'Canceled' && changes.some(({ propertyName }) => propertyName === 'State');
  return {
    ...(out !== undefined && { previousOutGateVariationMinutes: out }),
    ...(arrival !== undefined && { previousInGateVariationMinutes: arrival }),
    ...(isCancellation && { isCancellation }),
  };
};

/** The estimated variations of a status between two others, `[-]HH:MM:SS`; undefined without an estimate. */
export type EstimateStep = {
  readonly outGateVariation: string | undefined;
  readonly inGateVariation: string | undefined;
};

const toStepFacts = (steps: readonly EstimateStep[]): Partial<StatusFacts> => {
  const out = steps.flatMap(({ outGateVariation }) => parseVariationMinutes(outGateVariation) ?? []);
  const arrival = steps.flatMap(({ inGateVariation }) => parseVariationMinutes(inGateVariation) ?? []);
  return {
    ...(out.length > 0 && { outGateVariationSteps: out }),
    ...(arrival.length > 0 && { inGateVariationSteps: arrival }),
  };
};

const toScheduledDate = ({ times }: StatusContent['departure'] | StatusContent['arrival']): LocalDate | undefined =>
  times?.scheduled && localDate(times.scheduled.local.slice(0, 10));

/** Returns route and dates of a status as scheduled. If no arrival time is known, the arrival date is the departure date. */
const toStatusRoute = ({ departure, arrival, originationDate }: StatusContent) => {
  const departureDate = toScheduledDate(departure) ?? localDate(originationDate.local.slice(0, 10));
  return {
    departureAirport: departure.scheduled.airport?.iata ?? '',
    arrivalAirport: arrival.scheduled.airport?.iata ?? '',
    departureDate,
    arrivalDate: toScheduledDate(arrival) ?? departureDate,
  };
};

/** The state of a flight before a status event, if it was known, and the estimates between that and the event. */
type StatusBefore = { readonly content?: StatusContent | undefined; readonly steps?: readonly EstimateStep[] };

/** Returns what alerts select a status event by: the flight as scheduled, before and after the event, and the kinds of change. */
export const toStatusFacts = (event: StatusEvent, { content: before, steps = [] }: StatusBefore = {}): EventFacts => {
  const { content, changes } = event;
  const { flightType, isOperating, carrierCode, flightNumber, departure, arrival } = content;
  const route = toStatusRoute(content);
  return {
    kind: 'status',
    flightType,
    isMarketing: !isOperating,
    iataCarrierCode: carrierCode.iata ?? '',
    icaoCarrierCode: carrierCode.icao ?? '',
    flightNumber: Number(flightNumber),
    ...route,
    ...findRouteBefore(before && toStatusRoute(before), route),
    ...listChangeKinds(changes),
    outGateVariationMinutes: parseVariationMinutes(departure.times?.estimated?.outGateVariation),
    inGateVariationMinutes: parseVariationMinutes(arrival.times?.estimated?.inGateVariation),
    ...toPreviousFacts(event),
    ...toStepFacts(steps),
  };
};

const unknownFlight = {};

/**
 * Builds the event of a flight whose status was recomputed; undefined if no property changed. `before` is undefined for a
 * flight that was unknown: all its properties are added. `version` is that of the flight's last event, 0 before its first.
 */
export const buildStatusEvent = (
  before: StatusContent | undefined,
  after: StatusContent,
  version: number,
): StatusEvent | undefined => {
  const changes = diffProperties(statusProperties, before ?? unknownFlight, after);
  if (changes.length === 0) return undefined;
  return { kind: 'status', content: after, version: version + 1, changes };
};

const toScheduleRoute = ({ departure, arrival }: ScheduleContent) => ({
  departureAirport: departure.airport.iata ?? '',
  arrivalAirport: arrival.airport.iata ?? '',
  departureDate: localDate(departure.date.local),
  arrivalDate: localDate(arrival.date.local),
});

/**
 * Returns what alerts select a schedule event by; its content does not say whether the designator is a marketing one. A flight that was deleted
 * before was in force on no date.
 */
export const toScheduleFacts = (
  { content }: ScheduleEvent,
  { isMarketing, before }: { readonly isMarketing: boolean; readonly before: PreviousSchedule },
): EventFacts => {
  const route = toScheduleRoute(content);
  return {
    kind: 'schedule',
    flightType: 'Scheduled',
    isMarketing,
    iataCarrierCode: content.carrierCode.iata ?? '',
    icaoCarrierCode: content.carrierCode.icao ?? '',
    flightNumber: content.flightNumber,
    ...route,
    ...findRouteBefore(before.kind === 'in-force' ? toScheduleRoute(before.content) : undefined, route),
  };
};

const compareSchedules = (
  before: PreviousSchedule,
  after: ScheduleContent | undefined,
): Pick<ScheduleEvent, 'state' | 'content' | 'changes'> | undefined => {
  if (!after)
    return before.kind === 'in-force' ? { state: 'DELETED', content: before.content, changes: [] } : undefined;
  if (before.kind === 'never') return { state: 'NEW', content: after, changes: [] };
  const changes = before.content ? diffProperties(scheduleProperties, before.content, after) : [];
  if (before.kind === 'deleted') return { state: 'REINSTATED', content: after, changes };
  return changes.length === 0 ? undefined : { state: 'UPDATED', content: after, changes };
};

/**
 * Builds the event of one instance when a schedule is published; undefined if no property changed. `after` is undefined if
 * the schedule no longer has the instance. A reinstated flight is compared with its last state before deletion, if known.
 * `version` is that of the flight's last event, 0 before its first.
 */
export const buildScheduleEvent = (
  before: PreviousSchedule,
  after: ScheduleContent | undefined,
  version: number,
): ScheduleEvent | undefined => {
  const comparison = compareSchedules(before, after);
  return comparison && { kind: 'schedule', ...comparison, version: version + 1 };
};
