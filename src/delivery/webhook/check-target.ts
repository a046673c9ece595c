import { AddressRefusedError, checkedAddresses } from './checked-lookup.ts';
import { readTarget, type TargetRefusal } from './read-target.ts';
import type { TargetGuard } from './target-guard.ts';

/**
 * Why events may not be sent to a URL, or undefined when they may: for whoever registers or changes a receiver. It says nothing of
 * later, when the name can lead elsewhere; sending checks again.
 */
export const checkTarget = async (url: string, guard: TargetGuard): Promise<TargetRefusal | undefined> => {
  const read = readTarget(url, guard);
  if ('refusal' in read) return read.refusal;
  if (read.target.isLiteral) return undefined;
  const unresolved: TargetRefusal = { reason: 'unresolved', message: `'${read.target.host}' has no address` };
  try {
    const addresses = await checkedAddresses(read.target, guard);
    return addresses.length > 0 ? undefined : unresolved;
  } catch (error) {
    return error instanceof AddressRefusedError ? { reason: 'address', message: error.message } : unresolved;
  }
};
