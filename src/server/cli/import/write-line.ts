/** Writes one line of JSON to standard output; waits while its buffer is full. JSON escapes all control characters but those from 0x7f on. */
export const writeLine = async (value: object): Promise<void> => {
  const line = JSON.stringify(value).replaceAll(
    /\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  if (!process.stdout.write(`${line}\n`)) await new Promise<void>((resolve) => process.stdout.once('drain', resolve));
};
