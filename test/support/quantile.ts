/** The value below which such a share of the values lies, 0 to 1; NaN of none. */
export const computeQuantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))] ?? NaN;
