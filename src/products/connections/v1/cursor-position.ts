import type { ConnectionPlace } from '../../../domain/connections/found-connection.ts';

/** What a cursor of Connections says: the set, and the last connection of the page before. */
export type Mark = { readonly setId: number; readonly place: ConnectionPlace };

const FIELD_BYTES = 4;

/** The mark as it is sealed in a cursor: set, leg 1, leg 2, connecting minutes, rule. */
export const writeMark = ({ setId, place }: Mark): Buffer => {
  const fields = [setId, place.leg1, place.leg2, place.minutes, place.rule];
  const bytes = Buffer.alloc(fields.length * FIELD_BYTES);
  for (const [index, field] of fields.entries()) bytes.writeInt32BE(field, index * FIELD_BYTES);
  return bytes;
};

/** Reads what `writeMark` wrote. */
export const readMark = (bytes: Buffer): Mark => {
  const field = (index: number): number => bytes.readInt32BE(index * FIELD_BYTES);
  return { setId: field(0), place: { leg1: field(1), leg2: field(2), minutes: field(3), rule: field(4) } };
};
