/** Bytes of an answer that are kept until its text is made, and characters that the text has at most. */
export const KEPT_BYTES = 4096;
export const TEXT_LENGTH = 512;

/** What is known of the bytes of an answer. */
export type Told = {
  /** Values that the text must not repeat. */
  readonly secrets: readonly string[];
  /** Whether the bytes are all of the answer. */
  readonly isWhole: boolean;
};

/** A value as it stands in a text that repeats it, plainly or within JSON. */
const spellings = (secret: string): readonly string[] => [secret, JSON.stringify(secret).slice(1, -1)];

/**
 * The beginning of an answer as one line without characters that act on a terminal or break a log. A receiver may send back
 * what it got: wherever it repeats a secret, three asterisks stand instead, and where an answer breaks off, as much is left out as
 * could be a part of one.
 */
export const answerText = (bytes: Buffer, { secrets, isWhole }: Told): string => {
  const kept = bytes.subarray(0, KEPT_BYTES).toString();
  const hidden = secrets.flatMap(spellings).toSorted((a, b) => b.length - a.length);
  const told = hidden.reduce((text, secret) => text.replaceAll(secret, '***'), kept);
  const partLength = isWhole && bytes.length <= KEPT_BYTES ? 0 : Math.max(0, (hidden[0]?.length ?? 0) - 1);
  const line = told.slice(0, told.length - partLength).replaceAll(/[\p{C}\p{Z}\ufffd]+/gu, ' ');
  // By code point, so that no character is cut in two.
  return Array.from(line.trim()).slice(0, TEXT_LENGTH).join('');
};
