import type { LocalDate } from '../../time/dates.ts';
import type { ZoneLookup } from '../instances.ts';
import type { ScheduleLeg } from '../schedule.ts';
import { toLegKey } from './change-date.ts';
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

type AdHoc = FlightSchedule['adHoc'];

/** The key of a cancelled leg when the whole flight is cancelled. */
const ALL_LEGS = '';

/** Lists the cancelled legs of a date; all of them are one key. */
const listCancelledLegs = (adHoc: AdHoc | undefined, date: LocalDate): readonly string[] => {
  const change = adHoc?.get(date);
  return change?.cancelled === true ? (change.cancelledLegs ?? [ALL_LEGS]) : [];
};

/** A change, numbered by the order of application. */
type LoggedStep = CancellationStep & { readonly order: number };

/** The changes of the cancellation of a flight date, by leg. */
type LegChanges = Map<string, readonly LoggedStep[]>;

/**
 * Merges the changes of a leg with those of its whole flight. One amendment can replace the cancellation of the flight by that of some legs: what it
 * cancels counts.
 */
const mergeSteps = (leg: ScheduleLeg, changes: LegChanges): readonly CancellationStep[] => {
  const steps = [...(changes.get(ALL_LEGS) ?? []), ...(changes.get(toLegKey(leg)) ?? [])];
  const byOrder = Map.groupBy(
    steps.toSorted((a, b) => a.order - b.order),
    ({ order }) => order,
  );
  let current = false;
  return [...byOrder.values()].flatMap((ofAmendment) => {
    const cancelled = ofAmendment.some((step) => step.cancelled);
    const [first] = ofAmendment;
    if (!first || cancelled === current) return [];
    current = cancelled;
    return [{ cancelled, amendmentId: first.amendmentId }];
  });
};

/**
 * Records which flight dates, or legs of them, amendments cancel and reinstate while they apply. What is recorded depends only on the amendments in
 * force, so that a withdrawn or superseded cancellation is not in it, whatever was in force before.
 */
export class CancellationLog {
  readonly #changes = new Map<string, Map<LocalDate, LegChanges>>();
  #order = 0;

  /** Compares a flight before and after an amendment. */
  add(
    name: string,
    amendmentId: number,
    [before, after]: readonly [FlightSchedule | undefined, FlightSchedule | undefined],
  ): void {
    if (before === after) return;
    this.#order += 1;
    const order = this.#order;
    for (const date of new Set([...(before?.adHoc.keys() ?? []), ...(after?.adHoc.keys() ?? [])])) {
      const [was, is] = [listCancelledLegs(before?.adHoc, date), listCancelledLegs(after?.adHoc, date)];
      for (const leg of was)
        if (!is.includes(leg)) this.#addChange(name, date, [leg, { cancelled: false, amendmentId, order }]);
      for (const leg of is)
        if (!was.includes(leg)) this.#addChange(name, date, [leg, { cancelled: true, amendmentId, order }]);
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
          .flatMap(({ variation }) =>
            variation.legs.map((leg) => ({ originDate, leg, changes: mergeSteps(leg, changes) })),
          )
          .filter((one) => one.changes.length > 0),
      );
    });
  }

  #addChange(name: string, date: LocalDate, [leg, step]: readonly [string, LoggedStep]): void {
    const ofFlight = this.#changes.get(name) ?? new Map<LocalDate, LegChanges>();
    const ofDate: LegChanges = ofFlight.get(date) ?? new Map();
    this.#changes.set(name, ofFlight.set(date, ofDate.set(leg, [...(ofDate.get(leg) ?? []), step])));
  }
}
