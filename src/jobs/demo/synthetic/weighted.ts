/** Picks a position: the one that holds this share, from 0 up to 1, of the sum of the weights. */
export type Weighted = (share: number) => number;

/**
 * Weights of a skewed world: the n-th of `count`, from 0, weighs 1/(n + 1 + flattened). The larger `flattened`, the less the
 * first stands out.
 */
export const skewed = (count: number, flattened: number): readonly number[] =>
  Array.from({ length: count }, (_, rank) => 1 / (rank + 1 + flattened));

/** A picker over weights, of which at least one is greater than 0. */
export const weighted = (weights: readonly number[]): Weighted => {
  const sums: number[] = [];
  let sum = 0;
  for (const weight of weights) sums.push((sum += weight));
  return (share) => {
    const wanted = share * sum;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  };
};
