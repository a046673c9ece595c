import type { FlightState } from '../status/flight-view.ts';
import type { DiversionType, FlightFacts } from '../status/message.ts';

/** Scheduled departure or arrival: dates `YYYY-MM-DD`, times `HH:mm`. Unknown members are absent. */
type ScheduledFlightEnd = {
  readonly airport: AirportCodes;
  readonly country?: EventCountry;
  readonly terminal?: string;
  readonly date: LocalAndUtc;
  readonly time: LocalAndUtc;
};

/** The identity of an instance: it never changes, so that events report no change of it. */
export type ScheduleIdentity = {
  readonly scheduleInstanceKey: string;
  readonly flightNumber: number;
  /** '' when there is none. */
  readonly serviceSuffix: string;
};

/** The content of a schedule event: the filed data of an instance. Times are passenger times. */
export type ScheduleContent = ScheduleIdentity & {
  readonly carrierCode: EventCodes;
  readonly sequenceNumber?: number;
  readonly departure: ScheduledFlightEnd;
  readonly arrival: ScheduledFlightEnd;
  readonly aircraftType?: EventCodes;
  readonly serviceTypeCode?: { readonly iata: string };
  /** Days from the local date of departure to that of arrival. */
  readonly arrivalIntervalDays: number;
  /** The same for the last leg; absent on a flight with stops, because the departure of its last leg is unknown here. */
  readonly legArrivalIntervalDays?: number;
  readonly segmentInfo: {
    readonly numberOfStops: number;
    readonly intermediateAirports: {
      readonly iata: readonly { readonly sequenceNumber: number; readonly station: string }[];
    };
  };
  readonly codeshare: {
    readonly operatingAirlineDisclosure?: EventCompany;
    readonly aircraftOwner?: { readonly code: string; readonly name: string };
    readonly cockpitCrewEmployer?: EventCompany;
    readonly cabinCrewEmployer?: EventCompany;
    readonly jointOperationAirlineDesignators: readonly EventCompany[];
    readonly marketingFlights: readonly EventDesignator[];
    readonly operatingFlight?: EventDesignator;
  };
  readonly bookingClasses?: readonly { readonly code: string; readonly meal: string }[];
  readonly freightClasses?: readonly { readonly code: string; readonly quantity: string }[];
  readonly restrictions?: readonly {
    readonly number: number;
    readonly code: string;
    readonly passenger: boolean;
    readonly cargo: boolean;
    readonly mail: boolean;
    readonly boardPoint: boolean;
    readonly offPoint: boolean;
  }[];
  readonly planeChangeWithoutAircraftChange?: boolean;
  readonly onTimePerformance?: {
    readonly indicator?: { readonly month: string; readonly value: string };
    readonly delaysAndCancellationsIndicator?: {
      readonly month: string;
      readonly min15: string;
      readonly min30: string;
      readonly min30Warning: string;
      readonly cancel: string;
    };
  };
  readonly inFlightServices?: readonly string[];
  readonly automatedCheckIn?: boolean;
  readonly electronicTicketing?: boolean;
  readonly secureFlightIndicator?: boolean;
  readonly governmentApproval?: boolean;
  /** As filed with the aircraft configuration. */
  readonly seatingCapacity?: { readonly actual?: EventSeats };
  readonly statusKey: string;
};

/** Codes of an airport, a carrier or an aircraft type. Codes that do not exist are absent. */
export type EventCodes = { readonly iata?: string; readonly icao?: string };

export type AirportCodes = EventCodes & { readonly faa?: string };

/** ISO 3166-1 alpha-2. */
export type EventCountry = { readonly code: string };

/** A company with a role in a flight; members that are not filed are ''. */
export type EventCompany = { readonly code: string; readonly name: string; readonly number: string };

/** A flight designator, the number without leading zeros; `suffix` is '' if there is none. */
export type EventDesignator = { readonly code: string; readonly serviceNumber: string; readonly suffix: string };

