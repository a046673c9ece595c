/** Returns the quantile `share` (0 to 1) of the values; NaN of an empty list. */
export const computeQuantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))] ?? NaN;

export const formatTimes = (times: readonly number[]): string =>
  `p50 ${Math.round(computeQuantile(times, 0.5))} ms, longest ${Math.round(computeQuantile(times, 1))} ms`;
