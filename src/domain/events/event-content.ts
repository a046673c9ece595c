import type { FlightState } from '../status/flight-view.ts';
import type { DiversionType } from '../status/message.ts';

/** One end of a flight as scheduled: dates `YYYY-MM-DD`, times `HH:mm`. What is not known is absent. */
type ScheduledFlightEnd = {
  readonly airport: AirportCodes;
  readonly country?: EventCountry;
  readonly terminal?: string;
  readonly date: LocalAndUtc;
  readonly time: LocalAndUtc;
};

/** What makes an instance itself: it never changes, so that no change is told of it. */
export type ScheduleIdentity = {
  readonly scheduleInstanceKey: string;
  readonly flightNumber: number;
  /** '' when there is none. */
  readonly serviceSuffix: string;
};

/** All that a schedule event tells of an instance: what is filed for it. Times are passenger times. */
export type ScheduleContent = ScheduleIdentity & {
  readonly carrierCode: EventCodes;
  readonly sequenceNumber?: number;
  readonly departure: ScheduledFlightEnd;
  readonly arrival: ScheduledFlightEnd;
  readonly aircraftType?: EventCodes;
  readonly serviceTypeCode?: { readonly iata: string };
  /** Days from the local date of departure to that of arrival. */
  readonly arrivalIntervalDays: number;
  /** The same for the last leg; absent on a flight with stops, whose instance does not tell when its last leg departs. */
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

/** The codes of a place, a carrier or an aircraft type. A code that does not exist is absent. */
export type EventCodes = { readonly iata?: string; readonly icao?: string };

export type AirportCodes = EventCodes & { readonly faa?: string };

/** ISO 3166-1 alpha-2. */
export type EventCountry = { readonly code: string };

/** A company that has a part in a flight; a member is '' where it was not filed. */
export type EventCompany = { readonly code: string; readonly name: string; readonly number: string };

/** A flight by its designator, the number without leading zeros; `suffix` is '' when there is none. */
export type EventDesignator = { readonly code: string; readonly serviceNumber: string; readonly suffix: string };

/** One moment or date on two clocks: that of the airport, and UTC. */
export type LocalAndUtc = { readonly local: string; readonly utc: string };

/** Seats by cabin; a cabin is absent when the source cannot tell it. */
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
  /** The place of the schedule, whatever became of the flight. */
  readonly scheduled: AirportAndCountry;
  readonly terminal?: string;
  readonly gate?: string;
};

/** What makes a flight itself: it never changes, so that no change is told of it. */
export type StatusIdentity = {
  readonly flightNumber: string;
  /** '' when there is none. */
  readonly serviceSuffix: string;
  /** Local date on which the flight leaves its first station, as midnight of that day. */
  readonly originationDate: { readonly local: string };
};

/** All that a status event tells of a flight under one of its designators. What is not known is absent. */
export type StatusContent = StatusIdentity & {
  readonly flightType: 'Scheduled' | 'Unscheduled' | 'GA';
  readonly state: FlightState;
  /** IATA service type. */
  readonly serviceType?: string;
  readonly carrierCode: EventCodes;
  /** The type that flies; the scheduled one where nothing else was said. */
  readonly equipment?: { readonly aircraftType?: EventCodes; readonly aircraftRegistrationNumber?: string };
  readonly departure: FlightEnd<DepartureTimes> & { readonly checkInCounter?: string };
  /** After a diversion the place is where it was diverted to, until the flight goes on. */
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
  /** Of the aircraft that flies; as filed where nothing else was said. */
  readonly seatingCapacity?: { readonly actual?: EventSeats };
  readonly isOperating: boolean;
  /** Absent on flights that no schedule holds. */
  readonly scheduleInstanceKey?: string;
  /** That of the flight itself when it is operating. */
  readonly operatingInstanceKey?: string;
  readonly marketingInstancesKeys: readonly string[];
  readonly statusKey: string;
};
