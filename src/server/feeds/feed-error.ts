import type { LoadReport } from './load-report.ts';

/** The location and text of an error. `bytes` are positions within the line, 1-based, both included. */
export type FeedErrorOptions = {
  readonly line?: number;
  readonly bytes?: readonly [number, number];
  /** The name of the field that is invalid. */
  readonly field?: string | undefined;
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
  readonly field: string | undefined;
  readonly value: string | undefined;
  readonly reason: string;
  readonly report: LoadReport | undefined;

  constructor(
    message: string,
    { line, bytes, field, value, reason = 'unreadable-feed', cause, report }: FeedErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'FeedError';
    this.line = line;
    this.bytes = bytes;
    this.field = field;
    this.value = value;
    this.reason = reason;
    this.report = report;
  }
}

/** Adds the error of a record to a report: the record is quarantined. */
export const addQuarantined = (report: LoadReport, line: number, error: FeedError): void => {
  const { bytes, field, value = '', reason, message } = error;
  report.entries.push({
    severity: 'quarantined',
    line,
    ...(bytes && { bytes }),
    ...(field !== undefined && { field }),
    value,
    reason,
    message,
  });
};