/** A time or date in airport local time and in UTC. */
export type LocalAndUtc = { readonly local: string; readonly utc: string };

/** Seats by cabin; unknown cabins are absent. */
export type EventSeats = {
  readonly firstClass?: number;
  readonly businessClass?: number;
  readonly premiumEconomyClass?: number;
  readonly economyPlusClass?: number;
  readonly economyClass?: number;
  readonly totalSeats?: number;
};

export type Timeliness = 'OnTime' | 'Delayed' | 'Early';

/** Times of a departure. Variations are `[-]HH:MM:SS` against the schedule. */
type DepartureTimes = {
  readonly outGateTimeliness?: Timeliness;
  readonly outGateVariation?: string;
  readonly outGate?: LocalAndUtc;
  readonly offGround?: LocalAndUtc;
};

type ArrivalTimes = {
  readonly inGateTimeliness?: Timeliness;
  readonly inGateVariation?: string;
  readonly onGround?: LocalAndUtc;
  readonly inGate?: LocalAndUtc;
};

type AirportAndCountry = { readonly airport?: AirportCodes; readonly country?: EventCountry };

type FlightEnd<Times> = AirportAndCountry & {
  /** `scheduled.local` has no offset from UTC, all other times have one. */
  readonly times?: { readonly scheduled?: LocalAndUtc; readonly estimated?: Times; readonly actual?: Times };
  /** As scheduled, even after a diversion. */
  readonly scheduled: AirportAndCountry;
  readonly terminal?: string;
  readonly gate?: string;
  /** Of the aircraft. */
  readonly stand?: string;
};

/** The latest event of check-in or boarding. */
type EventProgress<Fact extends 'checkIn' | 'boarding'> = {
  readonly status: NonNullable<FlightFacts[Fact]>['status'];
  readonly time: LocalAndUtc;
};

/** The identity of a flight: it never changes, so that events report no change of it. */
export type StatusIdentity = {
  readonly flightNumber: string;
  /** '' when there is none. */
  readonly serviceSuffix: string;
  /** Local date on which the flight leaves its first station, as midnight of that day. */
  readonly originationDate: { readonly local: string };
};

/** The content of a status event: a flight under one of its designators. Unknown members are absent. */
export type StatusContent = StatusIdentity & {
  readonly flightType: 'Scheduled' | 'Unscheduled' | 'GA';
  readonly state: FlightState;
  /** IATA service type. */
  readonly serviceType?: string;
  readonly carrierCode: EventCodes;
  /** The actual type, else the scheduled one. */
  readonly equipment?: { readonly aircraftType?: EventCodes; readonly aircraftRegistrationNumber?: string };
  readonly departure: FlightEnd<DepartureTimes> & {
    readonly checkInCounter?: string;
    readonly checkIn?: EventProgress<'checkIn'>;
    readonly boarding?: EventProgress<'boarding'>;
  };
  /** After a diversion this is the diversion airport, until the flight continues. */
  readonly arrival: FlightEnd<ArrivalTimes> & { readonly baggage?: string };
  readonly diversionAirport?: AirportCodes;
  readonly irregularOperationType?: 'Diverted' | 'Recovery';
  readonly diversionType?: DiversionType;
  /** On a recovery flight: the status key of the flight it recovers. */
  readonly originalStatusKey?: string;
  readonly operatingAirlineDisclosure?: EventCompany;
  readonly cockpitCrewEmployer?: EventCompany;
  readonly cabinCrewEmployer?: EventCompany;
  readonly marketingFlights: readonly EventDesignator[];
  readonly operatingFlight?: EventDesignator;
  /** Of the actual aircraft, else as filed. */
  readonly seatingCapacity?: { readonly actual?: EventSeats };
  readonly isOperating: boolean;
  /** Absent on unscheduled flights. */
  readonly scheduleInstanceKey?: string;
  /** The flight's own key if it is the operating one. */
  readonly operatingInstanceKey?: string;
  readonly marketingInstancesKeys: readonly string[];
  readonly statusKey: string;
};
