import type { LocalDate } from '../../../domain/time/dates.ts';
import type { RecordPlace } from '../../../store/schedules/schedule-records.ts';

/**
 * On which side of the record it marks a cursor's page lies, and whether the page has that record itself. It has not as a rule:
 * `from` and `upTo` lead back from a page that was found empty, because all that lay on that side has gone.
 */
const sides = ['after', 'before', 'from', 'upTo'] as const;
export type Side = (typeof sides)[number];

/** What a cursor of Schedules says. */
export type CursorPosition = { readonly record: RecordPlace; readonly side: Side };

const FIXED_BYTES = 16;

/** The mark as it is sealed in a cursor: side, number, first day, leg, fingerprint, and the designator to the end. */
export const encodePosition = ({ side, record: place }: CursorPosition): Buffer => {
  const bytes = Buffer.alloc(FIXED_BYTES);
  bytes.writeUInt8(sides.indexOf(side), 0);
  bytes.writeUInt16BE(place.flightNumber, 1);
  bytes.writeInt32BE(place.from, 3);
  bytes.writeUInt8(place.legOrder, 7);
  bytes.writeBigInt64BE(place.keyOrder, 8);
  return Buffer.concat([bytes, Buffer.from(place.designator, 'latin1')]);
};

/** Reads what `writeMark` wrote. */
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
