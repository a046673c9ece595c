import { decodeQueryText } from './query-text.ts';
import { memoizeText } from './text-memo.ts';

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

/** Returns a table of the ASCII characters that a pattern matches: 1 by character code. */
const tabulate = (pattern: RegExp): Uint8Array =>
  Uint8Array.from({ length: 128 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0));

/** The characters of `keyForm`. */
const isKeyCharacter = tabulate(/[0-9a-f%]/i);

/** Whether a run of these characters is as long as a key: for most texts it is not, and this loop takes a seventh of the time of the pattern. */
const hasLongRun = (text: string): boolean => {
  let run = 0;
  for (let index = 0; index < text.length; index += 1) {
    run = isKeyCharacter[text.charCodeAt(index)] === 1 ? run + 1 : 0;
    if (run === KEY_DIGITS) return true;
  }
  return false;
};

const canContainKey = memoizeText(hasLongRun);

/** Masks what has the form of a generated key: 32 to 63 hexadecimal digits in a row. */
export const maskKeyForms: MaskKeys = (text) =>
  canContainKey(text) ? text.replaceAll(keyForm, (run) => (countDigits(run) < HASH_DIGITS ? MASK : run)) : text;

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

/** Returns what of a target could be a key: as written, and decoded. */
const listPieces = memoizeText((target: string): readonly (readonly [piece: string, value: string])[] =>
  target
    .split(separators)
    .filter((piece) => piece.length >= MIN_KEY_CHARACTERS)
    .map((piece) => [piece, decodeQueryText(piece).trim()]),
);

/**
 * Returns a function that masks API keys in texts about a request for `target` (a URL, or its path and query): what has the form of a generated key, the
 * key that the request presents, and known keys among the segments of the path, the names of parameters, their values and the items of these.
 */
export const createKeyMask = (target: string, { ownKey, isKnown }: KeyMaskOptions): MaskKeys => {
  const keys = ownKey !== null && ownKey.length >= MIN_KEY_CHARACTERS ? [ownKey] : [];
  for (const [piece, value] of listPieces(target)) {
    if (value === ownKey ? value !== piece : isKnown(value)) keys.push(piece, value);
  }
  if (keys.length === 0) return maskKeyForms;
  return (text) => keys.reduce((masked, key) => masked.replaceAll(key, MASK), maskKeyForms(text));
};
