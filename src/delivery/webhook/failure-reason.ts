import { BlockedAddressError } from './check-target.ts';
import type { FailureReason } from './delivery-result.ts';

/** An attempt was aborted by a time-out or limit, given by `reason`. */
export class AttemptAbortedError extends Error {
  override readonly name = 'AttemptAbortedError';
  readonly reason: FailureReason;

  constructor(reason: FailureReason) {
    super(reason);
    this.reason = reason;
  }
}

/** Error codes of Node, its resolver, OpenSSL and the HTTP parser. */
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

const getErrorCode = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '');

/** Maps the error that ended an attempt to its reason; `isHandshaking` is true during the TLS handshake. */
export const toFailureReason = (error: Error, isHandshaking: boolean): FailureReason => {
  if (error instanceof AttemptAbortedError) return error.reason;
  if (error instanceof BlockedAddressError) return 'address-refused';
  const code = getErrorCode(error);
  const reason = reasons.get(code);
  if (isHandshaking && reason === 'connection-reset') return 'tls-handshake-broken';
  if (reason) return reason;
  if (code.startsWith('ERR_SSL_')) return 'tls-protocol';
  return code.startsWith('HPE_') ? 'answer-not-http' : 'connection-failed';
};
