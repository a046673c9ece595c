import fs from 'node:fs';
import { pino, type DestinationStream } from 'pino';

const isForTheMoment = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY');

/**
 * Writes what is left as the process ends. The output (sonic-boom 4.2.1) tries again for ever where nobody reads it any more, and the process
 * would never end: here that counts as written.
 */
const flushOnce = (flush: () => void): void => {
  const { writeSync } = fs;
  const writeWhatIsRead = (fd: number, text: string): number => {
    try {
      return writeSync(fd, text);
    } catch (error) {
      if (isForTheMoment(error)) throw error;
      return Buffer.byteLength(text);
    }
  };
  Object.assign(fs, { writeSync: writeWhatIsRead });
  try {
    flush();
  } finally {
    Object.assign(fs, { writeSync });
  }
};

/** So many characters are written together. */
const BLOCK = 64 * 1024;

/**
 * Standard output, written in the background: what takes whole lines of a log. Lines wait until they make a block, or a second: to hand each on
 * by itself costs more than to make it.
 */
export const openLogOutput = (): DestinationStream => {
  const output = pino.destination({
    dest: 1,
    sync: false,
    minLength: BLOCK,
    maxWrite: 16 * BLOCK,
    periodicFlush: 1000,
  });
  const { write, flush, flushSync } = output;
  let lines: string[] = [];
  let characters = 0;
  const handOn = (): void => {
    if (lines.length === 0) return;
    const block = lines.join('');
    [lines, characters] = [[], 0];
    write.call(output, block);
  };
  return Object.assign(output, {
    write: (line: string): boolean => {
      lines.push(line);
      characters += line.length;
      if (characters >= BLOCK) handOn();
      return true;
    },
    flush: (onFlushed?: (error?: Error) => void): void => {
      handOn();
      flush.call(output, onFlushed);
    },
    flushSync: (): void => {
      handOn();
      flushOnce(() => flushSync.call(output));
    },
  });
};
