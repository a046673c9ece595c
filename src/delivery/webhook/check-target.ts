import type { LookupFunction } from 'node:net';
import { findBlockedRange } from './blocked-addresses.ts';
import type { ResolvedAddress } from './name-resolver.ts';
import { parseTarget, type Target, type TargetError } from './parse-target.ts';
import type { TargetGuard } from './target-guard.ts';

/** A host name resolves to a blocked address. The address is not reported: it would map the internal network. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
}

/** Resolves the host name of a target. One blocked address blocks the whole name: no public host has a private address as well. */
const resolveAllowed = async (target: Target, guard: TargetGuard): Promise<readonly ResolvedAddress[]> => {
  const addresses = await guard.resolve(target.host);
  if (guard.allowsName(target.host)) return addresses;
  const isAllowed = ({ address }: ResolvedAddress): boolean =>
    guard.allowsAddress(address) || (!target.mustBeAllowed && findBlockedRange(address) === undefined);
  if (!addresses.every(isAllowed))
    throw new BlockedAddressError(`'${target.host}' leads to an address that is not public`);
  return addresses;
};

/**
 * Creates the DNS lookup of a socket. It returns the checked addresses, so that the name cannot change between check and connection (DNS rebinding).
 * Not called for literal addresses, which `parseTarget` checks.
 */
export const createGuardedLookup =
  (target: Target, guard: TargetGuard): LookupFunction =>
  (_host, options, callback) => {
    // The callback runs outside the promise, which would swallow an error thrown by the socket.
    const failed = (error: Error): void => void setImmediate(callback, error, '');
    resolveAllowed(target, guard).then((addresses) => {
      const [first] = addresses;
      if (!first) failed(Object.assign(new Error(`'${target.host}' has no address`), { code: 'ENOTFOUND' }));
      else if (options.all) setImmediate(callback, null, [...addresses]);
      else setImmediate(callback, null, first.address, first.family);
    }, failed);
  };

/**
 * Returns why events may not be sent to a URL, or undefined when they may; used when a receiver is registered or changed. The name can resolve
 * differently later, so that sending checks again.
 */
export const checkTarget = async (url: string, guard: TargetGuard): Promise<TargetError | undefined> => {
  const parsed = parseTarget(url, guard);
  if ('error' in parsed) return parsed.error;
  if (parsed.target.isLiteral) return undefined;
  const unresolved: TargetError = { reason: 'unresolved', message: `'${parsed.target.host}' has no address` };
  try {
    const addresses = await resolveAllowed(parsed.target, guard);
    return addresses.length > 0 ? undefined : unresolved;
  } catch (error) {
    return error instanceof BlockedAddressError ? { reason: 'address', message: error.message } : unresolved;
  }
};
