import { EVERY_DAY, type DaySet } from '../../../domain/time/period.ts';
import type { ScheduleLeg } from '../../../domain/schedule/schedule.ts';

/** When in the year a flight runs, by the seasons of the northern hemisphere. */
export type Season = 'all year' | 'summer' | 'winter';

/** What a leg may say for itself instead of what its airline and type would give. */
export type LegFacts = Partial<
  Pick<
    ScheduleLeg,
    | 'aircraftOwner'
    | 'bookingClasses'
    | 'bookingModifiers'
    | 'cabinCrew'
    | 'cockpitCrew'
    | 'configuration'
    | 'disclosure'
    | 'electronicTicketing'
    | 'inFlightServices'
    | 'jointOperators'
    | 'meals'
    | 'secureFlight'
    | 'trafficRestrictions'
  >
>;

/** One leg as it is planned: its times follow from the leg before, the ground time, the distance and the type. */
export type LegPlan = {
  readonly from: string;
  readonly to: string;
  readonly equipment: string;
  /** Minutes at `from` after the leg before. */
  readonly groundMinutes?: number;
  /** Minutes from gate to gate, where they are not to be worked out. */
  readonly blockMinutes?: number;
  /** Minutes by which passengers leave before the aircraft does and are there after it, by bus for example. */
  readonly passengerMinutes?: readonly [before: number, after: number];
  readonly mctStatus?: readonly [departure: 'D' | 'I' | '', arrival: 'D' | 'I' | ''];
  readonly facts?: LegFacts;
};

/** A data element of the flight between two of its stations, counted from 0. */
export type Element = { readonly dei: number; readonly from: number; readonly to: number; readonly data: string };

/** A flight as an airline plans it: one departure time at the first station, on the clock there, all year long. */
export type FlightPlan = {
  readonly carrier: string;
  readonly flightNumber: number;
  readonly suffix: string;
  readonly serviceType: string;
  /** Minutes after midnight. */
  readonly departs: number;
  readonly days: DaySet;
  readonly everyWeeks: 1 | 2;
  readonly season: Season;
  /** Tells the plans apart that share one flight number, such as weekday and weekend times: this one, of so many. */
  readonly variant: readonly [number: number, of: number];
  readonly legs: readonly [LegPlan, ...LegPlan[]];
  readonly elements: readonly Element[];
};

type Draft = Pick<FlightPlan, 'carrier' | 'departs' | 'flightNumber' | 'legs'> & Partial<FlightPlan>;

/** A plan that runs every day of the year as a normal passenger flight unless it says otherwise. */
export const planFlight = (draft: Draft): FlightPlan => ({
  suffix: '',
  serviceType: 'J',
  days: EVERY_DAY,
  everyWeeks: 1,
  season: 'all year',
  variant: [1, 1],
  elements: [],
  ...draft,
});
