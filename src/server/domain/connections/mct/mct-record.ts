import type { LocalDate } from '#domain/time/dates.ts';

/** Status of a connection: arrival, then departure; D is domestic, I international. */
export const mctStatuses = ['DD', 'DI', 'ID', 'II'] as const;
export type MctStatus = (typeof mctStatuses)[number];

/** The criteria of a record for the flight on one side of the connection; '' and undefined match any flight. */
export type MctSide = {
  readonly carrier: string;
  /** Whether it applies to marketing flights of that carrier. */
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
  /** '' matches any station. */
  readonly arrivalStation: string;
  readonly departureStation: string;
  readonly arrival: MctSide;
  readonly departure: MctSide;
  /** Local dates of arrival at the connection point, both included. */
  readonly from: LocalDate | undefined;
  readonly to: LocalDate | undefined;
  /** `Y` forbids the connection, `N` lifts a wider `Y` and may set a time as well; '' only sets a time. */
  readonly suppression: 'Y' | 'N' | '';
  readonly suppressionStateCode: string;
  readonly suppressionCountryCode: string;
  readonly suppressionRegion: string;
  /** Undefined for a suppression, and for an `N` that only lifts one. */
  readonly minutes: number | undefined;
  /** The carrier that submitted it; '' for a station standard. */
  readonly submittedBy: string;
};

/** The connecting partners of a carrier (record type 3). */
export type MctPartners = { readonly line: number; readonly carrier: string; readonly partners: readonly string[] };

/** A complete file of minimum connecting times (SSIM chapter 8). */
export type MctFile = { readonly records: readonly MctRecord[]; readonly partners: readonly MctPartners[] };

/** Minutes that hold when no record applies. */
export type MctDefaults = Readonly<Record<MctStatus, number>> & { readonly interAirport: number };

/** The defaults of the industry guide. */
export const MCT_DEFAULTS: MctDefaults = { DD: 30, DI: 60, ID: 90, II: 90, interAirport: 240 };

/** A side without criteria. */
export const blankMctSide: MctSide = {
  carrier: '',
  isCodeshare: false,
  operator: '',
  flights: undefined,
  terminal: '',
  station: '',
  stateCode: '',
  countryCode: '',
  region: '',
  equipment: '',
  body: '',
};

/** The fields of a record that has no criterion but its status. */
export const blankMctRecord: Omit<MctRecord, 'line' | 'status'> = {
  arrivalStation: '',
  departureStation: '',
  arrival: blankMctSide,
  departure: blankMctSide,
  from: undefined,
  to: undefined,
  suppression: '',
  suppressionStateCode: '',
  suppressionCountryCode: '',
  suppressionRegion: '',
  minutes: undefined,
  submittedBy: '',
};
