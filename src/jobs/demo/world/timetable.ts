import type { ScheduleLeg } from '../../../domain/schedule/schedule.ts';
import type { Weekday } from '../../../domain/time/dates.ts';
import { toDaySet, type DaySet } from '../../../domain/time/period.ts';

const week: readonly Weekday[] = [1, 2, 3, 4, 5, 6, 7];

/** Parses `135` as Monday, Wednesday and Friday. */
export const parseDays = (text: string): DaySet => toDaySet(...week.filter((day) => text.includes(String(day))));

/** Parses `HHMM` as minutes after midnight. */
export const parseMinutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(2));

/** The part of the year in which a flight operates, by the IATA seasons of the northern hemisphere. */
export type Season = 'all year' | 'summer' | 'winter';

/** Facts of a leg that differ from those of its airline and aircraft type. */
export type LegOverrides = Partial<
  Pick<
    ScheduleLeg,
    | 'aircraftOwner'
    | 'bookingClasses'
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

/** One planned leg: its times follow from the previous leg, the ground time, the distance and the aircraft type. */
export type TimetableLeg = {
  readonly from: string;
  readonly to: string;
  readonly equipment: string;
  /** Minutes on the ground at `from` after the previous leg. */
  readonly groundMinutes?: number | undefined;
  /** Minutes from gate to gate; computed when undefined. */
  readonly blockMinutes?: number | undefined;
  /**
   * Minutes between passenger and aircraft departure, and between aircraft and passenger arrival, for example by bus.
   */
  readonly passengerMinutes?: readonly [before: number, after: number] | undefined;
  readonly mctStatus?: readonly [departure: MctFlightStatus, arrival: MctFlightStatus] | undefined;
  readonly overrides?: LegOverrides | undefined;
};

/** The minimum connecting time status of a leg as filed: domestic, international or blank. */
export type MctFlightStatus = 'D' | 'I' | '';

/** A data element of the flight between two of its stations, counted from 0. */
export type TimetableElement = {
  readonly dei: number;
  readonly from: number;
  readonly to: number;
  readonly data: string;
};

/** A planned flight: one local departure time at the first station, the same all year. */
export type TimetableFlight = {
  readonly carrier: string;
  readonly flightNumber: number;
  readonly suffix: string;
  readonly serviceType: string;
  /** Local minutes after midnight. */
  readonly departs: number;
  readonly days: DaySet;
  readonly everyWeeks: 1 | 2;
  readonly season: Season;
  /** Days from the departure of the aircraft from its base to this flight: a return flight of the next day has 1. */
  readonly rotationDay: number;
  /** The number of this plan among the plans of one flight number, such as weekday and weekend times. */
  readonly variation: number;
  readonly variations: number;
  readonly legs: readonly [TimetableLeg, ...TimetableLeg[]];
  readonly elements: readonly TimetableElement[];
};
