import type { FlightInstance } from '../../../../../generated/flight-info/v2/types.gen.ts';

/**
 * An instance as the store keeps it, all JSON texts. They are written once, in the form of Flight Info v2, and read back here so
 * that nothing is kept twice: events tell what a request for the flight would have shown.
 */
export type StoredInstance = {
  /** The list row. */
  readonly doc: string;
  /** What the single flight shows beyond it, members without braces; undefined for a flight that no schedule holds. */
  readonly details: string | undefined;
  /** The value of `seatingCapacity` as filed. */
  readonly seats: string | undefined;
};

/** Reads the list row of an instance. */
const parseRow = (doc: string): FlightInstance => {
  const row: FlightInstance = JSON.parse(doc);
  return row;
};

/** Reads all that is kept of an instance. */
export const parseInstance = ({ doc, details, seats }: StoredInstance): FlightInstance => {
  const members = [doc.slice(0, -1), details ?? '', seats === undefined ? '' : `"seatingCapacity":${seats}`];
  return parseRow(`${members.filter((text) => text !== '').join(',')}}`);
};

/** An object that has members; events leave out what is empty. */
export const orUndefined = <Value extends object>(value: Value | undefined): Value | undefined =>
  value && Object.values(value).some((member) => member !== undefined) ? value : undefined;
