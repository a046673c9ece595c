import type { StoredCarrierRelations } from '../rules/carrier-relations.ts';
import type { ConnectionAirport } from '../flights/connecting-flight.ts';
import type { MctDefaults } from '../mct/mct-record.ts';

/** Increased when the meaning of the bytes changes: a server that does not know the number waits for a new set. */
export const CONNECTION_SET_FORMAT = 3;

/** A connection set as bytes: stored by the process that built it and loaded by every server unchanged. */
export type ConnectionSetData = {
  /** JSON: `SetHeader`. */
  readonly header: string;
  /** Typed arrays as little-endian bytes, by name. */
  readonly columns: Readonly<Record<string, Uint8Array>>;
};

/** The text and small values of a set. Lists are numbered by index; columns refer to them. */
export type SetHeader = {
  /** `YYYY-MM-DD`: first local departure date of leg 1. */
  readonly from: string;
  readonly days: number;
  /** In the order of IATA codes. */
  readonly airports: readonly ConnectionAirport[];
  /** Designators of carriers, in alphabetical order. */
  readonly carriers: readonly string[];
  readonly suffixes: readonly string[];
  readonly terminals: readonly string[];
  /** Airport numbers: board point, stops, off point. */
  readonly routes: readonly (readonly number[])[];
  /** JSON of the members of ConnectingFlight with the same names. */
  readonly equipment: readonly string[];
  readonly restrictions: readonly string[];
  readonly defaults: MctDefaults;
  readonly cooperation: StoredCarrierRelations;
};
