/** Hits and misses of the counters whose names match; undefined where a server has none. */
export type HitsAndMisses = { readonly hit: number | undefined; readonly miss: number | undefined };

const sumOf = (lines: readonly string[], word: RegExp): number | undefined => {
  const found = lines.filter((line) => word.test(line));
  return found.length === 0 ? undefined : found.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
};

/** Reads the metrics of a server in the Prometheus text format. */
export const readCounter = async (url: string, named: RegExp): Promise<HitsAndMisses> => {
  const response = await fetch(url).catch(() => undefined);
  const text = response?.ok ? await response.text() : '';
  const lines = text.split('\n').filter((line) => !line.startsWith('#') && named.test(line));
  return { hit: sumOf(lines, /hit/), miss: sumOf(lines, /miss/) };
};
