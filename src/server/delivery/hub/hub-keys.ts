import { hkdfSync } from 'node:crypto';
import { nkeys } from '@nats-io/transport-node';

/** A signing key pair of the hub: of an operator, an account or a user. */
export type HubKey = ReturnType<typeof nkeys.createUser>;

/**
 * The signing keys of the hub: the operator signs for accounts, an account for its users. These are broker accounts, not those of Flight Info Alerts.
 */
export type HubKeys = {
  readonly operator: HubKey;
  /** Account of the stream, whose only user is the service. */
  readonly events: HubKey;
  /** Account of the consumers, which may use only the exported part of the stream API. */
  readonly readers: HubKey;
  /** System account of a server; has no users. */
  readonly system: HubKey;
};

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const base32 = (bytes: Uint8Array): string => {
  let text = '';
  let [bits, buffer] = [0, 0];
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += ALPHABET[(buffer >> (bits - 5)) & 31] ?? '';
    buffer &= (1 << bits) - 1;
  }
  return bits > 0 ? text + (ALPHABET[(buffer << (5 - bits)) & 31] ?? '') : text;
};

/** CRC-16 with polynomial 0x1021 and initial value 0. */
const checksum = (bytes: Uint8Array): number => {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
};

/** Prefix bytes of seeds and key kinds, chosen so that their texts begin with S, and with O and A. */
const SEED = 18 << 3;
const kinds = { operator: 14 << 3, account: 0 } as const;

/** Creates a key from 32 secret bytes. */
const createKey = (kind: keyof typeof kinds, bytes: Uint8Array): HubKey => {
  const role = kinds[kind];
  const raw = Buffer.from([SEED | (role >> 5), (role & 31) << 3, ...bytes]);
  const sum = checksum(raw);
  return nkeys.fromSeed(Buffer.from(base32(Buffer.from([...raw, sum & 0xff, sum >> 8]))));
};

/** Derives the keys of a hub from a secret of 32 bytes; equal secrets give equal keys. */
export const deriveHubKeys = (secret: Uint8Array): HubKeys => {
  const key = (kind: keyof typeof kinds, name: string): HubKey =>
    createKey(kind, new Uint8Array(hkdfSync('sha256', secret, 'flightdata hub', name, 32)));
  return {
    operator: key('operator', 'operator'),
    events: key('account', 'events'),
    readers: key('account', 'readers'),
    system: key('account', 'system'),
  };
};
