import type {
  AirportCodes,
  EventCodes,
  EventCompany,
  EventCountry,
  EventDesignator,
  EventSeats,
  LocalAndUtc,
} from './event-parts.ts';

/** One end of a flight as scheduled: dates `YYYY-MM-DD`, times `HH:mm`. What is not known is absent. */
type ScheduledEnd = {
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
export type ToldSchedule = ScheduleIdentity & {
  readonly carrierCode: EventCodes;
  readonly sequenceNumber?: number;
  readonly departure: ScheduledEnd;
  readonly arrival: ScheduledEnd;
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
