import type { LocalDate } from '../time/dates.ts';
import type { Seats } from '../schedule/schedule.ts';
import type { UtcMillisecond, UtcSecond } from './instants.ts';

/** What a message says of one fact: a value, `null` to take back what was said before, or nothing. */
export type Told<T> = T | null | undefined;

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
  readonly estimatedOut?: Told<UtcSecond>;
  readonly estimatedOff?: Told<UtcSecond>;
  readonly actualOut?: Told<UtcSecond>;
  readonly actualOff?: Told<UtcSecond>;
  /** Touchdown and arrival at the gate of the scheduled arrival airport. */
  readonly estimatedOn?: Told<UtcSecond>;
  readonly estimatedIn?: Told<UtcSecond>;
  readonly actualOn?: Told<UtcSecond>;
  readonly actualIn?: Told<UtcSecond>;
  readonly departureTerminal?: Told<string>;
  readonly departureGate?: Told<string>;
  readonly checkInCounter?: Told<string>;
  readonly arrivalTerminal?: Told<string>;
  readonly arrivalGate?: Told<string>;
  readonly baggage?: Told<string>;
  /** Without hyphens, upper case. */
  readonly registration?: Told<string>;
  /** Codes of the type that flies, each '' when it is not known. */
  readonly aircraftType?: Told<{ readonly iata: string; readonly icao: string }>;
  readonly seats?: Told<Seats>;
  /** True on cancellation, false on reinstatement. */
  readonly cancelled?: Told<boolean>;
  /** True while a business aviation flight has been filed and not begun. */
  readonly proposed?: Told<boolean>;
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
  readonly airport?: Told<Airport>;
  /** As the source classes it; undefined leaves it to the rules. */
  readonly type?: Told<DiversionType>;
  readonly estimatedOn?: Told<UtcSecond>;
  readonly estimatedIn?: Told<UtcSecond>;
  readonly actualOn?: Told<UtcSecond>;
  readonly actualIn?: Told<UtcSecond>;
  /** Whether the flight goes on from here under its designator (a telegram's CONT), or ends here (TERM). */
  readonly continues?: Told<boolean>;
  readonly estimatedOut?: Told<UtcSecond>;
  readonly estimatedOff?: Told<UtcSecond>;
  readonly actualOut?: Told<UtcSecond>;
  readonly actualOff?: Told<UtcSecond>;
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
