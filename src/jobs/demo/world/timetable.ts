import type { ScheduleLeg } from '../../../domain/schedule/schedule.ts';
import type { Weekday } from '../../../domain/time/dates.ts';
import { daySet, type DaySet, EVERY_DAY } from '../../../domain/time/period.ts';

const week: readonly Weekday[] = [1, 2, 3, 4, 5, 6, 7];

/** Reads `135` as Monday, Wednesday and Friday. */
export const parseDays = (text: string): DaySet => daySet(...week.filter((day) => text.includes(String(day))));

/** Reads `HHMM` as minutes after midnight. */
export const parseMinutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(2));

/** When in the year a flight runs, by the seasons of the northern hemisphere. */
export type Season = 'all year' | 'summer' | 'winter';

/** What a leg may say for itself instead of what its airline and type would give. */
export type LegOverrides = Partial<
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
export type TimetableLeg = {
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
  readonly facts?: LegOverrides;
};

/** A data element of the flight between two of its stations, counted from 0. */
export type TimetableElement = {
  readonly dei: number;
  readonly from: number;
  readonly to: number;
  readonly data: string;
};

/** A flight as an airline plans it: one departure time at the first station, on the clock there, all year long. */
export type TimetableFlight = {
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
  readonly legs: readonly [TimetableLeg, ...TimetableLeg[]];
  readonly elements: readonly TimetableElement[];
};

type Draft = Pick<TimetableFlight, 'carrier' | 'departs' | 'flightNumber' | 'legs'> & Partial<TimetableFlight>;

/** A plan that runs every day of the year as a normal passenger flight unless it says otherwise. */
export const createTimetableFlight = (draft: Draft): TimetableFlight => ({
  suffix: '',
  serviceType: 'J',
  days: EVERY_DAY,
  everyWeeks: 1,
  season: 'all year',
  variant: [1, 1],
  elements: [],
  ...draft,
});
