/** Counts of hits and misses among the counters whose names match; undefined where a server tells none. */
export type HitsAndMisses = { readonly hit: number | undefined; readonly miss: number | undefined };

const sumOf = (lines: readonly string[], word: RegExp): number | undefined => {
  const found = lines.filter((line) => word.test(line));
  return found.length === 0 ? undefined : found.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
};

/** Reads the metrics of a server in the text form of Prometheus. */
export const readCounter = async (url: string, named: RegExp): Promise<HitsAndMisses> => {
  const answer = await fetch(url).catch(() => undefined);
  const text = answer?.ok ? await answer.text() : '';
  const lines = text.split('\n').filter((line) => !line.startsWith('#') && named.test(line));
  return { hit: sumOf(lines, /hit/), miss: sumOf(lines, /miss/) };
};
