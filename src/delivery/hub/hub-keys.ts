import { hkdfSync } from 'node:crypto';
import { nkeys } from '@nats-io/transport-node';

/** A pair of keys that signs for the hub: of an operator, an account or a user. */
export type HubKey = ReturnType<typeof nkeys.createUser>;

/** Who signs for the hub: the operator for its accounts, an account for its users. These are accounts of the broker, not of Flight Info Alerts. */
export type HubKeys = {
  readonly operator: HubKey;
  /** Where the stream is. The service alone has users in it. */
  readonly events: HubKey;
  /** Where consumers are users. It sees of the stream what the other account lets it ask for. */
  readonly readers: HubKey;
  /** What a server keeps for itself. Nobody gets credentials for it. */
  readonly system: HubKey;
};

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const base32 = (bytes: Uint8Array): string => {
  let text = '';
  let [bits, held] = [0, 0];
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += ALPHABET[(held >> (bits - 5)) & 31] ?? '';
    held &= (1 << bits) - 1;
  }
  return bits > 0 ? text + (ALPHABET[(held << (5 - bits)) & 31] ?? '') : text;
};

/** CRC-16 with the polynomial 0x1021, from 0. */
const checksum = (bytes: Uint8Array): number => {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
};

/** First bytes of a seed and of the kinds of keys, chosen so that their texts begin with S, and with O and A. */
const SEED = 18 << 3;
const kinds = { operator: 14 << 3, account: 0 } as const;

/** A key from 32 bytes, which nobody else must know. */
const keyOf = (kind: keyof typeof kinds, bytes: Uint8Array): HubKey => {
  const role = kinds[kind];
  const raw = Buffer.from([SEED | (role >> 5), (role & 31) << 3, ...bytes]);
  const sum = checksum(raw);
  return nkeys.fromSeed(Buffer.from(base32(Buffer.from([...raw, sum & 0xff, sum >> 8]))));
};

/** The keys of a hub: of the same secret of 32 bytes always the same. */
export const hubKeysOf = (secret: Uint8Array): HubKeys => {
  const key = (kind: keyof typeof kinds, name: string): HubKey =>
    keyOf(kind, new Uint8Array(hkdfSync('sha256', secret, 'flightdata hub', name, 32)));
  return {
    operator: key('operator', 'operator'),
    events: key('account', 'events'),
    readers: key('account', 'readers'),
    system: key('account', 'system'),
  };
};
