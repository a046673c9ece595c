import type { Readable } from 'node:stream';

const NEWLINE = 10;

/** Passes on what a stream says in whole lines: processes that wrote to one output by themselves would break into each other's. */
export const relayLines = (from: Readable, to: (lines: string) => void): void => {
  let begun: readonly Buffer[] = [];
  from.on('data', (piece: Buffer) => {
    const end = piece.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      to(Buffer.concat([...begun, piece.subarray(0, end)]).toString());
      begun = [];
    }
    if (end < piece.length) begun = [...begun, piece.subarray(end)];
  });
  from.on('end', () => {
    if (begun.length > 0) to(`${Buffer.concat(begun).toString()}\n`);
  });
};
