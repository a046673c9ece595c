/** One line of a feed: its number, 1-based and counting blank lines, and its bytes without the line end. */
export type StatusLine = { readonly line: number; readonly text: Buffer };

/** Largest size of a message. Real ones have a few hundred bytes. */
export const MAX_LINE_BYTES = 65_536;

const LF = 10;
const CR = 13;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Bytes kept of a line: enough to exceed the limit after a byte order mark and a carriage return are removed. */
const MAX_KEPT_BYTES = MAX_LINE_BYTES + byteOrderMark.length + 2;

const isBlank = (text: Buffer): boolean => text.every((byte) => byte === 32 || byte === 9 || byte === CR);

/** Removes a carriage return, and from the first line the byte order mark that some editors write. */
const trimLine = (text: Buffer, line: number): Buffer => {
  const from = line === 1 && text.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0;
  return text.subarray(from, text.at(-1) === CR ? -1 : undefined);
};

/**
 * Reads the lines of a feed that are not blank, LF or CRLF; the last one may lack its line end. A line of more than 64 kB is cut, but
 * stays longer than `MAX_LINE_BYTES`, so that it is rejected as a message.
 */
export async function* readStatusLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<StatusLine> {
  // The start of a line that ends in a later chunk. Appending in place avoids copying a line again for each small chunk.
  const pending = Buffer.allocUnsafe(MAX_KEPT_BYTES);
  let pendingSize = 0;
  let line = 0;
  for await (const chunk of bytes) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = buffer.indexOf(LF); end !== -1; end = buffer.indexOf(LF, start)) {
      line += 1;
      if (pendingSize > 0) pendingSize += buffer.copy(pending, pendingSize, start, end);
      const bytesOfLine =
        pendingSize > 0
          ? Buffer.from(pending.subarray(0, pendingSize))
          : buffer.subarray(start, Math.min(end, start + MAX_KEPT_BYTES));
      const text = trimLine(bytesOfLine, line);
      if (!isBlank(text)) yield { line, text };
      pendingSize = 0;
      start = end + 1;
    }
    pendingSize += buffer.copy(pending, pendingSize, start);
  }
  const text = trimLine(Buffer.from(pending.subarray(0, pendingSize)), line + 1);
  if (!isBlank(text)) yield { line: line + 1, text };
}
