import type { DateSpan } from '../schedule/departure-span.ts';

/** Online, interline, offline: the letters of the contract. */
export const connectionTypes = ['o', 'i', 'n'] as const;
export type ConnectionType = (typeof connectionTypes)[number];

/** Which connections are wanted; a member that is undefined does not narrow, an empty list finds nothing. Codes are in capitals. */
export type WantedConnections = {
  readonly departureAirports?: readonly string[] | undefined;
  readonly departureCities?: readonly string[] | undefined;
  readonly arrivalAirports?: readonly string[] | undefined;
  readonly arrivalCities?: readonly string[] | undefined;
  /** Airports at which leg 1 arrives or leg 2 departs. */
  readonly viaPoints?: readonly string[] | undefined;
  /** Designators under which the legs are sold. */
  readonly leg1Carriers?: readonly string[] | undefined;
  readonly leg2Carriers?: readonly string[] | undefined;
  /** Local dates on which leg 1 departs. */
  readonly dates?: DateSpan | undefined;
  /** Percent. */
  readonly maxCircuity?: number | undefined;
  readonly types?: readonly ConnectionType[] | undefined;
  /** Connecting minutes, both ends included. */
  readonly minConnectingMinutes?: number | undefined;
  readonly maxConnectingMinutes?: number | undefined;
  /** True for changes of airports alone, false for none of them. */
  readonly interAirport?: boolean | undefined;
  /** From the departure of leg 1 to the arrival of leg 2. */
  readonly maxElapsedMinutes?: number | undefined;
  readonly service?: 'passenger' | 'cargo' | undefined;
};
