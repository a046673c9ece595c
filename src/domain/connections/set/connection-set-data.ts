import type { Cooperation } from '../rules/cooperation.ts';
import type { ConnectionAirport } from '../flights/connecting-flight.ts';
import type { MctDefaults } from '../mct/mct-record.ts';

/** A change of what the bytes of a set mean is a new number: a server that does not read it waits for a new set. */
export const CONNECTION_SET_FORMAT = 1;

/** A set of connections as bytes: what is stored by whoever built it, and loaded by every server as it is. */
export type ConnectionSetData = {
  /** JSON: `SetHeader`. */
  readonly header: string;
  /** Typed arrays as little-endian bytes, by name. */
  readonly columns: Readonly<Record<string, Uint8Array>>;
};

/** What of a set is text or small. Lists are numbered by their place; columns point into them. */
export type SetHeader = {
  /** `YYYY-MM-DD`: leg 1 departs from this local date on, for so many days. */
  readonly from: string;
  readonly days: number;
  /** In the order of their IATA codes. */
  readonly airports: readonly ConnectionAirport[];
  /** Designators of carriers, in alphabetical order. */
  readonly carriers: readonly string[];
  readonly suffixes: readonly string[];
  readonly terminals: readonly string[];
  /** Numbers of airports: board point, stops, off point. */
  readonly routes: readonly (readonly number[])[];
  /** JSON of the members of ConnectingFlight of the same names. */
  readonly equipment: readonly string[];
  readonly restrictions: readonly string[];
  readonly defaults: MctDefaults;
  readonly cooperation: Cooperation;
};
