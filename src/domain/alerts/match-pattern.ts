import { type AlertFilters, getFlightNumberRange } from './alert.ts';

/**
 * The codes that an alert can ask for. Flight numbers are asked for by blocks, beside these. Dates are left to the rows of a
 * bucket: few alerts differ by nothing else, and each kind of value more is a place more for every event to look into.
 */
const codes = ['iataCarrierCode', 'icaoCarrierCode', 'departureAirport', 'arrivalAirport'] as const;

/** Numbers are below 2 to the 14th: one block of that size holds all, so it asks for nothing. */
const ALL_NUMBERS = 14;
const MOST_BLOCKS = 4;

/**
 * The kinds of value that an alert asks for: `asks` are places in the list of codes, `blockBits` is the size of the blocks of
 * flight numbers as a power of two, from 0 (single numbers) to 14 (no number asked for).
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

/** Hashes of the codes, in the order of the list above. */
export const computeHashes = (values: Pick<AlertFilters, (typeof codes)[number]>): readonly number[] => [
  hashText(values.iataCarrierCode),
  hashText(values.icaoCarrierCode),
  hashText(values.departureAirport),
  hashText(values.arrivalAirport),
];

/** The bucket that a pattern has for these values; a hash of 32 bits, so that unlike values may meet in one. */
export const computeBucketHash = (
  { codeIndexes, blockBits, seed }: MatchPattern,
  hashes: readonly number[],
  flightNumber: number,
): number => {
  let hash = mix(seed, flightNumber >> blockBits);
  for (const index of codeIndexes) hash = mix(hash, hashes[index] ?? 0);
  return hash;
};

/** The smallest blocks of which a few hold all the numbers asked for; sizes grow by sixteen, so that patterns stay few. */
const computeBlockBits = (from: number, to: number): number => {
  if (from <= 0 && to >= 9999) return ALL_NUMBERS;
  let bits = 0;
  while ((to >> bits) - (from >> bits) >= MOST_BLOCKS) bits += 4;
  return bits;
};

/** The pattern of an alert and the buckets in which an event must look to find it; none where it asks for no number at all. */
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
