/** Where in a feed something was wrong and what stood there. `bytes` are positions within the line, from 1, both included. */
export type FeedErrorOptions = {
  readonly line?: number;
  readonly bytes?: readonly [number, number];
  readonly value?: string;
  /** A short code to count by, e.g. `bad-date`. */
  readonly reason?: string;
  readonly cause?: unknown;
};

/** The data's fault: a feed, or one record of it, that cannot be taken. The message says what is wrong and is fit to be shown. */
export class FeedError extends Error {
  readonly line: number | undefined;
  readonly bytes: readonly [number, number] | undefined;
  readonly value: string | undefined;
  readonly reason: string;

  constructor(message: string, { line, bytes, value, reason = 'unreadable-feed', cause }: FeedErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'FeedError';
    this.line = line;
    this.bytes = bytes;
    this.value = value;
    this.reason = reason;
  }
}
