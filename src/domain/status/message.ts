import type { Seats } from '../schedule/schedule.ts';
import type { LocalDate } from '../time/dates.ts';
import type { UtcMillisecond, UtcSecond } from './instants.ts';

/** A registration as it is kept, compared and shown: `G-XWBA` and `gxwba` are `GXWBA`. */
export const normalizeRegistration = (registration: string): string => registration.replaceAll('-', '').toUpperCase();

/** What a message says of one fact: a value, `null` to take back what was said before, or nothing. */
export type ReportedValue<T> = T | null | undefined;

/** Which flight a message speaks of. Codes are as the source writes them; the directory decides what they mean. */
export type FlightReference =
  | {
      readonly by: 'designator';
      /** Two characters are IATA, three letters ICAO. */
      readonly carrier: string;
      readonly flightNumber: number;
      /** '' when there is none. */
      readonly suffix: string;
      /** Local date on which the flight leaves its first station, or `departureAirport` where `datedBy` says so. */
      readonly originDate: LocalDate;
      /**
       * Given where the date is another one: 'departure' that of this leg's scheduled departure, local; 'utc' that of its
       * scheduled departure in UTC.
       */
      readonly datedBy?: 'departure' | 'utc';
      /** IATA, ICAO or FAA code of the station at which this leg is scheduled to depart; '' when the source does not say. */
      readonly departureAirport: string;
      /** Of the station at which this leg is scheduled to arrive; undefined when the source does not say. */
      readonly arrivalAirport: string | undefined;
    }
  | {
      readonly by: 'statusKey' | 'scheduleInstanceKey';
      /** 64 lower-case hexadecimal digits. */
      readonly key: string;
      /** Local date of scheduled departure at the departure airport. */
      readonly departureDate: LocalDate;
    };

/** Observed of the leg that was scheduled. Instants are UTC. */
export type FlightFacts = {
  readonly estimatedOut?: ReportedValue<UtcSecond>;
  readonly estimatedOff?: ReportedValue<UtcSecond>;
  readonly actualOut?: ReportedValue<UtcSecond>;
  readonly actualOff?: ReportedValue<UtcSecond>;
  /** Touchdown and arrival at the gate of the scheduled arrival airport. */
  readonly estimatedOn?: ReportedValue<UtcSecond>;
  readonly estimatedIn?: ReportedValue<UtcSecond>;
  readonly actualOn?: ReportedValue<UtcSecond>;
  readonly actualIn?: ReportedValue<UtcSecond>;
  readonly departureTerminal?: ReportedValue<string>;
  readonly departureGate?: ReportedValue<string>;
  readonly checkInCounter?: ReportedValue<string>;
  readonly arrivalTerminal?: ReportedValue<string>;
  readonly arrivalGate?: ReportedValue<string>;
  readonly baggage?: ReportedValue<string>;
  /** Without hyphens, upper case. */
  readonly registration?: ReportedValue<string>;
  /** Codes of the type that flies, each '' when it is not known. */
  readonly aircraftType?: ReportedValue<{ readonly iata: string; readonly icao: string }>;
  readonly seats?: ReportedValue<Seats>;
  /** True on cancellation, false on reinstatement. */
  readonly cancelled?: ReportedValue<boolean>;
  /** True while a business aviation flight has been filed and not begun. */
  readonly proposed?: ReportedValue<boolean>;
};

export type DiversionType = 'Undefined' | 'Unplanned' | 'InAirReturn' | 'TechnicalStop';

/**
 * Observed of one landing at an airport other than the one scheduled, or at the departure airport after a return; and of
 * the aircraft's going on from there under the same designator.
 */
export type LandingFacts<Airport> = {
  /** Tells the landings of a flight apart: a number ('1', '2') where the source counts them, otherwise the airport's code. */
  readonly id: string;
  /** Undefined while nobody has said where to; null takes the whole diversion back. */
  readonly airport?: ReportedValue<Airport>;
  /** As the source classes it; undefined leaves it to the rules. */
  readonly type?: ReportedValue<DiversionType>;
  readonly estimatedOn?: ReportedValue<UtcSecond>;
  readonly estimatedIn?: ReportedValue<UtcSecond>;
  readonly actualOn?: ReportedValue<UtcSecond>;
  readonly actualIn?: ReportedValue<UtcSecond>;
  /** Whether the flight goes on from here under its designator (a telegram's CONT), or ends here (TERM). */
  readonly continues?: ReportedValue<boolean>;
  readonly estimatedOut?: ReportedValue<UtcSecond>;
  readonly estimatedOff?: ReportedValue<UtcSecond>;
  readonly actualOut?: ReportedValue<UtcSecond>;
  readonly actualOff?: ReportedValue<UtcSecond>;
};

/** A flight that no schedule holds, as its own message describes it. */
export type FlightPlan = {
  readonly flightType: 'Unscheduled' | 'GA';
  readonly departureAirport: string;
  readonly arrivalAirport: string;
  /** UTC. */
  readonly departsAt: UtcSecond;
  /** UTC; undefined when nobody says. */
  readonly arrivesAt: UtcSecond | undefined;
  /** One IATA letter, '' when undefined. */
  readonly serviceType: string;
  /** Each '' when it is not known. */
  readonly aircraftType: { readonly iata: string; readonly icao: string };
  /** On a recovery flight: the flight whose passengers it takes on. */
  readonly recovers: FlightReference | undefined;
};

/** One status message as a feed reads it. */
export type StatusMessage = {
  /** The source's own, unique for ever: a message that comes again has no further effect. 1 to 200 characters. */
  readonly id: string;
  /** Who says so, e.g. `feed`, `bts`, `mvt`. */
  readonly source: string;
  /** When the source knew it: this, and not the order of arrival, decides which of two messages is the newer. */
  readonly observedAt: UtcMillisecond;
  readonly flight: FlightReference;
  readonly facts: FlightFacts;
  readonly landings: readonly LandingFacts<string>[];
  /** Given when the message describes a flight that no schedule need hold. */
  readonly plan: FlightPlan | undefined;
};
