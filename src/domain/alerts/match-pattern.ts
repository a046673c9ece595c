import { type AlertFilters, getFlightNumberRange } from './alert.ts';

/**
 * The codes that buckets are built from; flight numbers are added in blocks. Dates are checked by rows: few alerts differ only in dates, and each
 * further kind of value multiplies the lookups of an event.
 */
const codes = ['iataCarrierCode', 'icaoCarrierCode', 'departureAirport', 'arrivalAirport'] as const;

/** Flight numbers are below 2^14: one block of that size contains all and does not filter. */
const ALL_NUMBERS = 14;
const MAX_BLOCKS = 4;

/**
 * The kinds of value that an alert requires: `codeIndexes` into the list of codes, and `blockBits`, the size of flight number blocks as a power of
 * two, from 0 (single numbers) to 14 (any number).
 */
export type MatchPattern = {
  readonly codeIndexes: readonly number[];
  readonly blockBits: number;
  readonly seed: number;
};

const mix = (hash: number, value: number): number => {
  const mixed = Math.imul(hash ^ value, 0x9e37_79b1);
  return mixed ^ (mixed >>> 15);
};

const hashText = (text: string): number => {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (hash << 7) ^ (hash >>> 25) ^ text.charCodeAt(at);
  return hash;
};

/** Computes the hashes of the codes, in the order of the list above. */
export const computeHashes = (values: Pick<AlertFilters, (typeof codes)[number]>): readonly number[] => [
  hashText(values.iataCarrierCode),
  hashText(values.icaoCarrierCode),
  hashText(values.departureAirport),
  hashText(values.arrivalAirport),
];

/** Computes the bucket hash of a pattern for these values; 32 bits, so that different values can collide. */
export const computeBucketHash = (
  { codeIndexes, blockBits, seed }: MatchPattern,
  hashes: readonly number[],
  flightNumber: number,
): number => {
  let hash = mix(seed, flightNumber >> blockBits);
  for (const index of codeIndexes) hash = mix(hash, hashes[index] ?? 0);
  return hash;
};

/** The smallest blocks of which a few cover the range; sizes grow by a factor of 16 to keep patterns few. */
const computeBlockBits = (from: number, to: number): number => {
  if (from <= 0 && to >= 9999) return ALL_NUMBERS;
  let bits = 0;
  while ((to >> bits) - (from >> bits) >= MAX_BLOCKS) bits += 4;
  return bits;
};

/** Computes the pattern of an alert and its bucket hashes; none for an empty range of flight numbers. */
export const computePattern = (
  filters: AlertFilters,
): { readonly pattern: MatchPattern; readonly buckets: readonly number[] } => {
  const { from, to } = getFlightNumberRange(filters);
  const blockBits = computeBlockBits(from, to);
  const codeIndexes = codes.flatMap((name, index) => (filters[name] === '' ? [] : [index]));
  const seed = codeIndexes.reduce((bits, index) => bits | (1 << index), blockBits << codes.length);
  const pattern = { codeIndexes, blockBits, seed };
  const hashes = computeHashes(filters);
  const blocks = Math.max(0, (to >> blockBits) - (from >> blockBits) + 1);
  const numbers = Array.from({ length: from > to ? 0 : blocks }, (_, block) => from + (block << blockBits));
  return { pattern, buckets: numbers.map((number) => computeBucketHash(pattern, hashes, number)) };
};
