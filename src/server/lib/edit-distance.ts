/**
 * Returns whether two texts differ by up to `bound` edits: inserted, deleted, replaced and swapped neighbouring UTF-16 code units (optimal
 * string alignment distance). Stops when no alignment can be within the bound.
 */
export const isWithinEditDistance = (one: string, other: string, bound: number): boolean => {
  if (Math.abs(one.length - other.length) > bound) return false;
  if (bound === 0) return one === other;
  let beforePrevious: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const distance = Math.min(
        (previous[column] ?? Infinity) + 1,
        (current[column - 1] ?? Infinity) + 1,
        (previous[column - 1] ?? Infinity) + (isSame ? 0 : 1),
        isSwap ? (beforePrevious[column - 2] ?? Infinity) + 1 : Infinity,
      );
      current.push(distance);
      least = Math.min(least, distance);
    }
    // Nor can a swap, which skips this row: the edits before it are no fewer than those of this row without one.
    if (least > bound) return false;
    [beforePrevious, previous] = [previous, current];
  }
  return (previous.at(-1) ?? 0) <= bound;
};
