import type { Designator } from './schedule.ts';

const referencePattern = /^((?=.*[A-Z])[A-Z0-9]{2}[A-Z0-9 ])((?=.*[1-9]) *\d+)([A-Z ])$/;

/**
 * Parses the flights of a duplicate leg reference (SSIM data elements 10 and 50): airline in 3 characters, number in 4, suffix in 1, separated by
 * `/`, e.g. `BA 0117 /IB 4217 `. Trailing blanks of an item may be missing. Undefined when an item is invalid, or there is none.
 */
export const parseFlightReferences = (text: string): readonly Designator[] | undefined => {
  const designators: Designator[] = [];
  for (const part of text.trimEnd().replace(/\/$/, '').split('/')) {
    const match = referencePattern.exec(part.slice(0, 8).padEnd(8));
    const [, carrier = '', flightNumber = '', suffix = ''] = match ?? [];
    if (match === null || flightNumber.length !== 4 || part.slice(8).trim() !== '') return undefined;
    designators.push({ carrier: carrier.trimEnd(), flightNumber: Number(flightNumber), suffix: suffix.trimEnd() });
  }
  return designators;
};

/** Returns a unique text for a designator. */
export const toDesignatorKey = ({ carrier, flightNumber, suffix }: Designator): string =>
  `${carrier}/${flightNumber}${suffix}`;

/** Returns the operating instance of a flight among its designators; the first when none operates. */
export const findOperating = <Instance extends { readonly isMarketing: boolean }>(
  instances: readonly Instance[],
): Instance | undefined => instances.find(({ isMarketing }) => !isMarketing) ?? instances[0];
