import type { Designator, Restriction } from '../schedule/schedule.ts';
import type { ScheduleRecord } from '../schedule/schedule-records.ts';

/** An airport as the rules of connections see it; codes are '' where unknown. */
export type ConnectionAirport = {
  readonly iata: string;
  /** IATA code of the city or metropolitan area; two airports of the same one can be changed between. */
  readonly cityCode: string;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
  /** The two letters of a state of the United States, Canada, Australia, Brazil or Argentina, e.g. `NY`. */
  readonly stateCode: string;
  /** Degrees, north and east positive. */
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
};

/** The aircraft of a sector: IATA type, and body `W`ide or `N`arrow where known. */
export type SectorEquipment = { readonly type: string; readonly body: 'W' | 'N' | '' };

/** What connects: a flight from a board to an off point, whatever its dates and times. */
export type ConnectingFlight = Designator & {
  /** The flight that operates it: itself unless it is a marketing flight that names one. */
  readonly operating: Designator;
  readonly isMarketing: boolean;
  /** Board point, stops, off point. */
  readonly airports: readonly [ConnectionAirport, ConnectionAirport, ...ConnectionAirport[]];
  /** One of each sector. */
  readonly equipment: readonly [SectorEquipment, ...SectorEquipment[]];
  /** One letter. */
  readonly serviceType: string;
  /** '' when unknown. */
  readonly departureTerminal: string;
  readonly arrivalTerminal: string;
  /** What the schedule says instead of what the countries say; '' when it says nothing. */
  readonly departureStatus: 'D' | 'I' | '';
  readonly arrivalStatus: 'D' | 'I' | '';
  readonly restrictions: readonly Restriction[];
};

/** A flight with its dates and times. */
export type ConnectingRecord = {
  readonly flight: ConnectingFlight;
  readonly record: ScheduleRecord;
  /** The fingerprint of the record in Schedules, 64 hexadecimal digits; '' where Schedules has no such record. */
  readonly fingerprint: string;
};
