import type { LocalDate } from '#domain/time/dates.ts';
import type { Designator, Restriction } from '#domain/schedule/schedule.ts';
import type { ScheduleRecord } from '#domain/schedule/schedule-records.ts';

/** The facts of an airport that connection rules depend on; unknown codes are ''. */
export type ConnectionAirport = {
  readonly iata: string;
  /** IATA code of the city or metropolitan area; passengers can change between its airports. */
  readonly cityCode: string;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
  /** State code in the United States, Canada, Australia, Brazil (two letters) or Argentina (one letter), e.g. `NY`. */
  readonly stateCode: string;
  /** Degrees, north and east positive. */
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
};

/** The aircraft of a sector: IATA type, and body (`W` wide, `N` narrow, '' unknown). */
export type SectorEquipment = { readonly type: string; readonly body: 'W' | 'N' | '' };

/**
 * A flight from a board to an off point, without dates and times. A carrier has one code, whatever code its file uses
 * (`toConnectionCarrier`).
 */
export type ConnectingFlight = Designator & {
  /** The operating flight; the flight itself unless it is a marketing flight that names another. */
  readonly operating: Designator;
  /** The carrier of that flight, or the disclosed operator of a marketing flight that names none. */
  readonly operatingCarrier: string;
  readonly isMarketing: boolean;
  /** Board point, stops, off point. */
  readonly airports: readonly [ConnectionAirport, ConnectionAirport, ...ConnectionAirport[]];
  /** One entry for each sector. */
  readonly equipment: readonly [SectorEquipment, ...SectorEquipment[]];
  /** One letter. */
  readonly serviceType: string;
  /** '' when unknown. */
  readonly departureTerminal: string;
  readonly arrivalTerminal: string;
  /** The filed status, which overrides that of the countries; '' when none is filed. */
  readonly departureStatus: 'D' | 'I' | '';
  readonly arrivalStatus: 'D' | 'I' | '';
  readonly restrictions: readonly Restriction[];
};

/** A flight with its dates and times. */
export type ConnectingRecord = {
  readonly flight: ConnectingFlight;
  readonly record: ScheduleRecord;
  /** Fingerprint of the record in Schedules, 64 hexadecimal digits; '' when Schedules has no such record. */
  readonly fingerprint: string;
  /** The local departure dates on which one of its legs is cancelled; in a set, its dates do not contain them. */
  readonly cancelledOn?: readonly LocalDate[] | undefined;
};
