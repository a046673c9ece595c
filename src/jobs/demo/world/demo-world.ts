/**
 * The demo world: real airports with invented airlines and flights. It moves with today: a flight keeps its number, times and itinerary
 * variations from day to day, and only its periods of operation move.
 *
 * | feature                                    | flights                                  |
 * |--------------------------------------------|------------------------------------------|
 * | arrival on the day before, two days later  | X2 9 AKL-HNL, X2 2 LAX-SYD               |
 * | the date line within 150 km                | X2 61 APW-PPG, X2 62 PPG-APW             |
 * | two legs, three legs, there and back       | L0 15, YF 3, N1 1951, X2 71              |
 * | codeshares, two on one flight              | L0 101 LHR-CDG, X2 101 SYD-MEL          |
 * | wet lease, joint operation                 | K1 1201 and 1203, H0 11                  |
 * | traffic restrictions                       | M1 17 (A), D1 41 (K), D1 43 (Z)          |
 * | arrival at 24:00                           | W0 3991 LIS-OPO                          |
 * | every other week, weekdays and weekends    | X2 81 AKL-CHT, K1 1 JFK-SFO              |
 * | operational suffix                         | K0 2501 A                                |
 * | bus, train, truck, mail, mixed, freight    | L0 8101, L0 8201, O1 9001, N1 1961, K1 31, O1 7001 |
 * | extra flights, charters, ferry, training   | L0 2901, Z1 8601, W0 3999, N1 1999       |
 * | punctuality, government approval, services | K1 46, D1 47, H0 7                       |
 */
import type { Carrier, Location } from '../../../domain/master-data/master-data.ts';
import type { CarrierSchedule, Itinerary } from '../../../domain/schedule/schedule.ts';
import { addDays, type LocalDate } from '../../../domain/time/dates.ts';
import type { EquipmentUpdate } from '../../../store/master-data/equipment.ts';
import { airports } from './airports.ts';
import { buildItineraries } from './build-itineraries.ts';
import { carriers } from './carriers.ts';
import { createClockChangeCounter } from './clock-changes.ts';
import { addCodeshares } from './codeshares.ts';
import { equipment } from './equipment.ts';
import type { DateSpan } from '../../../domain/time/period.ts';
import { planNetworks } from './plan-networks.ts';
import { specialFlights } from './special-flights.ts';

/** Numbers legs and segment data as the lines of one file, because load reports refer to lines. */
const numberLines = (schedules: readonly CarrierSchedule[]): readonly CarrierSchedule[] => {
  let line = 0;
  const numbered = <T>(record: T): T & { readonly line: number } => ({ ...record, line: ++line });
  const numberItinerary = ({ legs: [first, ...others], segmentData, complete }: Itinerary): Itinerary => ({
    legs: [numbered(first), ...others.map((leg) => numbered(leg))],
    segmentData: segmentData.map((data) => numbered(data)),
    complete,
  });
  return schedules.map((schedule) => ({ ...schedule, itineraries: schedule.itineraries.map(numberItinerary) }));
};

/** A schedule for every airline, and its master data. */
export type DemoWorld = {
  readonly locations: readonly Location[];
  readonly carriers: readonly Carrier[];
  readonly equipment: readonly EquipmentUpdate[];
  readonly schedules: readonly CarrierSchedule[];
};

/** The days of the past on which flights have flown, with two more for flights that departed on an earlier local date. */
export const FLOWN_DAYS = 30;
const DAYS_BACK = FLOWN_DAYS + 2;
/** A year, so that the clocks of every zone with summer time change twice. */
const DAYS_AHEAD = 365;

/** Returns the days of the demo world around a day. */
const toWorldSpan = (today: LocalDate): DateSpan => ({
  from: addDays(today, -DAYS_BACK),
  to: addDays(today, DAYS_AHEAD),
});

const buildAllItineraries = (span: DateSpan): readonly Itinerary[] => {
  const countClockChanges = createClockChangeCounter(span);
  return [...planNetworks().flat(), ...specialFlights]
    .flatMap((flight) => buildItineraries(flight, span, countClockChanges))
    .flatMap(addCodeshares);
};

/**
 * Builds the demo world from a month before a day to a year after it, or of other days; the same for the same day.
 * Throws RangeError for days before 2019-12-01.
 */
export const buildDemoWorld = (today: LocalDate, span: DateSpan = toWorldSpan(today)): DemoWorld => {
  const byCarrier = Map.groupBy(buildAllItineraries(span), ({ legs }) => legs[0].carrier);
  const schedules = carriers.map(({ iata }) => ({ carrier: iata, ...span, itineraries: byCarrier.get(iata) ?? [] }));
  return { locations: airports, carriers, equipment, schedules: numberLines(schedules) };
};
