import type { ConnectionType } from '../rules/carrier-relations.ts';
import type { DateSpan } from '#domain/time/period.ts';

/** Minutes of the day, 0 to 1439. */
export type MinuteWindow = { readonly from: number; readonly to: number };

/** Criteria for connections. An undefined member does not filter; an empty list matches nothing. Codes are in capitals. */
export type ConnectionFilter = {
  readonly departureAirports?: readonly string[] | undefined;
  readonly departureCities?: readonly string[] | undefined;
  readonly arrivalAirports?: readonly string[] | undefined;
  readonly arrivalCities?: readonly string[] | undefined;
  /** Airports at which leg 1 arrives or leg 2 departs. */
  readonly viaPoints?: readonly string[] | undefined;
  /** Marketing carriers of the legs. */
  readonly leg1Carriers?: readonly string[] | undefined;
  readonly leg2Carriers?: readonly string[] | undefined;
  /** Local dates on which leg 1 departs. */
  readonly dates?: DateSpan | undefined;
  /** Local minutes of the day at which leg 1 departs, both ends included; `from` is above `to` for a window past midnight. */
  readonly departureWindow?: MinuteWindow | undefined;
  /** Percent. */
  readonly maxCircuity?: number | undefined;
  readonly types?: readonly ConnectionType[] | undefined;
  /** Connecting minutes, both ends included. */
  readonly minConnectingMinutes?: number | undefined;
  readonly maxConnectingMinutes?: number | undefined;
  /** True: only connections with a change of airports; false: only those without. */
  readonly interAirport?: boolean | undefined;
  /** From the departure of leg 1 to the arrival of leg 2. */
  readonly maxElapsedMinutes?: number | undefined;
  readonly service?: 'passenger' | 'cargo' | undefined;
};
