import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** A certificate with its key, both PEM, in the form that a server accepts. */
export type Certificate = { readonly cert: string; readonly key: string };

export type Authority = Certificate & { readonly name: string; readonly privateKey: KeyObject };

type Subject = {
  /** Host names and IPv4 addresses of the subject; without any it is an authority. */
  readonly hosts: readonly string[];
  readonly from?: Date;
  readonly to?: Date;
  /** The issuer; undefined for a self-signed certificate. */
  readonly issuer?: Authority;
};

const DAY_MS = 86_400_000;

/** DER, the encoding of X.690: a tag, a length, and the content. */
const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const lengths = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...lengths]), content]);
};
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const time = (at: Date): Buffer => der(0x18, Buffer.from(at.toISOString().replaceAll(/\.\d+|[-:T]/g, '')));
const nameOf = (text: string): Buffer => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))));
const pem = (content: Buffer): string =>
  // Breaking after every 64 characters can make an empty line, which is invalid in PEM.
  `-----BEGIN CERTIFICATE-----\n${content.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const alternativeNames = (hosts: readonly string[]): Buffer =>
  sequence(
    oid('551d11'),
    der(
      0x04,
      sequence(
        ...hosts.map((host) =>
          isIPv4(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host)),
        ),
      ),
    ),
  );
const authority = sequence(
  oid('551d13'),
  der(0x01, Buffer.from([255])),
  der(0x04, sequence(der(0x01, Buffer.from([255])))),
);

let serial = 0;

/** Creates a certificate of version 3 with its own key (P-256), so that tests need no other program. */
export const createCertificate = ({
  hosts,
  from = new Date(Date.now() - DAY_MS),
  to = new Date(Date.now() + DAY_MS),
  issuer,
}: Subject): Authority => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = hosts[0] ?? 'Test Authority';
  serial += 1;
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([serial])),
    ecdsaWithSha256,
    nameOf(issuer?.name ?? name),
    sequence(time(from), time(to)),
    nameOf(name),
    publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, sequence(hosts.length > 0 ? alternativeNames(hosts) : authority)),
  );
  const signature = sign('sha256', content, issuer?.privateKey ?? privateKey);
  return {
    name,
    privateKey,
    cert: pem(sequence(content, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature))),
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
};
