import type { AccessLog } from './access-log.ts';

export type OutageLogOptions = {
  readonly log: Pick<AccessLog, 'failure'>;
  readonly clock: () => Date;
  /** Whether an error means that the database is unreachable, which all requests then report. */
  readonly isOutage: (error: unknown) => boolean;
};

/** Time between summaries, milliseconds; an outage that no request has noticed for this long is over. */
const SUMMARY_MS = 10_000;

/** Logs a failure of one request. */
export type LogFailure = (error: unknown) => void;

/**
 * Creates a log of failed requests that reports an outage of the database once, and then the number of requests that it rejected, every ten
 * seconds. Other errors are logged one by one.
 */
export const createOutageLog = ({
  log,
  clock,
  isOutage,
}: OutageLogOptions): ((error: unknown, logFailure: LogFailure) => void) => {
  let since: Date | undefined;
  let rejected = 0;
  const summarize = (): void => {
    if (rejected === 0 || !since) {
      since = undefined;
      return;
    }
    const text = `the database was unreachable since ${since.toISOString()}: ${rejected} further requests were rejected in ten seconds`;
    log.failure(new Error(text), clock(), 'outage');
    rejected = 0;
    setTimeout(summarize, SUMMARY_MS).unref();
  };
  return (error, logFailure) => {
    if (!isOutage(error)) return logFailure(error);
    if (since) {
      rejected += 1;
      return;
    }
    since = clock();
    logFailure(error);
    setTimeout(summarize, SUMMARY_MS).unref();
  };
};
