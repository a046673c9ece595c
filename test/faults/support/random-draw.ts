/** Returns a random integer from 0 to `below` - 1; the sequence depends only on the seed. */
export type RandomDraw = (below: number) => number;

export const createDraw = (seed: number): RandomDraw => {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};
