/** The sampler of traces, as OpenTelemetry names it; `ratio` is the share of traces that `traceidratio` keeps. */
export type Sampling = {
  readonly name: 'always_on' | 'always_off' | 'traceidratio';
  /** Whether the decision of the caller wins, if it sends one. */
  readonly byParent: boolean;
  readonly ratio: number;
};

/**
 * Returns whether a trace is kept. `traceidratio` keeps the traces with the greatest random part (the last 56 bits), so that all services of a
 * trace with the same ratio decide alike.
 */
export const isSampled = (
  { name, byParent, ratio }: Sampling,
  traceId: string,
  callerKeeps: boolean | undefined,
): boolean => {
  if (byParent && callerKeeps !== undefined) return callerKeeps;
  if (name !== 'traceidratio') return name === 'always_on';
  return Number.parseInt(traceId.slice(-14, -4), 16) >= (1 - ratio) * 2 ** 40;
};
