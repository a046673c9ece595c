/** One line of a feed: its number, 1-based, blank lines counted, and its bytes without the line end. */
export type StatusLine = { readonly line: number; readonly text: Buffer };

/** Bytes a message may have. Real ones have a few hundred. */
export const MAX_LINE_BYTES = 65_536;

const LF = 10;
const CR = 13;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** What is kept of a line: enough to be seen as too long even after a byte order mark and a carriage return have been taken off. */
const MAX_KEPT_BYTES = MAX_LINE_BYTES + byteOrderMark.length + 2;

const isBlank = (text: Buffer): boolean => text.every((byte) => byte === 32 || byte === 9 || byte === CR);

/** Without a carriage return, and on the first line without the byte order mark that some editors put there. */
const trimLine = (text: Buffer, line: number): Buffer => {
  const from = line === 1 && text.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0;
  return text.subarray(from, text.at(-1) === CR ? -1 : undefined);
};

/**
 * The lines of a feed that are not blank, LF or CRLF; the last one may lack its end. However long a line is, not much more than
 * 64 kB of it are kept: it comes cut, but longer than `longestLine`, so that the reader of messages refuses it.
 */
export async function* readStatusLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<StatusLine> {
  // The beginning of a line whose end is in a chunk to come. Appending in place keeps a line that comes byte by byte from being copied each time.
  const begun = Buffer.allocUnsafe(MAX_KEPT_BYTES);
  let size = 0;
  let line = 0;
  for await (const chunk of bytes) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = buffer.indexOf(LF); end !== -1; end = buffer.indexOf(LF, start)) {
      line += 1;
      if (size > 0) size += buffer.copy(begun, size, start, end);
      const whole =
        size > 0 ? Buffer.from(begun.subarray(0, size)) : buffer.subarray(start, Math.min(end, start + MAX_KEPT_BYTES));
      const text = trimLine(whole, line);
      if (!isBlank(text)) yield { line, text };
      size = 0;
      start = end + 1;
    }
    size += buffer.copy(begun, size, start);
  }
  const text = trimLine(Buffer.from(begun.subarray(0, size)), line + 1);
  if (!isBlank(text)) yield { line: line + 1, text };
}
