import { FeedError } from './feed-error.ts';
import type { LoadReport } from './load-report.ts';

/** Returns a result, or rejects with an error of the data that contains the remarks up to it. */
export const rejectWithReport = async <Result>(report: LoadReport, result: Promise<Result>): Promise<Result> => {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    const { line, bytes, value, reason } = error;
    throw new FeedError(error.message, { line, bytes, value, reason, cause: error, report });
  }
};
