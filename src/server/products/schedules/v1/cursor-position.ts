import type { LocalDate } from '#domain/time/dates.ts';
import type { RecordPosition } from '#store/schedules/schedule-records.ts';

/**
 * On which side of the cursor's record the page is, and whether it includes that record: `after` and `before` exclude it;
 * `from` and `upTo` include it and lead back from a page whose records were all removed.
 */
const sides = ['after', 'before', 'from', 'upTo'] as const;
export type Side = (typeof sides)[number];

/** The position in a cursor of Schedules. */
export type CursorPosition = { readonly record: RecordPosition; readonly side: Side };

const FIXED_BYTES = 16;

/** Encodes a position: side, flight number, first day, leg, key order, then the designator to the end. */
export const encodePosition = ({ side, record }: CursorPosition): Buffer => {
  const bytes = Buffer.alloc(FIXED_BYTES);
  bytes.writeUInt8(sides.indexOf(side), 0);
  bytes.writeUInt16BE(record.flightNumber, 1);
  bytes.writeInt32BE(record.from, 3);
  bytes.writeUInt8(record.legOrder, 7);
  bytes.writeBigInt64BE(record.keyOrder, 8);
  return Buffer.concat([bytes, Buffer.from(record.designator, 'latin1')]);
};

/** Decodes what `encodePosition` wrote. */
export const decodePosition = (bytes: Buffer): CursorPosition => ({
  side: sides[bytes.readUInt8(0)] ?? 'after',
  record: {
    flightNumber: bytes.readUInt16BE(1),
    from: bytes.readInt32BE(3) as LocalDate,
    legOrder: bytes.readUInt8(7),
    keyOrder: bytes.readBigInt64BE(8),
    designator: bytes.toString('latin1', FIXED_BYTES),
  },
});
