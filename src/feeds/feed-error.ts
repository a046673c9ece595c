import type { LoadReport } from './load-report.ts';

/** The location and text of an error. `bytes` are positions within the line, 1-based, both included. */
export type FeedErrorOptions = {
  readonly line?: number;
  readonly bytes?: readonly [number, number];
  readonly value?: string;
  /** A short code to count by, e.g. `bad-date`. */
  readonly reason?: string;
  readonly cause?: unknown;
  /** The remarks on the source up to the error that rejects it. */
  readonly report?: LoadReport;
};

/** An error of the data: a feed, or one record of it, is invalid. The message can be shown to users. */
export class FeedError extends Error {
  readonly line: number | undefined;
  readonly bytes: readonly [number, number] | undefined;
  readonly value: string | undefined;
  readonly reason: string;
  readonly report: LoadReport | undefined;

  constructor(
    message: string,
    { line, bytes, value, reason = 'unreadable-feed', cause, report }: FeedErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'FeedError';
    this.line = line;
    this.bytes = bytes;
    this.value = value;
    this.reason = reason;
    this.report = report;
  }
}
