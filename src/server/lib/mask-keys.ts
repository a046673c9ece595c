import { decodeQueryText } from './query-text.ts';
import { countKeyDigits, HASH_DIGITS, hasLongRun, KEY_DIGITS, keyForm } from './key-form.ts';
import { memoizeText } from './text-memo.ts';

/** Masks the API keys in a text about one request. */
export type MaskKeys = (text: string) => string;

const MASK = '***';

const canContainKey = memoizeText(hasLongRun);

/** Masks what has the form of a generated key: 32 to 63 hexadecimal digits in a row. */
export const maskKeyForms: MaskKeys = (text) =>
  canContainKey(text) ? text.replaceAll(keyForm, (run) => (countKeyDigits(run) < HASH_DIGITS ? MASK : run)) : text;

/** Whether a text is a key of the generated form. */
export const isKeyForm = (text: string): boolean => text.length === KEY_DIGITS && maskKeyForms(text) === MASK;

/** Returns the first characters of a text from a client, for a message; a key that the limit would cut is masked before. */
export const shortenInput = (text: string, limit = 64): string => maskKeyForms(text).slice(0, limit);

/** Between the segments of a path, and the names, values and items of a query. */
const separators = /[/?&=,]/;

/** Shorter texts are not masked: they would hide words of the log. */
const MIN_KEY_CHARACTERS = 8;

export type KeyMaskOptions = {
  /** The key that the request presents, valid or not; null when there is none. */
  readonly ownKey: string | null;
  /** Whether a text is a key that this process knows. */
  readonly isKnown: (text: string) => boolean;
};

/** What of a URL could be a key: as written, and decoded. */
export type KeyCandidate = readonly [piece: string, value: string];

/** Lists the segments of the path of a URL, the names of its parameters, their values and the items of these, as far as they could be keys. */
export const listKeyCandidates = (url: string): readonly KeyCandidate[] =>
  url
    .split(separators)
    .filter((piece) => piece.length >= MIN_KEY_CHARACTERS)
    .map((piece) => [piece, decodeQueryText(piece).trim()]);

/**
 * Returns a function that masks API keys in texts about a request: what has the form of a generated key, the key that the request presents, and
 * known keys among the candidates of its URL.
 */
export const createKeyMask = (candidates: readonly KeyCandidate[], { ownKey, isKnown }: KeyMaskOptions): MaskKeys => {
  const keys = ownKey !== null && ownKey.length >= MIN_KEY_CHARACTERS ? [ownKey] : [];
  for (const [piece, value] of candidates) {
    if (value === ownKey ? value !== piece : isKnown(value)) keys.push(piece, value);
  }
  if (keys.length === 0) return maskKeyForms;
  return (text) => keys.reduce((masked, key) => masked.replaceAll(key, MASK), maskKeyForms(text));
};
