import { decodeInt32s, encodeInt32s } from '#lib/int32-bytes.ts';
import type { ConnectionPosition } from '#domain/connections/search/connection-dates.ts';

/** The position in a cursor of Connections: the set, and the last connection of the page before. */
export type CursorPosition = {
  readonly setId: number;
  readonly connection: ConnectionPosition;
  /** Its elapsed time, in a list that is sorted by it. */
  readonly elapsedMinutes?: number | undefined;
};

/** Encodes a position: set, leg 1, leg 2, connecting minutes, rule, and the elapsed minutes if they are given. */
export const encodePosition = ({ setId, connection, elapsedMinutes }: CursorPosition): Buffer => {
  const { leg1, leg2, minutes, rule } = connection;
  return encodeInt32s([setId, leg1, leg2, minutes, rule, ...(elapsedMinutes === undefined ? [] : [elapsedMinutes])]);
};

/** Decodes what `encodePosition` wrote. */
export const decodePosition = (bytes: Buffer): CursorPosition => {
  const [setId = 0, leg1 = 0, leg2 = 0, minutes = 0, rule = 0, elapsedMinutes] = decodeInt32s(bytes);
  return {
    setId,
    connection: { leg1, leg2, minutes, rule },
    ...(elapsedMinutes !== undefined && { elapsedMinutes }),
  };
};
