import type { GeoContext } from 'd3-geo';

/** Pixels of one coordinate unit: a finer one is invisible, and with this one a point takes four or five characters. */
export const UNIT = 0.25;
/** Points closer than this to the previous one are skipped, units. */
const MIN_DISTANCE = 4;

/** Collects the `d` attribute of an SVG path, in units. */
export type CompactPath = {
  readonly context: GeoContext;
  /** Returns the path so far, with relative moves; shapes too small to see are skipped. */
  readonly text: () => string;
};

const joinNumbers = (numbers: readonly number[]): string => numbers.join(' ').replaceAll(' -', '-');

/** Creates a path for coastlines and borders: many points, short text rather than exact coordinates. */
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
    if (moves.length >= (isRing ? 4 : 2))
      parts.push(`M${joinNumbers(start)}l${joinNumbers(moves)}${isRing ? 'z' : ''}`);
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
    // d3-geo draws only points as arcs, and there are none.
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
