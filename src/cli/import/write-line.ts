/** Writes one line of JSON to standard output; waits while its buffer is full. */
export const writeLine = async (value: object): Promise<void> => {
  if (!process.stdout.write(`${JSON.stringify(value)}\n`))
    await new Promise<void>((resolve) => process.stdout.once('drain', resolve));
};
