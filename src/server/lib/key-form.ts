import { unescape } from 'node:querystring';

/** Length of a generated key, hexadecimal digits. */
export const KEY_DIGITS = 32;
/** Longer runs contain no key but are one of another kind: the keys of flights and schedules, which are no secrets, have this length. */
export const HASH_DIGITS = 64;

/** A run of at least as many hexadecimal digits as a key has, each of which can be percent-encoded. It starts at no digit of an escape. */
export const keyForm = /(?<!%[0-9a-f]?)(?:[0-9a-f]|%3\d|%[46][1-6]){32,}/gi;

/** Counts the digits of a run, in which some can be percent-encoded. */
export const countKeyDigits = (run: string): number => run.length - 2 * (run.split('%').length - 1);

/** Returns a table of the ASCII characters that a pattern matches: 1 by character code. */
const tabulate = (pattern: RegExp): Uint8Array =>
  Uint8Array.from({ length: 128 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0));

/** The characters of `keyForm`. */
const isKeyCharacter = tabulate(/[0-9a-f%]/i);

/** Whether a run of these characters is as long as a key: for most texts it is not, and this loop takes a seventh of the time of the pattern. */
export const hasLongRun = (text: string): boolean => {
  let run = 0;
  for (let index = 0; index < text.length; index += 1) {
    run = isKeyCharacter[text.charCodeAt(index)] === 1 ? run + 1 : 0;
    if (run === KEY_DIGITS) return true;
  }
  return false;
};

const secretName = /key|token|secret|pass(?:word|wd|phrase)|auth|credential|signature/i;

/** Whether a text contains a word that names a secret, such as the name of a parameter. It can be percent-encoded; `unescape` never throws. */
export const namesSecret = (text: string): boolean => secretName.test(text.includes('%') ? unescape(text) : text);

/** Whether a URL, or a part of it, can hold a key: by its form, or by a word that names a secret. */
export const canHoldKey = (text: string): boolean =>
  namesSecret(text) ||
  (hasLongRun(text) && text.match(keyForm)?.some((run) => countKeyDigits(run) < HASH_DIGITS) === true);
