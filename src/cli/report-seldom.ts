const MINUTE_MS = 60_000;

/** As many faults are remembered, so that one that is told in ever new words takes no memory. */
const MOST = 1000;

const wordsOf = (error: unknown): string => {
  const words: string[] = [];
  for (let cause = error; cause instanceof Error && words.length < 10; cause = cause.cause)
    words.push(`${cause.name} ${'code' in cause ? String(cause.code) : ''} ${cause.message}`);
  return words.join(': ') || String(error);
};

/** Reports faults, the same one once a minute at most: what is away is tried again each second, for as long as it takes. */
export const reportSeldom = (report: (error: unknown) => void, clock: () => Date): ((error: unknown) => void) => {
  const reportedAt = new Map<string, number>();
  return (error) => {
    const words = wordsOf(error);
    const [now, last] = [clock().getTime(), reportedAt.get(words)];
    // A clock that was set back is not to silence anything.
    if (last !== undefined && now >= last && now < last + MINUTE_MS) return;
    reportedAt.delete(words);
    reportedAt.set(words, now);
    const [oldest] = reportedAt.keys();
    if (reportedAt.size > MOST && oldest !== undefined) reportedAt.delete(oldest);
    report(error);
  };
};
