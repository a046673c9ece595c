const MINUTE_MS = 60_000;

/** Limits the memory when error texts never repeat. */
const MAX_REMEMBERED = 1000;

const textOf = (error: unknown): string => {
  const parts: string[] = [];
  for (let cause = error; cause instanceof Error && parts.length < 10; cause = cause.cause)
    parts.push(`${cause.name} ${'code' in cause ? String(cause.code) : ''} ${cause.message}`);
  return parts.join(': ') || String(error);
};

/** Returns a reporter that passes on the same error once a minute: tasks retry a lost connection every second. */
export const createThrottledErrorLog = (
  report: (error: unknown) => void,
  clock: () => Date,
): ((error: unknown) => void) => {
  const reportedAt = new Map<string, number>();
  return (error) => {
    const text = textOf(error);
    const [now, last] = [clock().getTime(), reportedAt.get(text)];
    // `now < last` after the clock was set back: report again.
    if (last !== undefined && now >= last && now < last + MINUTE_MS) return;
    reportedAt.delete(text);
    reportedAt.set(text, now);
    const [oldest] = reportedAt.keys();
    if (reportedAt.size > MAX_REMEMBERED && oldest !== undefined) reportedAt.delete(oldest);
    report(error);
  };
};
