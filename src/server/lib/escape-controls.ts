/** Escapes control characters as `\x1b`, so that text of a telegram or the name of a file cannot control the terminal of the operator. */
export const escapeControls = (text: string): string =>
  text.replaceAll(/\p{Cc}/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
