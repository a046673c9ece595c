/** What a terminal does not show, or obeys: controls, marks that turn the direction of text, separators of lines, and lone surrogates. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const toHex = (unit: string): string => unit.charCodeAt(0).toString(16);

/** Replaces each UTF-16 unit of what a terminal does not show. */
const escapeUnseen = (text: string, escape: (hex: string) => string): string =>
  text.replaceAll(unseen, (character) =>
    character
      .split('')
      .map((unit) => escape(toHex(unit)))
      .join(''),
  );

/** Escapes control and invisible characters as `\x1b` or `\u202e`, so that text of others cannot control or mislead the terminal of the operator. */
export const escapeControls = (text: string): string =>
  escapeUnseen(text, (hex) => (hex.length > 2 ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`));

/** Escapes, in a line of JSON, what `JSON.stringify` leaves as it is. */
export const escapeJsonLine = (json: string): string => escapeUnseen(json, (hex) => `\\u${hex.padStart(4, '0')}`);
