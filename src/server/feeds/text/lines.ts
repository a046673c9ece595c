/** One line of a file. `text` has one character (latin1) for each byte, so its length is the length in bytes. */
export type TextLine = {
  readonly number: number;
  readonly text: string;
  /** False for a last line without a line end: the file may have been cut there. */
  readonly isTerminated: boolean;
};

/** Longest line kept whole, far more than a record of 200 bytes: a file without line ends must not fill the memory. */
const MAX_LINE_LENGTH = 4096;

const withoutReturn = (text: string): string => (text.endsWith('\r') ? text.slice(0, -1) : text);

/**
 * Reads the lines of a file, LF or CRLF, in one batch for each chunk. Lines longer than 4,096 bytes are cut to some length above
 * that. `onBytes` is called with the total number of bytes after each chunk.
 */
export async function* readLineBatches(
  bytes: AsyncIterable<Uint8Array>,
  onBytes?: (total: number) => void,
): AsyncGenerator<readonly TextLine[]> {
  let rest = '';
  let number = 0;
  let total = 0;
  for await (const chunk of bytes) {
    total += chunk.byteLength;
    const text = rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
    const batch: TextLine[] = [];
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      number += 1;
      batch.push({ number, text: withoutReturn(text.slice(start, end)), isTerminated: true });
      start = end + 1;
    }
    rest = text.slice(start, start + MAX_LINE_LENGTH);
    onBytes?.(total);
    yield batch;
  }
  if (rest !== '') yield [{ number: number + 1, text: withoutReturn(rest), isTerminated: false }];
}
