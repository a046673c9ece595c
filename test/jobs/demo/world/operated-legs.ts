import { addDays, buildLocalMinute, type LocalDate, type LocalMinute } from '../../../../src/domain/time/dates.ts';
import { listDepartureDates } from '../../../../src/domain/time/period.ts';
import type { CarrierSchedule, ScheduleLeg } from '../../../../src/domain/schedule/schedule.ts';

/** One leg on one day, in local times of both ends. */
export type OperatedLeg = {
  readonly leg: ScheduleLeg;
  readonly originDate: LocalDate;
  readonly departsAt: LocalMinute;
  readonly arrivesAt: LocalMinute;
};

/** Returns every leg on every day of its period, computed from the filed values only. */
export const listOperatedLegs = (schedules: readonly CarrierSchedule[]): readonly OperatedLeg[] =>
  schedules
    .flatMap(({ itineraries }) => itineraries.flatMap(({ legs }) => legs))
    .flatMap((leg) =>
      [...listDepartureDates(leg.period)].map((date) => {
        const originDate = addDays(date, -leg.departure.dateVariation);
        return {
          leg,
          originDate,
          departsAt: buildLocalMinute(date, leg.departure.aircraftMinutes),
          arrivesAt: buildLocalMinute(addDays(originDate, leg.arrival.dateVariation), leg.arrival.aircraftMinutes),
        };
      }),
    );

/** `L0 15` or, with a suffix, `K0 2501A`. */
export const formatDesignator = ({ carrier, flightNumber, suffix }: ScheduleLeg): string =>
  `${carrier} ${flightNumber}${suffix}`;
