import { newKeyPair, newSecret, publicKeyOf } from '../../../../delivery/webhook/signing-keys.ts';
import { Problem } from '../../../../http/response/problem.ts';
import type { RequestContext } from '../../../../http/router/request-context.ts';
import type { Sql } from '../../../../store/pool/database.ts';
import type { PushEndpoint } from '../../../../store/deliveries/push-endpoints.ts';
import { foundEndpoint } from './find-endpoint.ts';
import { showSigning, signingKeys } from './to-endpoint.ts';

/** A key that a request has made: what is kept of its answer, so that the secret has no second place. */
export type MadeKey = { readonly endpointId: string; readonly keyNumber: number };

/** What the receiver verifies with. */
export type ShownKey = {
  readonly endpointId: string;
  readonly signing: 'hmac-sha256' | 'ed25519';
  readonly secret: string | null;
  readonly publicKey: string | null;
};

/** A new secret, or a new private key. */
export const newKey = (signing: PushEndpoint['signing']): string =>
  signing === 'v1' ? newSecret() : newKeyPair().privateKey;

/** The part of a key that is its receiver's. Throws the Problem that a request came again when its key did not sign any more. */
export const showMadeKey = async (
  sql: Sql,
  context: RequestContext,
  { endpointId, keyNumber, now }: MadeKey & { readonly now: Date },
): Promise<ShownKey> => {
  const endpoint = await foundEndpoint(sql, context, endpointId);
  const made = signingKeys(endpoint, now).find(({ number }) => number === keyNumber);
  if (!made) throw new Problem('not-found', 'What this request has made signs no more.');
  const publicKey = publicKeyOf(made.key) ?? null;
  return {
    endpointId,
    signing: showSigning(endpoint.signing),
    secret: publicKey === null ? made.key : null,
    publicKey,
  };
};
