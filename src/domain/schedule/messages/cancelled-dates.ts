import type { LocalDate } from '../../time/dates.ts';
import { toDesignatorKey } from '../designators.ts';
import type { Itinerary } from '../schedule.ts';
import { type AmendmentContext, applyAmendment, listFlights } from './apply-amendments.ts';
import { createFlightSchedule, emptyFlightSchedule } from './flight-schedule.ts';
import type { Amendment } from './schedule-message.ts';
import type { ScheduleState } from './select-dates.ts';

/** The local dates on which cancelled flights would leave their first station, by designator key. */
export type CancelledDates = ReadonlyMap<string, ReadonlySet<LocalDate>>;

/** Lists the dates on which amendments, in their order, cancel flights: `filed` has the itineraries of these flights by schedule file. */
export const listCancelledDates = (
  filed: ReadonlyMap<string, readonly Itinerary[]>,
  amendments: readonly Amendment[],
  context: AmendmentContext,
): CancelledDates => {
  const names = amendments.flatMap(({ subMessages }) => listFlights(subMessages).map(toDesignatorKey));
  const filedState: ScheduleState = new Map([
    ...names.map((name) => [name, emptyFlightSchedule] as const),
    ...[...filed].map(([name, itineraries]) => [name, createFlightSchedule(itineraries)] as const),
  ]);
  const state = amendments.reduce((before, amendment) => applyAmendment(before, amendment, context).state, filedState);
  return new Map(
    [...state].flatMap(([name, { adHoc }]) => {
      const dates = [...adHoc].flatMap(([date, { cancelled }]) => (cancelled ? [date] : []));
      return dates.length === 0 ? [] : [[name, new Set(dates)] as const];
    }),
  );
};
