import type { ConnectionPosition } from '#domain/connections/search/connection-dates.ts';

/** The position in a cursor of Connections: the set, and the last connection of the page before. */
export type CursorPosition = {
  readonly setId: number;
  readonly connection: ConnectionPosition;
  /** Its elapsed time, in a list that is sorted by it. */
  readonly elapsedMinutes?: number | undefined;
};

const FIELD_BYTES = 4;
const ELAPSED_FIELD = 5;

/** Encodes a position: set, leg 1, leg 2, connecting minutes, rule, and the elapsed minutes if they are given. */
export const encodePosition = ({ setId, connection, elapsedMinutes }: CursorPosition): Buffer => {
  const { leg1, leg2, minutes, rule } = connection;
  const fields = [setId, leg1, leg2, minutes, rule, ...(elapsedMinutes === undefined ? [] : [elapsedMinutes])];
  const bytes = Buffer.alloc(fields.length * FIELD_BYTES);
  for (const [index, field] of fields.entries()) bytes.writeInt32BE(field, index * FIELD_BYTES);
  return bytes;
};

/** Decodes what `encodePosition` wrote. */
export const decodePosition = (bytes: Buffer): CursorPosition => {
  const field = (index: number): number => bytes.readInt32BE(index * FIELD_BYTES);
  return {
    setId: field(0),
    connection: { leg1: field(1), leg2: field(2), minutes: field(3), rule: field(4) },
    ...(bytes.length > ELAPSED_FIELD * FIELD_BYTES && { elapsedMinutes: field(ELAPSED_FIELD) }),
  };
};
