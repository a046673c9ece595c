import type { LocalDate, UtcMinute } from '#domain/time/dates.ts';
import { computeDeparture, type ZoneLookup } from '../instances.ts';
import type { ScheduleLeg } from '../schedule.ts';
import { type AdHocChange, type FlightSchedule, listFlightsOn, toAdHocKey, type Variation } from './flight-schedule.ts';
import type { ScheduleState } from './select-dates.ts';

type LegIdentity = Pick<ScheduleLeg, 'carrier' | 'flightNumber' | 'suffix' | 'departure' | 'arrival'>;

/** A leg of a flight date. */
export type DatedLeg = {
  /** The local date on which the flight leaves its first station. */
  readonly originDate: LocalDate;
  readonly leg: LegIdentity;
  /** Set when the flight has several such legs on the date, which only the time distinguishes. */
  readonly scheduledOut?: UtcMinute;
};

/** A leg of a flight date that amendments cancelled or reinstated, with these in their order. */
export type LegCancellation = DatedLeg & {
  readonly changes: readonly CancellationStep[];
};

/** A change of the cancellation by an amendment. */
export type CancellationStep = { readonly cancelled: boolean; readonly amendmentId: number };

/** A leg of a flight date with the aircraft that an amendment assigns. */
export type LegRegistration = DatedLeg & {
  readonly registration: string;
  readonly amendmentId: number;
};

/** Which legs of a date are cancelled. */
export type DateCancellation = Pick<AdHocChange, 'cancelled' | 'cancelledLegs'>;

/** The stations of a leg. */
type LegStations = Readonly<Record<'departure' | 'arrival', Pick<ScheduleLeg['departure'], 'station'>>>;

/** Returns the key of a leg within its flight. */
export const toLegKey = ({ departure, arrival }: LegStations): string => `${departure.station}-${arrival.station}`;

/** Returns whether a leg is cancelled on its date. */
export const isLegCancelled = (of: DateCancellation | undefined, leg: LegIdentity): boolean =>
  of?.cancelled === true && (of.cancelledLegs?.includes(toLegKey(leg)) ?? true);

const isSame = (one: DateCancellation | undefined, other: DateCancellation | undefined): boolean =>
  (one?.cancelled ?? false) === (other?.cancelled ?? false) &&
  one?.cancelledLegs?.join() === other?.cancelledLegs?.join();

/** The cancellation of a date before and after an amendment. */
type LoggedChange = {
  readonly before: DateCancellation | undefined;
  readonly after: DateCancellation | undefined;
  readonly amendmentId: number;
};

const listSteps = (logged: readonly LoggedChange[], leg: LegIdentity): readonly CancellationStep[] =>
  logged.flatMap(({ before, after, amendmentId }) => {
    const cancelled = isLegCancelled(after, leg);
    return cancelled === isLegCancelled(before, leg) ? [] : [{ cancelled, amendmentId }];
  });

type FiledLeg = { readonly originDate: LocalDate; readonly filedOrigin: LocalDate; readonly leg: ScheduleLeg };

/** Returns legs with their scheduled departures, where a flight has several between the same stations on one date. */
const withDistinctTimes = <Leg extends FiledLeg>(
  legs: readonly Leg[],
  zoneOf: ZoneLookup,
): readonly (Omit<Leg, 'filedOrigin'> & DatedLeg)[] => {
  const groups = Map.groupBy(legs, ({ originDate, leg }) => `${originDate} ${toLegKey(leg)}`);
  return legs.map(({ filedOrigin, ...dated }) => {
    const { originDate, leg } = dated;
    const isRepeated = (groups.get(`${originDate} ${toLegKey(leg)}`)?.length ?? 0) > 1;
    return isRepeated ? { ...dated, scheduledOut: computeDeparture(leg, filedOrigin, zoneOf) } : dated;
  });
};

/**
 * Records which flight dates amendments cancel and reinstate while they apply. What is recorded depends only on the amendments in force, so that a
 * withdrawn or superseded cancellation is not in it, whatever was in force before.
 */
export class CancellationLog {
  readonly #changes = new Map<string, Map<LocalDate, LoggedChange[]>>();

  /** Compares a flight before and after an amendment. */
  add(
    name: string,
    amendmentId: number,
    [before, after]: readonly [FlightSchedule | undefined, FlightSchedule | undefined],
  ): void {
    if (before === after) return;
    for (const date of new Set([...(before?.adHoc.keys() ?? []), ...(after?.adHoc.keys() ?? [])])) {
      const change = { before: before?.adHoc.get(date), after: after?.adHoc.get(date), amendmentId };
      if (isSame(change.before, change.after)) continue;
      const ofFlight = this.#changes.get(name) ?? new Map<LocalDate, LoggedChange[]>();
      this.#changes.set(name, ofFlight.set(date, [...(ofFlight.get(date) ?? []), change]));
    }
  }

  /** Lists the legs, as they are in force now, of the dates that were recorded. */
  listInForce(state: ScheduleState, zoneOf: ZoneLookup): readonly LegCancellation[] {
    return [...this.#changes].flatMap(([name, dates]) => {
      const flight = state.get(name);
      if (!flight) return [];
      return [...dates].flatMap(([originDate, logged]) =>
        withDistinctTimes(
          listFlightsOn(flight, originDate, { mode: 'local', zoneOf })
            .filter(({ key }) => key === originDate)
            .flatMap(({ variation, date }) => variation.legs.map((leg) => ({ originDate, filedOrigin: date, leg }))),
          zoneOf,
        )
          .map((dated) => ({ ...dated, changes: listSteps(logged, dated.leg) }))
          .filter(({ changes }) => changes.length > 0),
      );
    });
  }
}

/** Lists the aircraft that amendments assign to the legs of variations, on each of their dates. */
export const listRegistrations = (variations: readonly Variation[], zoneOf: ZoneLookup): readonly LegRegistration[] => {
  if (variations.every(({ legs }) => legs.every(({ registration }) => registration === undefined))) return [];
  const legs = variations.flatMap(({ legs: ofVariation, dates, amendmentId }) =>
    ofVariation.flatMap((leg) =>
      dates.map((date) => {
        const originDate = toAdHocKey({ legs: ofVariation }, date, zoneOf);
        return { originDate, filedOrigin: date, leg, amendmentId };
      }),
    ),
  );
  return withDistinctTimes(legs, zoneOf).flatMap(({ amendmentId, ...dated }) => {
    const { registration } = dated.leg;
    return registration === undefined || amendmentId === undefined ? [] : [{ ...dated, registration, amendmentId }];
  });
};
