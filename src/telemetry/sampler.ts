/** Which traces are kept, as the environment of OpenTelemetry names it; `ratio` is the share of those that it decides about. */
export type Sampling = {
  readonly name: 'always_on' | 'always_off' | 'traceidratio';
  /** Whether the caller decides, where it says anything. */
  readonly byParent: boolean;
  readonly ratio: number;
};

/**
 * Whether a trace is kept. Of a share those with the greatest random part (the last 56 bits) are, so that all services of a trace with the
 * same share decide alike.
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
