import { toDesignatorKey } from '../designators.ts';
import type { ZoneLookup } from '../instances.ts';
import type { Itinerary } from '../schedule.ts';
import { AmendmentError } from './amendment-error.ts';
import { CancellationLog, type LegCancellation, type LegRegistration, listRegistrations } from './cancellations.ts';
import { type AmendmentNotice, type AppliedMessage, type CancellationChange, changeDate } from './change-date.ts';
import { changePeriods } from './change-periods.ts';
import { formatFlight, type MessageStep, type ScheduleState, type SeasonLookup } from './select-dates.ts';
import {
  type AmendedItinerary,
  createFlightSchedule,
  emptyFlightSchedule,
  listItineraries,
  listVariationsInForce,
} from './flight-schedule.ts';
import type { Amendment } from './schedule-message.ts';

/** Why an amendment was not applied; `line` is that of its sub-message. */
export type AmendmentRejection = {
  readonly line: number;
  readonly reason: string;
  readonly field: string;
  readonly value: string;
  readonly message: string;
};

/** A sub-message that is not applied because another one of its amendment was rejected. */
export type DroppedSubMessage = { readonly line: number; readonly flight: string };

/** The result of an amendment: the cancellations it sets or withdraws, or why it was not applied. */
export type AmendmentOutcome = {
  readonly id: number;
  readonly cancellations: readonly CancellationChange[];
  readonly rejection: AmendmentRejection | undefined;
  readonly dropped: readonly DroppedSubMessage[];
  readonly notices: readonly AmendmentNotice[];
};

export type AmendedSchedules = {
  /** The itineraries in force by designator key, also of flights that have none. */
  readonly flights: ReadonlyMap<string, readonly AmendedItinerary[]>;
  readonly outcomes: readonly AmendmentOutcome[];
  /** The cancellations and reinstatements in force. */
  readonly cancellations: readonly LegCancellation[];
  /** The aircraft that the amendments in force assign. */
  readonly registrations: readonly LegRegistration[];
};

/** What messages depend on besides the flights: time zones, and the ends of the filed schedules. */
export type AmendmentContext = { readonly zoneOf: ZoneLookup; readonly seasonEndOf: SeasonLookup };

const applyStep = (state: ScheduleState, step: MessageStep): AppliedMessage =>
  step.message.kind === 'ASM' ? changeDate(state, step) : { ...changePeriods(state, step), cancellations: [] };

/** Lists the sub-messages besides a rejected one. The flights and dates of one line are one sub-message for its sender. */
const listDropped = (
  subMessages: Amendment['subMessages'],
  rejected: Amendment['subMessages'][number],
): readonly DroppedSubMessage[] => {
  const others = subMessages.filter(({ line }) => line !== rejected.line);
  return [...new Map(others.map(({ line, flight }) => [line, { line, flight: formatFlight(flight) }])).values()];
};

/** Applies an amendment as a whole, or not at all. */
const applyAmendment = (state: ScheduleState, { id, subMessages }: Amendment, context: AmendmentContext) => {
  let current = state;
  const cancellations: CancellationChange[] = [];
  const notices: AmendmentNotice[] = [];
  for (const message of subMessages)
    try {
      const applied = applyStep(current, { message, ...context, amendmentId: id });
      current = applied.state;
      cancellations.push(...applied.cancellations);
      notices.push(...applied.notices);
    } catch (error) {
      if (!(error instanceof AmendmentError)) throw error;
      const { reason, field, value, message: text } = error;
      return {
        state,
        outcome: {
          id,
          cancellations: [],
          rejection: { line: message.line, reason, field, value, message: text },
          dropped: listDropped(subMessages, message),
          notices: [],
        },
      };
    }
  return { state: current, outcome: { id, cancellations, rejection: undefined, dropped: [], notices } };
};

/**
 * Applies amendments, in their order, to the schedules of the flights they name: `filed` has the itineraries of these flights by schedule file.
 * An amendment applies as a whole or not at all; one that does not fit is left out, and the others apply without it.
 */
export const applyAmendments = (
  filed: ReadonlyMap<string, readonly Itinerary[]>,
  amendments: readonly Amendment[],
  context: AmendmentContext,
): AmendedSchedules => {
  const names = amendments.flatMap(({ subMessages }) => listFlights(subMessages).map(toDesignatorKey));
  let state: ScheduleState = new Map([
    ...names.map((name) => [name, emptyFlightSchedule] as const),
    ...[...filed].map(([name, itineraries]) => [name, createFlightSchedule(itineraries)] as const),
  ]);
  const outcomes: AmendmentOutcome[] = [];
  const log = new CancellationLog();
  for (const amendment of amendments) {
    const applied = applyAmendment(state, amendment, context);
    for (const name of listFlights(amendment.subMessages).map(toDesignatorKey))
      log.add(name, amendment.id, [state.get(name), applied.state.get(name)]);
    state = applied.state;
    outcomes.push(applied.outcome);
  }
  return {
    flights: new Map([...state].map(([name, flight]) => [name, listItineraries(flight, context.zoneOf)])),
    outcomes,
    cancellations: log.listInForce(state, context.zoneOf),
    registrations: [...state.values()].flatMap((flight) =>
      listRegistrations(listVariationsInForce(flight, context.zoneOf), context.zoneOf),
    ),
  };
};

/** Lists the flights that sub-messages name. */
export const listFlights = (
  subMessages: Amendment['subMessages'],
): readonly Amendment['subMessages'][number]['flight'][] => [
  ...new Map(
    subMessages
      .flatMap(({ flight, newFlight }) => (newFlight ? [flight, newFlight] : [flight]))
      .map((flight) => [toDesignatorKey(flight), flight]),
  ).values(),
];

/** Groups the sub-messages of a message by flight; those that a change of designator connects are in one group. */
export const groupByFlight = (subMessages: Amendment['subMessages']): readonly Amendment['subMessages'][] => {
  const groups: { readonly names: Set<string>; readonly members: Set<Amendment['subMessages'][number]> }[] = [];
  for (const message of subMessages) {
    const names = listFlights([message]).map(toDesignatorKey);
    const connected = groups.filter((group) => names.some((name) => group.names.has(name)));
    const joined = {
      names: new Set([...names, ...connected.flatMap((group) => [...group.names])]),
      members: new Set([...connected.flatMap((group) => [...group.members]), message]),
    };
    for (const group of connected) groups.splice(groups.indexOf(group), 1);
    groups.push(joined);
  }
  return groups.map(({ members }) => subMessages.filter((message) => members.has(message)));
};
