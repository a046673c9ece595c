import type { LocalDate } from '../time/dates.ts';
import type { Period } from '../time/period.ts';

/** The clock of a schedule's times, dates and days: local or UTC (SSIM record 2, byte 2). */
export type TimeMode = 'local' | 'utc';

/** A flight designator: `carrier` as filed (two or three characters), `suffix` is '' for none. */
export type Designator = { readonly carrier: string; readonly flightNumber: number; readonly suffix: string };

/** A company named in a disclosure: designator and name, '' when not filed. */
export type Company = { readonly code: string; readonly name: string };

/** One end of a leg. Times are minutes after midnight in the schedule's time mode; 1440 is `2400`, arrivals only. */
export type LegEnd = {
  readonly station: string;
  readonly passengerMinutes: number;
  readonly aircraftMinutes: number;
  /** Local time minus UTC, minutes. */
  readonly utcVariationMinutes: number;
  /** Days from the flight's origin date to this event, in the schedule's time mode: -1..7. */
  readonly dateVariation: number;
  /** '' when unknown. */
  readonly terminal: string;
  /** Filed override of the domestic or international status for minimum connecting times. */
  readonly mctStatus: 'D' | 'I' | '';
};

/** Data of a board/off pair of an itinerary (SSIM record 4), assigned by station and not by the preceding line. */
export type SegmentData = {
  /** Data element identifier, e.g. 10, 50, 127. */
  readonly dei: number;
  /** '' matches any station (filed as `XX` indicators or `QQQ`). */
  readonly boardStation: string;
  readonly offStation: string;
  /** 0-based station number of the board and off point in the itinerary; -1 when not filed. */
  readonly boardIndex: number;
  readonly offIndex: number;
  readonly data: string;
  readonly line: number;
};

/** One flight leg of one itinerary variation over one period (SSIM record 3). Text fields are trimmed, '' when blank. */
export type ScheduleLeg = Designator & {
  /** Line of the source file, 1-based. */
  readonly line: number;
  /** Itinerary variation identifier including the overflow hundreds: 1..999. */
  readonly itinerary: number;
  readonly sequence: number;
  readonly serviceType: string;
  readonly timeMode: TimeMode;
  /** The days of this leg by aircraft departure time. */
  readonly period: Period;
  readonly departure: LegEnd;
  readonly arrival: LegEnd;
  readonly equipment: string;
  /** Booking designators in order, e.g. `FJCY`. */
  readonly bookingClasses: string;
  readonly bookingModifiers: string;
  /** Meal service note as filed: up to five pairs, or more from DEI 109. */
  readonly meals: string;
  readonly jointOperators: readonly string[];
  readonly secureFlight: string;
  readonly aircraftOwner: Company;
  readonly cockpitCrew: Company;
  readonly cabinCrew: Company;
  /** Operating airline disclosure, byte 149. */
  readonly disclosure: 'L' | 'S' | 'X' | 'Z' | '';
  /** One code for each off point, the next station first: e.g. `A`, ` K`. */
  readonly trafficRestrictions: string;
  /** Aircraft configuration/version, e.g. `F10J10Y200`. */
  readonly configuration: string;
  /** Electronic ticketing by the carrier record or DEI 505; undefined when not filed. */
  readonly electronicTicketing: boolean | undefined;
  readonly inFlightServices: readonly string[];
  /** The aircraft that a schedule message assigns, upper case without hyphens; schedule files have none. */
  readonly registration?: string;
};

/** The legs of one designator and itinerary variation, in sequence, with the data of its segments. */
export type Itinerary = {
  readonly legs: readonly [ScheduleLeg, ...ScheduleLeg[]];
  readonly segmentData: readonly SegmentData[];
  /** False when a leg was quarantined: the other legs remain, but no through flight can be built. */
  readonly complete: boolean;
};

/** The complete schedule of one carrier in a file. */
export type CarrierSchedule = {
  readonly carrier: string;
  readonly from: LocalDate;
  readonly to: LocalDate;
  /** When the schedule was created; undefined when not filed. Older schedule messages are part of it. */
  readonly createdOn?: LocalDate | undefined;
  readonly itineraries: readonly Itinerary[];
};

/** A booking class and its meal; `meal` is '' when not filed. */
export type BookingClass = { readonly code: string; readonly meal: string };

/** Freight capacity of a configuration, e.g. code `LL` (containers) or `PP` (pallets), quantity as filed. */
export type FreightClass = { readonly code: string; readonly quantity: string };

/** A traffic restriction of one segment: what it applies to, and at which of the two points. */
export type Restriction = {
  readonly number: number;
  readonly code: string;
  readonly passenger: boolean;
  readonly cargo: boolean;
  readonly mail: boolean;
  readonly boardPoint: boolean;
  readonly offPoint: boolean;
};

/** Seats by cabin; undefined when unknown (configurations never contain economy plus). */
export type Seats = {
  readonly first: number | undefined;
  readonly business: number | undefined;
  readonly premiumEconomy: number | undefined;
  readonly economyPlus: number | undefined;
  readonly economy: number | undefined;
  readonly total: number | undefined;
};

/** On-time indicators as filed in DEI 501 and 502; '' when not filed. */
export type FiledPunctuality = { readonly indicator: string; readonly delaysAndCancellations: string };

/** What can be sold to a passenger: one leg, or the whole flight. */
export type FlightSegment = Designator & {
  readonly legs: readonly [ScheduleLeg, ...ScheduleLeg[]];
  readonly itinerary: number;
  /** Leg sequence number of the first leg. */
  readonly sequence: number;
  readonly serviceType: string;
  readonly equipment: string;
  /** The equipment of each leg. */
  readonly legEquipment: readonly string[];
  readonly jointOperators: readonly Company[];
  readonly operatingAirlineDisclosure: Company | undefined;
  readonly aircraftOwner: Company | undefined;
  readonly cockpitCrew: Company | undefined;
  readonly cabinCrew: Company | undefined;
  /** On an operating flight: the designators of its marketing flights (DEI 10). */
  readonly marketingFlights: readonly Designator[];
  /** On a marketing flight: the operating flight (DEI 50). */
  readonly operatingFlight: Designator | undefined;
  /** True when another flight operates it: an operating flight is named, or the disclosure is L or Z. */
  readonly isMarketing: boolean;
  readonly departureTerminal: string;
  readonly arrivalTerminal: string;
  readonly bookingClasses: readonly BookingClass[];
  readonly freightClasses: readonly FreightClass[];
  readonly seats: Seats | undefined;
  readonly restrictions: readonly Restriction[];
  readonly planeChangeWithoutTypeChange: boolean;
  readonly punctuality: FiledPunctuality | undefined;
  readonly inFlightServices: readonly string[];
  readonly automatedCheckIn: boolean;
  readonly electronicTicketing: boolean;
  readonly secureFlight: boolean;
  readonly governmentApproval: boolean;
};
