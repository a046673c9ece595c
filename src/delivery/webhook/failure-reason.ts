import { AddressRefusedError } from './checked-lookup.ts';
import type { FailureReason } from './outcome.ts';

/** An attempt was cut off by us; `reason` says which limit was passed. */
export class CutOffError extends Error {
  override readonly name = 'CutOffError';
  readonly reason: FailureReason;

  constructor(reason: FailureReason) {
    super(reason);
    this.reason = reason;
  }
}

/** Error codes of Node, of its resolver, of OpenSSL and of the HTTP parser. */
const reasons: ReadonlyMap<string, FailureReason> = new Map([
  ['ENOTFOUND', 'name-unknown'],
  ['ENODATA', 'name-unknown'],
  ['EAI_AGAIN', 'name-unknown'],
  ['EAI_FAIL', 'name-unknown'],
  ['ECONNREFUSED', 'connect-refused'],
  ['ETIMEDOUT', 'connect-timeout'],
  ['EHOSTUNREACH', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['EADDRNOTAVAIL', 'unreachable'],
  ['ECONNRESET', 'connection-reset'],
  ['EPIPE', 'connection-reset'],
  ['CERT_HAS_EXPIRED', 'tls-expired'],
  ['CERT_NOT_YET_VALID', 'tls-expired'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls-self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls-self-signed'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls-untrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'tls-untrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls-untrusted'],
  ['CERT_UNTRUSTED', 'tls-untrusted'],
  ['CERT_REJECTED', 'tls-untrusted'],
  ['CERT_REVOKED', 'tls-untrusted'],
  ['CERT_SIGNATURE_FAILURE', 'tls-untrusted'],
  ['INVALID_CA', 'tls-untrusted'],
  ['INVALID_PURPOSE', 'tls-untrusted'],
  ['PATH_LENGTH_EXCEEDED', 'tls-untrusted'],
  ['CA_MD_TOO_WEAK', 'tls-untrusted'],
  ['EE_KEY_TOO_SMALL', 'tls-untrusted'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls-wrong-host'],
  ['EPROTO', 'tls-protocol'],
  ['HPE_HEADER_OVERFLOW', 'answer-headers-too-large'],
]);

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '');

/** Why an attempt failed, from the error that ended it; `isHandshaking` while a secure connection is being agreed on. */
export const failureReason = (error: Error, isHandshaking: boolean): FailureReason => {
  if (error instanceof CutOffError) return error.reason;
  if (error instanceof AddressRefusedError) return 'address-refused';
  const code = codeOf(error);
  const reason = reasons.get(code);
  if (isHandshaking && reason === 'connection-reset') return 'tls-handshake-broken';
  if (reason) return reason;
  if (code.startsWith('ERR_SSL_')) return 'tls-protocol';
  return code.startsWith('HPE_') ? 'answer-not-http' : 'connection-failed';
};
