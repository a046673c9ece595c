import { decodeQueryText } from './query-text.ts';

/** Masks the API keys in a text about one request. */
export type MaskKeys = (text: string) => string;

const MASK = '***';

/** Length of a generated key, hexadecimal digits. */
const KEY_DIGITS = 32;
/** Longer runs contain no key but are one of another kind: the keys of flights and schedules, which are no secrets, have this length. */
const HASH_DIGITS = 64;

/** A run of at least as many hexadecimal digits as a key has, each of which can be percent-encoded. It starts at no digit of an escape. */
const keyForm = /(?<!%[0-9a-f]?)(?:[0-9a-f]|%3\d|%[46][1-6]){32,}/gi;

const countDigits = (run: string): number => run.length - 2 * (run.split('%').length - 1);

/** Masks what has the form of a generated key: 32 to 63 hexadecimal digits in a row. */
export const maskKeyForms: MaskKeys = (text) =>
  text.length < KEY_DIGITS ? text : text.replaceAll(keyForm, (run) => (countDigits(run) < HASH_DIGITS ? MASK : run));

/** Whether a text is a key of the generated form. */
export const isKeyForm = (text: string): boolean => text.length === KEY_DIGITS && maskKeyForms(text) === MASK;

/** Returns the first characters of a text from a client, for a message; a key that the limit would cut is masked before. */
export const shortenInput = (text: string, limit = 64): string => maskKeyForms(text).slice(0, limit);

/** Shorter texts are not masked: they would hide words of the log. */
const MIN_KEY_CHARACTERS = 8;

export type KeyMaskOptions = {
  /** The key that the request presents, valid or not; null when there is none. */
  readonly ownKey: string | null;
  /** Whether a text is a key that this process knows. */
  readonly isKnown: (text: string) => boolean;
};

/**
 * Returns a function that masks API keys in texts about a request for `target` (path and query): what has the form of a generated key, the
 * key that the request presents, and known keys among the segments of the path, the names of parameters, their values and the items of these.
 */
export const createKeyMask = (target: string, { ownKey, isKnown }: KeyMaskOptions): MaskKeys => {
  const keys = ownKey !== null && ownKey.length >= MIN_KEY_CHARACTERS ? [ownKey] : [];
  for (const piece of target.split(/[/?&=,]/)) {
    if (piece.length < MIN_KEY_CHARACTERS) continue;
    const value = decodeQueryText(piece).trim();
    if (value === ownKey ? value !== piece : isKnown(value)) keys.push(piece, value);
  }
  if (keys.length === 0) return maskKeyForms;
  return (text) => keys.reduce((masked, key) => masked.replaceAll(key, MASK), maskKeyForms(text));
};
