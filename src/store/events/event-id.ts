import { randomBytes } from 'node:crypto';

/** A new UUID of version 7 (RFC 9562): it begins with the time, in milliseconds, so that later ones sort later. */
export const newEventId = (madeAt: Date): string => {
  const time = madeAt.getTime().toString(16).padStart(12, '0');
  const chance = randomBytes(10);
  // The variant is the two bits 10 in front of the second half.
  chance.writeUInt8((chance.readUInt8(2) & 0x3f) | 0x80, 2);
  const hex = chance.toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(0, 3)}-${hex.slice(4, 8)}-${hex.slice(8)}`;
};
