import type { Designator, Seats } from '../schedule/schedule.ts';
import type { LocalDate, UtcMinute } from '../time/dates.ts';
import type { UtcMillisecond, UtcSecond } from './instants.ts';
import type { AirportEnd } from './source-precedence.ts';

/** A reported fact: a value, `null` to withdraw the previous one, or undefined. */
export type ReportedValue<T> = T | null | undefined;

/** The flight of a message. Codes are as the source writes them. */
export type FlightReference =
  | {
      readonly by: 'designator';
      /** Two characters are IATA, three letters ICAO. */
      readonly carrier: string;
      readonly flightNumber: number;
      /** '' when there is none. */
      readonly suffix: string;
      /**
       * Local date on which the flight leaves its first station, or another one where `datedBy` says so. Undefined only with a scheduled time.
       */
      readonly originDate: LocalDate | undefined;
      /**
       * Set when the date is another one: 'departure' is the local date of this leg's scheduled departure; 'utc' can also be its UTC date, or the UTC
       * date of the flight's first departure.
       */
      readonly datedBy?: 'departure' | 'utc';
      /** Set when the days of all times in the message follow from `originDate`: they do not show which flight is meant. */
      readonly hasDerivedDays?: true;
      /** Scheduled departure of this leg at `departureAirport`. With it, or with `scheduledIn`, the flight is found by its scheduled times. */
      readonly scheduledOut?: UtcMinute;
      /** Scheduled arrival of this leg at `arrivalAirport`. */
      readonly scheduledIn?: UtcMinute;
      /** IATA, ICAO or FAA code of the scheduled departure station of this leg; '' when unknown. */
      readonly departureAirport: string;
      /** Scheduled arrival station of this leg; undefined when unknown. */
      readonly arrivalAirport: string | undefined;
    }
  | {
      readonly by: 'statusKey' | 'scheduleInstanceKey';
      /** 64 lower-case hexadecimal digits. */
      readonly key: string;
      /** Local date of scheduled departure at the departure airport. */
      readonly departureDate: LocalDate;
    };

/** A flight by its designator, with its date or a scheduled time. */
export type DesignatorReference = Extract<FlightReference, { readonly by: 'designator' }>;

/** A flight by its designator and date. */
export type DatedReference = DesignatorReference & { readonly originDate: LocalDate };

/** Returns the reference of a leg by its designator, the local date on which its flight leaves the first station, and both airports. */
export const createLegReference = (
  { carrier, flightNumber, suffix }: Designator,
  originDate: LocalDate,
  [departureAirport, arrivalAirport]: readonly [departure: string, arrival: string],
) => ({ by: 'designator', carrier, flightNumber, suffix, originDate, departureAirport, arrivalAirport }) as const;

export const checkInStatuses = ['Open', 'Closed'] as const;
export const boardingStatuses = ['GateOpen', 'Boarding', 'FinalCall', 'BoardingEnded', 'GateClosed'] as const;

type CheckInStatus = (typeof checkInStatuses)[number];
type BoardingStatus = (typeof boardingStatuses)[number];

/** The latest event of a process before departure, and when it occurred, in UTC. */
export type ProcessEvent<Status extends string = string> = { readonly status: Status; readonly at: UtcSecond };

/** Observed facts of the scheduled leg. Instants are UTC. */
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
  readonly departureStand?: ReportedValue<string>;
  readonly checkInCounter?: ReportedValue<string>;
  readonly checkIn?: ReportedValue<ProcessEvent<CheckInStatus>>;
  readonly boarding?: ReportedValue<ProcessEvent<BoardingStatus>>;
  readonly arrivalTerminal?: ReportedValue<string>;
  readonly arrivalGate?: ReportedValue<string>;
  readonly arrivalStand?: ReportedValue<string>;
  readonly baggage?: ReportedValue<string>;
  /** Planned resources, which count where no actual one is known. */
  readonly plannedDepartureTerminal?: ReportedValue<string>;
  readonly plannedDepartureGate?: ReportedValue<string>;
  readonly plannedDepartureStand?: ReportedValue<string>;
  readonly plannedCheckInCounter?: ReportedValue<string>;
  readonly plannedArrivalTerminal?: ReportedValue<string>;
  readonly plannedArrivalGate?: ReportedValue<string>;
  readonly plannedArrivalStand?: ReportedValue<string>;
  readonly plannedBaggage?: ReportedValue<string>;
  /** Without hyphens, upper case. */
  readonly registration?: ReportedValue<string>;
  /** Codes of the operating aircraft type, '' when unknown. */
  readonly aircraftType?: ReportedValue<{ readonly iata: string; readonly icao: string }>;
  readonly seats?: ReportedValue<Seats>;
  /** True on cancellation, false on reinstatement. */
  readonly cancelled?: ReportedValue<boolean>;
  /** True while a business aviation flight has been filed and not begun. */
  readonly proposed?: ReportedValue<boolean>;
  /** True while the status of the flight must not be shown. */
  readonly hidden?: ReportedValue<boolean>;
};

