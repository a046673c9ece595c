/** Bytes of a response body that are used for its text, and the maximum length of the text. */
export const MAX_TEXT_BYTES = 4096;
export const TEXT_LENGTH = 512;

/** Options of `toResponseText`. */
export type ResponseTextOptions = {
  /** Values that the text must not contain. */
  readonly secrets: readonly string[];
  /** Whether the bytes are the complete response. */
  readonly isComplete: boolean;
};

/** The forms in which a text can contain a value: plain or within JSON. */
const listSpellings = (secret: string): readonly string[] => [secret, JSON.stringify(secret).slice(1, -1)];

/**
 * Returns the beginning of a response as one line without control characters. Receivers may echo the request: secrets are replaced by three
 * asterisks, and where the response was cut off, as many characters are dropped as could be part of a secret.
 */
export const toResponseText = (bytes: Buffer, { secrets, isComplete }: ResponseTextOptions): string => {
  const text = bytes.subarray(0, MAX_TEXT_BYTES).toString();
  const forms = secrets.flatMap(listSpellings).toSorted((a, b) => b.length - a.length);
  const redacted = forms.reduce((before, secret) => before.replaceAll(secret, '***'), text);
  const partLength = isComplete && bytes.length <= MAX_TEXT_BYTES ? 0 : Math.max(0, (forms[0]?.length ?? 0) - 1);
  const line = redacted.slice(0, redacted.length - partLength).replaceAll(/[\p{C}\p{Z}\ufffd]+/gu, ' ');
  // By code point, so that no character is cut in two.
  return Array.from(line.trim()).slice(0, TEXT_LENGTH).join('');
};
