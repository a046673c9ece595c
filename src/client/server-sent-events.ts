/** A block of a stream of server-sent events; absent fields are undefined. */
export type ServerSentEvent = {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string | undefined;
  /** The delay before a reconnect, milliseconds. */
  readonly retryMs: number | undefined;
};

const parseBlock = (lines: readonly string[]): ServerSentEvent | undefined => {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    const before = name === 'data' ? fields.get('data') : undefined;
    if (name !== '') fields.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  if (fields.size === 0) return undefined;
  const retry = fields.get('retry') ?? '';
  return {
    id: fields.get('id'),
    event: fields.get('event'),
    data: fields.get('data'),
    retryMs: /^\d+$/.test(retry) ? Number(retry) : undefined,
  };
};

/**
 * Creates a parser of server-sent events (HTML standard, 9.2). Called with each chunk, it returns the blocks that the chunk completes,
 * without comments; an incomplete block at the end of the stream is dropped.
 */
export const createEventStreamParser = (): ((chunk: Uint8Array) => readonly ServerSentEvent[]) => {
  const decoder = new TextDecoder();
  let rest = '';
  let lines: string[] = [];
  return (chunk) => {
    // A carriage return at the end may be the first half of CRLF.
    const received = `${rest}${decoder.decode(chunk, { stream: true })}`.split(/\r\n|\n|\r(?!$)/);
    rest = received.pop() ?? '';
    const blocks: ServerSentEvent[] = [];
    for (const line of received) {
      if (line !== '') {
        lines.push(line);
        continue;
      }
      const block = parseBlock(lines);
      lines = [];
      if (block) blocks.push(block);
    }
    return blocks;
  };
};
