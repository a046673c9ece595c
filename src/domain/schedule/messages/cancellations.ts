import type { LocalDate } from '../../time/dates.ts';
import type { ZoneLookup } from '../instances.ts';
import type { ScheduleLeg } from '../schedule.ts';
import { type FlightSchedule, listFlightsOn } from './flight-schedule.ts';
import type { ScheduleState } from './select-dates.ts';

/** A leg of a flight date that amendments cancelled or reinstated, with these in their order. */
export type LegCancellation = {
  /** The local date on which the flight leaves its first station. */
  readonly originDate: LocalDate;
  readonly leg: Pick<ScheduleLeg, 'carrier' | 'flightNumber' | 'suffix' | 'departure' | 'arrival'>;
  readonly changes: readonly CancellationStep[];
};

/** A change of the cancellation by an amendment. */
export type CancellationStep = { readonly cancelled: boolean; readonly amendmentId: number };

const isCancelledOn = (flight: FlightSchedule | undefined, date: LocalDate): boolean =>
  flight?.adHoc.get(date)?.cancelled === true;

/**
 * Records which flight dates amendments cancel and reinstate while they apply. What is recorded depends only on the amendments in force, so that a
 * withdrawn or superseded cancellation is not in it, whatever was in force before.
 */
export class CancellationLog {
  readonly #changes = new Map<string, Map<LocalDate, CancellationStep[]>>();

  /** Compares a flight before and after an amendment. */
  add(
    name: string,
    amendmentId: number,
    [before, after]: readonly [FlightSchedule | undefined, FlightSchedule | undefined],
  ): void {
    if (before === after) return;
    for (const date of new Set([...(before?.adHoc.keys() ?? []), ...(after?.adHoc.keys() ?? [])])) {
      const cancelled = isCancelledOn(after, date);
      if (cancelled === isCancelledOn(before, date)) continue;
      const ofFlight = this.#changes.get(name) ?? new Map<LocalDate, CancellationStep[]>();
      this.#changes.set(name, ofFlight.set(date, [...(ofFlight.get(date) ?? []), { cancelled, amendmentId }]));
    }
  }

  /** Lists the legs, as they are in force now, of the dates that were recorded. */
  listInForce(state: ScheduleState, zoneOf: ZoneLookup): readonly LegCancellation[] {
    return [...this.#changes].flatMap(([name, dates]) => {
      const flight = state.get(name);
      if (!flight) return [];
      return [...dates].flatMap(([originDate, changes]) =>
        listFlightsOn(flight, originDate, { mode: 'local', zoneOf })
          .filter(({ key }) => key === originDate)
          .flatMap(({ variation }) => variation.legs.map((leg) => ({ originDate, leg, changes }))),
      );
    });
  }
}
