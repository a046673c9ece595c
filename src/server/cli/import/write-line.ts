import { escapeJsonLine } from '#lib/escape-controls.ts';

/** Writes one line of JSON to standard output, with invisible characters escaped; waits while its buffer is full. */
export const writeLine = async (value: object): Promise<void> => {
  const line = escapeJsonLine(JSON.stringify(value));
  if (!process.stdout.write(`${line}\n`)) await new Promise<void>((resolve) => process.stdout.once('drain', resolve));
};