/** The end of the flight that a fact is about, or the whole flight. */
export const factEnds: Readonly<Record<string, AirportEnd | 'flight'>> = {
  estimatedOut: 'departure',
  estimatedOff: 'departure',
  actualOut: 'departure',
  actualOff: 'departure',
  departureTerminal: 'departure',
  departureGate: 'departure',
  departureStand: 'departure',
  checkInCounter: 'departure',
  checkIn: 'departure',
  boarding: 'departure',
  plannedDepartureTerminal: 'departure',
  plannedDepartureGate: 'departure',
  plannedDepartureStand: 'departure',
  plannedCheckInCounter: 'departure',
  plannedArrivalTerminal: 'arrival',
  plannedArrivalGate: 'arrival',
  plannedArrivalStand: 'arrival',
  plannedBaggage: 'arrival',
  estimatedOn: 'arrival',
  estimatedIn: 'arrival',
  actualOn: 'arrival',
  actualIn: 'arrival',
  arrivalTerminal: 'arrival',
  arrivalGate: 'arrival',
  arrivalStand: 'arrival',
  baggage: 'arrival',
  registration: 'flight',
  aircraftType: 'flight',
  seats: 'flight',
  cancelled: 'flight',
  proposed: 'flight',
  hidden: 'flight',
} satisfies Record<keyof FlightFacts, AirportEnd | 'flight'>;

export type DiversionType = 'Undefined' | 'Unplanned' | 'InAirReturn' | 'TechnicalStop';

/** Observed facts of a landing at another airport, or at the departure airport after a return; and of the onward flight under the same designator. */
export type LandingFacts<Airport> = {
  /** Identifies a landing of the flight: a number ('1', '2') when the source counts them, otherwise the airport code. */
  readonly id: string;
  /** Undefined while unknown; null withdraws the diversion. */
  readonly airport?: ReportedValue<Airport>;
  /** As classified by the source; undefined leaves it to the rules. */
  readonly type?: ReportedValue<DiversionType>;
  readonly estimatedOn?: ReportedValue<UtcSecond>;
  readonly estimatedIn?: ReportedValue<UtcSecond>;
  readonly actualOn?: ReportedValue<UtcSecond>;
  readonly actualIn?: ReportedValue<UtcSecond>;
  /** Whether the flight continues from here under its designator (CONT in a telegram) or ends here (TERM). */
  readonly continues?: ReportedValue<boolean>;
  readonly estimatedOut?: ReportedValue<UtcSecond>;
  readonly estimatedOff?: ReportedValue<UtcSecond>;
  readonly actualOut?: ReportedValue<UtcSecond>;
  readonly actualOff?: ReportedValue<UtcSecond>;
};

/** The types of flights that messages can describe. `Scheduled`: published in the timetable of an airport. */
export const plannedFlightTypes = ['Scheduled', 'Unscheduled', 'GA'] as const;

/** A flight that is in no schedule, as its message describes it. At least one of its times is known. */
export type UnscheduledFlightDescription = {
  readonly flightType: (typeof plannedFlightTypes)[number];
  readonly departureAirport: string;
  readonly arrivalAirport: string;
  /** UTC; undefined when unknown. */
  readonly departsAt: UtcSecond | undefined;
  readonly arrivesAt: UtcSecond | undefined;
  /** The designators of its marketing flights; absent when the message names none. */
  readonly codeshares?: readonly Designator[];
  /** One IATA letter, '' when undefined. */
  readonly serviceType: string;
  /** Codes, '' when unknown. */
  readonly aircraftType: { readonly iata: string; readonly icao: string };
  /** On a recovery flight: the flight whose passengers it carries. */
  readonly recovers: FlightReference | undefined;
};

/** The sender of files and of streams on standard input. The others are the IDs of subscriptions, which begin at 1. */
export const OPERATOR = 0;

/** Identifies a message among those of its flight. Senders choose IDs and names of sources by themselves. */
export type MessageIdentity = {
  /** ID of the message at its source, 1 to 200 characters. */
  readonly id: string;
  /** Name of the source, e.g. `feed`, `bts`, `mvt`. */
  readonly source: string;
  /** The subscription that sent the message over HTTP; absent for the operator. */
  readonly sender?: number | undefined;
};

/** One status message as a feed reads it. A repeated message has no further effect. */
export type StatusMessage = MessageIdentity & {
  /** Digest of the content, 32 hexadecimal digits; without it, messages of the same identity count as the same. */
  readonly content?: string | undefined;
  /** Set when `observedAt` is the time of receipt and not of the content: received again later, the message counts again. */
  readonly isTimedByReceipt?: true;
  /** Set in quarantine for a message timed by its receipt: its report named it with that time, and it keeps this ID with its flight. */
  readonly isNamedByReceipt?: true;
  /** When the source knew it; decides which of two messages is newer, not the order of arrival. */
  readonly observedAt: UtcMillisecond;
  /** The rank of the source when the message was received; undefined for the default one. */
  readonly rank?: number | undefined;
  readonly flight: FlightReference;
  readonly facts: FlightFacts;
  readonly landings: readonly LandingFacts<string>[];
  /** Set when the message describes a flight that need not be in a schedule. */
  readonly plan: UnscheduledFlightDescription | undefined;
};

/** The ids of messages that are derived from schedule messages start with this; feeds of status messages cannot withdraw them. */
export const CANCELLATION_PREFIX = 'asm:';

/** Returns the stored form of a registration: `G-XWBA` and `gxwba` become `GXWBA`. */
export const normalizeRegistration = (registration: string): string => registration.replaceAll('-', '').toUpperCase();
