import { nkeys } from '@nats-io/transport-node';
import type { HubKey, HubKeys } from './hub-keys.ts';
import { HUB_API_PREFIX, type ConsumerNames } from './hub-names.ts';
import { createHubToken } from './hub-token.ts';

/** Lifetime of credentials; unlimited without `expiresAt`. */
export type CredentialValidity = { readonly issuedAt: Date; readonly expiresAt?: Date };

/** Subjects that a user may publish and subscribe to. */
type Permissions = { readonly publish: readonly string[]; readonly subscribe: readonly string[] };

type NewUser = { readonly name: string; readonly validity: CredentialValidity; readonly permissions?: Permissions };

/** A user of the broker: a token with its permissions, and the seed of the key that proves its ownership. */
export type HubUser = { readonly token: string; readonly seed: Uint8Array };

const createUser = (account: HubKey, { name, validity, permissions }: NewUser): HubUser => {
  const key = nkeys.createUser();
  const nats = {
    type: 'user',
    subs: -1,
    data: -1,
    payload: -1,
    ...(permissions && { pub: { allow: permissions.publish }, sub: { allow: permissions.subscribe } }),
  } as const;
  const token = createHubToken(account, { name, subject: key.getPublicKey(), ...validity, nats });
  return { token, seed: key.getSeed() };
};

/** Creates the user of the service for one connection. It does not expire, because token and key never leave the process. */
export const createPublisherUser = (keys: HubKeys, now: Date): HubUser =>
  createUser(keys.events, { name: 'flightdata', validity: { issuedAt: now } });

/**
 * Permissions of a consumer: read its state, request messages, acknowledge them and receive responses. It cannot create or delete anything, or reach
 * a subject of the stream.
 */
const readerPermissions = (stream: string, { consumer, inbox }: ConsumerNames): Permissions => ({
  publish: [
    `${HUB_API_PREFIX}.CONSUMER.INFO.${stream}.${consumer}`,
    `${HUB_API_PREFIX}.CONSUMER.MSG.NEXT.${stream}.${consumer}`,
    `$JS.ACK.${stream}.${consumer}.>`,
  ],
  subscribe: [`${inbox}.>`],
});

type NewReader = { readonly stream: string; readonly names: ConsumerNames; readonly validity: CredentialValidity };

/** Creates the credentials of a consumer as a file that broker clients read. They are new at each call and not stored. */
export const createReaderCredentials = ({ readers }: HubKeys, { stream, names, validity }: NewReader): string => {
  const { token, seed } = createUser(readers, {
    name: names.consumer,
    validity,
    permissions: readerPermissions(stream, names),
  });
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
