/** One line of the file. `text` holds one character for each byte, so its length is the length in bytes. */
export type TextLine = {
  readonly number: number;
  readonly text: string;
  /** False for a last line that no line end follows: the file may have been cut there. */
  readonly isTerminated: boolean;
};

/** A record has 200 bytes. A line far beyond that is not kept whole, so that a file without line ends cannot fill the memory. */
const MAX_LINE_LENGTH = 4096;

const withoutReturn = (text: string): string => (text.endsWith('\r') ? text.slice(0, -1) : text);

/**
 * The lines of a file, LF or CRLF, in batches of one chunk each. Lines longer than 4,096 bytes come cut to some length above that.
 * `onBytes` is told the running total of bytes after each chunk.
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
