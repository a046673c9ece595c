import { nkeys } from '@nats-io/transport-node';
import type { HubKey, HubKeys } from './hub-keys.ts';
import { HUB_API_PREFIX, HUB_STREAM, type ConsumerNames } from './hub-names.ts';
import { hubToken } from './hub-token.ts';

/** How long credentials are good; without an end they go on. */
export type Validity = { readonly issuedAt: Date; readonly expiresAt?: Date };

/** What a user may do beyond connecting: subjects it may publish to, and subscribe to. */
type Permissions = { readonly publish: readonly string[]; readonly subscribe: readonly string[] };

type NewUser = { readonly name: string; readonly validity: Validity; readonly permissions?: Permissions };

/** A user of the broker: a token that says what it may do, and the key with which it proves that the token is its own. */
export type HubUser = { readonly token: string; readonly seed: Uint8Array };

const newUser = (account: HubKey, { name, validity, permissions }: NewUser): HubUser => {
  const key = nkeys.createUser();
  const nats = {
    type: 'user',
    subs: -1,
    data: -1,
    payload: -1,
    ...(permissions && { pub: { allow: permissions.publish }, sub: { allow: permissions.subscribe } }),
  } as const;
  const token = hubToken(account, { name, subject: key.getPublicKey(), ...validity, nats });
  return { token, seed: key.getSeed() };
};

/** The service itself, for one connection. It needs no end: neither the token nor its key leaves the process. */
export const publisherUser = (keys: HubKeys, now: Date): HubUser =>
  newUser(keys.events, { name: 'flightdata', validity: { issuedAt: now } });

/**
 * What a consumer may do: ask how far it is, ask for more, acknowledge what it got, and hear the answers. It can neither make nor delete
 * anything, and no subject of the stream is in reach of it.
 */
const readerPermissions = ({ consumer, inbox }: ConsumerNames): Permissions => ({
  publish: [
    `${HUB_API_PREFIX}.CONSUMER.INFO.${HUB_STREAM}.${consumer}`,
    `${HUB_API_PREFIX}.CONSUMER.MSG.NEXT.${HUB_STREAM}.${consumer}`,
    `$JS.ACK.${HUB_STREAM}.${consumer}.>`,
  ],
  subscribe: [`${inbox}.>`],
});

/** Credentials of a consumer, in the form of a file as clients of the broker read it. Each call gives new ones; they are kept nowhere. */
export const readerCredentials = (
  { readers }: HubKeys,
  { names, validity }: { readonly names: ConsumerNames; readonly validity: Validity },
): string => {
  const { token, seed } = newUser(readers, { name: names.consumer, validity, permissions: readerPermissions(names) });
  return [
    '-----BEGIN NATS USER JWT-----',
    token,
    '------END NATS USER JWT------',
    '',
    '-----BEGIN USER NKEY SEED-----',
    new TextDecoder().decode(seed),
    '------END USER NKEY SEED------',
    '',
  ].join('\n');
};
