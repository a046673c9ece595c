import { newKeyPair, newSecret, publicKeyOf } from '../../../../delivery/webhook/signing-keys.ts';
import { Problem } from '../../../../http/response/problem.ts';
import type { RequestContext } from '../../../../http/request/request-context.ts';
import type { Sql } from '../../../../store/pool/database.ts';
import type { PushEndpoint } from '../../../../store/deliveries/endpoints.ts';
import { getEndpoint } from './find-endpoint.ts';
import { toSigning, listActiveKeys } from './to-endpoint.ts';

/** A key that a request has made: what is kept of its answer, so that the secret has no second place. */
export type CreatedKey = { readonly endpointId: string; readonly keyNumber: number };

/** What the receiver verifies with. */
export type ReceiverKey = {
  readonly endpointId: string;
  readonly signing: 'hmac-sha256' | 'ed25519';
  readonly secret: string | null;
  readonly publicKey: string | null;
};

/** A new secret, or a new private key. */
export const createSigningKey = (signing: PushEndpoint['signing']): string =>
  signing === 'v1' ? newSecret() : newKeyPair().privateKey;

/** The part of a key that is its receiver's. Throws the Problem that a request came again when its key did not sign any more. */
export const getCreatedKey = async (
  sql: Sql,
  context: RequestContext,
  { endpointId, keyNumber, now }: CreatedKey & { readonly now: Date },
): Promise<ReceiverKey> => {
  const endpoint = await getEndpoint(sql, context, endpointId);
  const made = listActiveKeys(endpoint, now).find(({ number }) => number === keyNumber);
  if (!made) throw new Problem('not-found', 'What this request has made signs no more.');
  const publicKey = publicKeyOf(made.key) ?? null;
  return {
    endpointId,
    signing: toSigning(endpoint.signing),
    secret: publicKey === null ? made.key : null,
    publicKey,
  };
};
