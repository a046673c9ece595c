import type { LocalDate } from '../../time/dates.ts';

/** Status of a connection: that of the arrival, then that of the departure; D is domestic, I international. */
export const mctStatuses = ['DD', 'DI', 'ID', 'II'] as const;
export type MctStatus = (typeof mctStatuses)[number];

/** What a record asks of the flight on one side of the connection; '' and undefined ask nothing. */
export type MctSide = {
  readonly carrier: string;
  /** Whether it is about marketing flights of that carrier. */
  readonly isCodeshare: boolean;
  readonly operator: string;
  readonly flights: { readonly from: number; readonly to: number } | undefined;
  readonly terminal: string;
  /** Of the airport before the arrival, or after the departure. */
  readonly station: string;
  readonly stateCode: string;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
  readonly region: string;
  readonly equipment: string;
  readonly body: 'W' | 'N' | '';
};

/** One record of a file of minimum connecting times (SSIM chapter 8, record type 2). */
export type MctRecord = {
  /** Line of the source file, 1-based. */
  readonly line: number;
  readonly status: MctStatus;
  /** '' is any. */
  readonly arrivalStation: string;
  readonly departureStation: string;
  readonly arrival: MctSide;
  readonly departure: MctSide;
  /** Local dates of arrival at the connection point, both included. */
  readonly from: LocalDate | undefined;
  readonly to: LocalDate | undefined;
  /** `Y` forbids the connection, `N` lifts a wider `Y` and may be a time as well; '' is a time alone. */
  readonly suppression: 'Y' | 'N' | '';
  readonly suppressionStateCode: string;
  readonly suppressionCountryCode: string;
  readonly suppressionRegion: string;
  /** Undefined in a suppression, and in an `N` that only lifts one. */
  readonly minutes: number | undefined;
  /** The carrier that submitted it, '' for a station's own. */
  readonly submittedBy: string;
};

/** With whom a carrier connects (record type 3). */
export type MctPartners = { readonly line: number; readonly carrier: string; readonly partners: readonly string[] };

/** A whole file of minimum connecting times. */
export type MctFile = { readonly records: readonly MctRecord[]; readonly partners: readonly MctPartners[] };

/** Minutes where no record applies. */
export type MctDefaults = Readonly<Record<MctStatus, number>> & { readonly interAirport: number };

/** The defaults of the industry's guide. */
export const MCT_DEFAULTS: MctDefaults = { DD: 30, DI: 60, ID: 90, II: 90, interAirport: 240 };
