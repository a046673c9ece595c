import { createKeyPair, createSecret, getPublicKey } from '#delivery/webhook/signatures.ts';
import { Problem } from '#http/response/problem.ts';
import type { RequestVariables } from '#http/context/env.ts';
import type { PushEndpoint } from '#store/deliveries/endpoints.ts';
import { getEndpoint, type EndpointAccess } from './find-endpoint.ts';
import { toSigning, listActiveKeys } from './to-endpoint.ts';

/** Identifies a created key: the idempotency store keeps this and not the response, so that the secret is stored once. */
export type CreatedKey = { readonly endpointId: string; readonly keyNumber: number };

/** The part of a signing key with which the receiver verifies signatures. */
export type ReceiverKey = {
  readonly endpointId: string;
  readonly signing: 'hmac-sha256' | 'ed25519';
  readonly secret: string | null;
  readonly publicKey: string | null;
};

/** Creates an HMAC secret or an Ed25519 private key. */
export const createSigningKey = (signing: PushEndpoint['signing']): string =>
  signing === 'v1' ? createSecret() : createKeyPair().privateKey;

/** Returns the receiver's part of a created key. Throws a Problem if a repeated request names a key that has expired. */
export const getCreatedKey = async (
  access: EndpointAccess,
  variables: RequestVariables,
  { endpointId, keyNumber, now }: CreatedKey & { readonly now: Date },
): Promise<ReceiverKey> => {
  const endpoint = await getEndpoint(access, variables, endpointId);
  const created = listActiveKeys(endpoint, now).find(({ number }) => number === keyNumber);
  if (!created) throw new Problem('not-found', 'The secret or key that this request created no longer signs.');
  const publicKey = getPublicKey(created.key) ?? null;
  return {
    endpointId,
    signing: toSigning(endpoint.signing),
    secret: publicKey === null ? created.key : null,
    publicKey,
  };
};
