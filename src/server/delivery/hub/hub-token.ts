import { randomUUID } from 'node:crypto';
import type { HubKey } from './hub-keys.ts';

/** The claims about an operator, an account or a user; `nats` uses the terms of the server. */
export type HubClaims = {
  readonly name: string;
  /** Public key of the subject. */
  readonly subject: string;
  readonly issuedAt: Date;
  /** Expiry; undefined for none. */
  readonly expiresAt?: Date | undefined;
  readonly nats: { readonly type: 'operator' | 'account' | 'user' } & Readonly<Record<string, unknown>>;
};

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const seconds = (moment: Date): number => Math.floor(moment.getTime() / 1000);

/** Creates a NATS token: a JSON web token, version 2, signed by `issuer` with ed25519. */
export const createHubToken = (issuer: HubKey, { name, subject, issuedAt, expiresAt, nats }: HubClaims): string => {
  const header = base64({ typ: 'JWT', alg: 'ed25519-nkey' });
  const claims = base64({
    jti: randomUUID(),
    iat: seconds(issuedAt),
    ...(expiresAt && { exp: seconds(expiresAt) }),
    iss: issuer.getPublicKey(),
    name,
    sub: subject,
    nats: { ...nats, version: 2 },
  });
  const signed = `${header}.${claims}`;
  return `${signed}.${Buffer.from(issuer.sign(Buffer.from(signed))).toString('base64url')}`;
};
