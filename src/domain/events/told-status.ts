import type { FlightState } from '../status/flight-view.ts';
import type { DiversionType } from '../status/message.ts';
import type {
  AirportCodes,
  EventCodes,
  EventCompany,
  EventCountry,
  EventDesignator,
  EventSeats,
  LocalAndUtc,
} from './event-parts.ts';

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

type Place = { readonly airport?: AirportCodes; readonly country?: EventCountry };

type End<Times> = Place & {
  /** `scheduled.local` has no offset from UTC, all other times have one. */
  readonly times?: { readonly scheduled?: LocalAndUtc; readonly estimated?: Times; readonly actual?: Times };
  /** The place of the schedule, whatever became of the flight. */
  readonly scheduled: Place;
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
export type ToldStatus = StatusIdentity & {
  readonly flightType: 'Scheduled' | 'Unscheduled' | 'GA';
  readonly state: FlightState;
  /** IATA service type. */
  readonly serviceType?: string;
  readonly carrierCode: EventCodes;
  /** The type that flies; the scheduled one where nothing else was said. */
  readonly equipment?: { readonly aircraftType?: EventCodes; readonly aircraftRegistrationNumber?: string };
  readonly departure: End<DepartureTimes> & { readonly checkInCounter?: string };
  /** After a diversion the place is where it was diverted to, until the flight goes on. */
  readonly arrival: End<ArrivalTimes> & { readonly baggage?: string };
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
