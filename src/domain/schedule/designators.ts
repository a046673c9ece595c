import type { Designator } from './schedule.ts';

/** Of a flight under its designators the operating one; the first where none of them is. */
export const findOperating = <Instance extends { readonly isMarketing: boolean }>(
  instances: readonly Instance[],
): Instance | undefined => instances.find(({ isMarketing }) => !isMarketing) ?? instances[0];

const referencePattern = /^((?=.*[A-Z])[A-Z0-9]{2}[A-Z0-9 ])((?=.*[1-9]) *\d+)([A-Z ])$/;

/**
 * Reads the flights that a duplicate leg reference lists (SSIM data elements 10 and 50): airline in 3 characters, number in 4, suffix in 1,
 * joined by `/`, e.g. `BA 0117 /IB 4217 `. Trailing blanks of an item may be missing. Undefined when any item cannot be read, or none is there.
 */
export const parseFlightReferences = (text: string): readonly Designator[] | undefined => {
  const found: Designator[] = [];
  for (const part of text.trimEnd().replace(/\/$/, '').split('/')) {
    const match = referencePattern.exec(part.slice(0, 8).padEnd(8));
    const [, carrier = '', flightNumber = '', suffix = ''] = match ?? [];
    if (match === null || flightNumber.length !== 4 || part.slice(8).trim() !== '') return undefined;
    found.push({ carrier: carrier.trimEnd(), flightNumber: Number(flightNumber), suffix: suffix.trimEnd() });
  }
  return found;
};

/** One text for each designator. */
export const toDesignatorKey = ({ carrier, flightNumber, suffix }: Designator): string =>
  `${carrier}/${flightNumber}${suffix}`;
