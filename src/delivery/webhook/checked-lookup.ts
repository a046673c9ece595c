import type { LookupFunction } from 'node:net';
import { whyBlocked } from './blocked-addresses.ts';
import type { Target } from './read-target.ts';
import type { ResolvedAddress } from './resolve-name.ts';
import type { TargetGuard } from './target-guard.ts';

/** A name has an address to which nothing may be sent; which one is not told, since it would map a network to outsiders. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
}

/**
 * The addresses of the name of a target, when events may be sent to every one of them. One that is blocked condemns the name:
 * nothing public has such an address beside its own.
 */
export const checkedAddresses = async (target: Target, guard: TargetGuard): Promise<readonly ResolvedAddress[]> => {
  const found = await guard.resolve(target.host);
  if (guard.allowsName(target.host)) return found;
  const isFit = ({ address }: ResolvedAddress): boolean =>
    guard.allowsAddress(address) || (!target.mustBeAllowed && whyBlocked(address) === undefined);
  if (!found.every(isFit)) throw new AddressRefusedError(`'${target.host}' leads to an address that is not public`);
  return found;
};

/**
 * Looks up what a socket connects to. The addresses that were checked are the ones that are handed over, so that a name cannot
 * mean something else between the check and the connection. Not asked for literal addresses: `readTarget` settles these.
 */
export const checkedLookup =
  (target: Target, guard: TargetGuard): LookupFunction =>
  (_host, options, callback) => {
    // Called back outside the promise, in which an error thrown by the socket would be lost.
    const failed = (error: Error): void => void setImmediate(callback, error, '');
    checkedAddresses(target, guard).then((addresses) => {
      const [first] = addresses;
      if (!first) failed(Object.assign(new Error(`'${target.host}' has no address`), { code: 'ENOTFOUND' }));
      else if (options.all) setImmediate(callback, null, [...addresses]);
      else setImmediate(callback, null, first.address, first.family);
    }, failed);
  };
