import type { FlightInstance } from '../../../../../generated/flight-info/v2/types.gen.ts';

/**
 * An instance as stored: JSON texts in the form of Flight Info v2. Events are built from the same texts that requests for
 * the flight return, so that nothing is stored twice.
 */
export type StoredInstance = {
  /** The list row. */
  readonly doc: string;
  /** The further members of the single flight, without braces; undefined for an unscheduled flight. */
  readonly details: string | undefined;
  /** The value of `seatingCapacity` as filed. */
  readonly seats: string | undefined;
};

/** Parses the list row of an instance. */
const parseRow = (doc: string): FlightInstance => {
  const row: FlightInstance = JSON.parse(doc);
  return row;
};

/** Parses all stored parts of an instance. */
export const parseInstance = ({ doc, details, seats }: StoredInstance): FlightInstance => {
  const members = [doc.slice(0, -1), details ?? '', seats === undefined ? '' : `"seatingCapacity":${seats}`];
  return parseRow(`${members.filter((text) => text !== '').join(',')}}`);
};

/** Returns an object if it has a member that is set: events omit empty objects. */
export const omitIfEmpty = <Value extends object>(value: Value | undefined): Value | undefined =>
  value && Object.values(value).some((member) => member !== undefined) ? value : undefined;
