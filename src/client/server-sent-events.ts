/** A block of a stream of server-sent events; what it does not say is undefined. */
export type ServerSentEvent = {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string | undefined;
  /** How long to wait before connecting again, milliseconds. */
  readonly retryMs: number | undefined;
};

const blockOf = (lines: readonly string[]): ServerSentEvent | undefined => {
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
 * Reads a stream of server-sent events (HTML standard, 9.2) piece by piece, however it is cut. Answers the blocks that a piece completes; comments
 * are left out, and so is a block that breaks off.
 */
export const newEventStreamReader = (): ((piece: Uint8Array) => readonly ServerSentEvent[]) => {
  const decoder = new TextDecoder();
  let rest = '';
  let lines: string[] = [];
  return (piece) => {
    // A carriage return at the end can be the first half of a line break.
    const pieces = `${rest}${decoder.decode(piece, { stream: true })}`.split(/\r\n|\n|\r(?!$)/);
    rest = pieces.pop() ?? '';
    const blocks: ServerSentEvent[] = [];
    for (const line of pieces) {
      if (line !== '') {
        lines.push(line);
        continue;
      }
      const block = blockOf(lines);
      lines = [];
      if (block) blocks.push(block);
    }
    return blocks;
  };
};
