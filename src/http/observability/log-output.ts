import fs from 'node:fs';
import { pino, type DestinationStream } from 'pino';

const isTemporary = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY');

/**
 * Writes the rest of the buffer as the process exits. When no process reads the output any more, sonic-boom 4.2.1 retries permanently and the
 * process never exits; here such a write counts as done.
 */
const flushOnce = (flush: () => void): void => {
  const { writeSync } = fs;
  const writeOrDiscard = (fd: number, text: string): number => {
    try {
      return writeSync(fd, text);
    } catch (error) {
      if (isTemporary(error)) throw error;
      return Buffer.byteLength(text);
    }
  };
  Object.assign(fs, { writeSync: writeOrDiscard });
  try {
    flush();
  } finally {
    Object.assign(fs, { writeSync });
  }
};

/** Characters written at once. */
const BLOCK_CHARACTERS = 64 * 1024;

/**
 * Opens standard output for log lines, written in the background. Lines are collected into blocks for up to a second, because passing on each
 * line costs more than building it.
 */
export const openLogOutput = (): DestinationStream => {
  const output = pino.destination({
    dest: 1,
    sync: false,
    minLength: BLOCK_CHARACTERS,
    maxWrite: 16 * BLOCK_CHARACTERS,
    periodicFlush: 1000,
  });
  const { write, flush, flushSync } = output;
  let lines: string[] = [];
  let characters = 0;
  const writeBlock = (): void => {
    if (lines.length === 0) return;
    const block = lines.join('');
    [lines, characters] = [[], 0];
    write.call(output, block);
  };
  return Object.assign(output, {
    write: (line: string): boolean => {
      lines.push(line);
      characters += line.length;
      if (characters >= BLOCK_CHARACTERS) writeBlock();
      return true;
    },
    flush: (onFlushed?: (error?: Error) => void): void => {
      writeBlock();
      flush.call(output, onFlushed);
    },
    flushSync: (): void => {
      writeBlock();
      flushOnce(() => flushSync.call(output));
    },
  });
};
