import type { GeoContext } from 'd3-geo';

/** Coordinates are whole numbers of this many pixels: finer is not seen, and a point then takes four or five characters. */
export const UNIT = 0.25;
/** Points closer than this to the one before are left out, units. */
const MIN_DISTANCE = 4;

/** Draws into the `d` of a path, in units. */
export type CompactPath = {
  readonly context: GeoContext;
  /** What was drawn so far, with moves relative to each other; shapes too small to be seen are left out. */
  readonly text: () => string;
};

const joined = (numbers: readonly number[]): string => numbers.join(' ').replaceAll(' -', '-');

/** Begins a path of many points, coastlines and borders, that is to be short rather than exact. */
export const createCompactPath = (): CompactPath => {
  const parts: string[] = [];
  let moves: number[] = [];
  let start: readonly [number, number] = [0, 0];
  let last: readonly [number, number] = [0, 0];
  let skipped: readonly [number, number] | undefined;
  const add = (x: number, y: number): void => {
    moves.push(x - last[0], y - last[1]);
    [last, skipped] = [[x, y], undefined];
  };
  const flush = (isRing: boolean): void => {
    if (!isRing && skipped) add(...skipped);
    if (moves.length >= (isRing ? 4 : 2)) parts.push(`M${joined(start)}l${joined(moves)}${isRing ? 'z' : ''}`);
    [moves, skipped] = [[], undefined];
  };
  const context: GeoContext = {
    beginPath: () => {},
    moveTo: (x, y) => {
      flush(false);
      start = [Math.round(x / UNIT), Math.round(y / UNIT)];
      last = start;
    },
    lineTo: (x, y) => {
      const next = [Math.round(x / UNIT), Math.round(y / UNIT)] as const;
      if (Math.abs(next[0] - last[0]) < MIN_DISTANCE && Math.abs(next[1] - last[1]) < MIN_DISTANCE) skipped = next;
      else add(...next);
    },
    closePath: () => flush(true),
    // Only points are drawn as arcs, and there are none.
    arc: () => {},
  };
  return {
    context,
    text: () => {
      flush(false);
      return parts.join('');
    },
  };
};
