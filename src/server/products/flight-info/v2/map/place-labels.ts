import type { Frame, Point } from './project-map.ts';

/** The label of an airport. */
export type LabelText = { readonly code: string; readonly name: string };

/** A placed label: `x`, `y` is the baseline of its first line. */
export type PlacedLabel = LabelText & Point & { readonly anchor: 'start' | 'middle' | 'end' };

type Box = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };

/** Pixels. Character widths are those of wide characters in common sans-serif fonts, so that no label is wider than assumed. */
const LINE_HEIGHT = 16;
const CHARACTER_WIDTH = { code: 10.5, name: 7.2 };
const MAX_NAME_LENGTH = 24;

/** Candidate positions of a label: horizontal anchor, and the middle of its text in steps from the point. */
const positions = [
  ['start', 1, 0],
  ['end', -1, 0],
  ['middle', 0, 1.15],
  ['middle', 0, -1.15],
  ['start', 0.7, 0.8],
  ['end', -0.7, 0.8],
  ['start', 0.7, -0.8],
  ['end', -0.7, -0.8],
  ['middle', 0, 2.4],
  ['middle', 0, -2.4],
  ['start', 0.9, 1.9],
  ['end', -0.9, 1.9],
  ['start', 0.9, -1.9],
  ['end', -0.9, -1.9],
] as const;

/** Truncates a name that is too long for a map. */
export const shorten = (name: string): string =>
  name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH - 1).trimEnd()}…`;

const overlapArea = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

const outsideArea = (box: Box, { width, height }: Frame): number =>
  Math.max(0, 4 - box.left) +
  Math.max(0, box.right - width + 4) +
  Math.max(0, 4 - box.top) +
  Math.max(0, box.bottom - height + 4);

const widthsLeft = { start: 0, middle: 0.5, end: 1 } as const;

const placeAt = (
  point: Point,
  { code, name }: LabelText,
  [anchor, dx, dy]: (typeof positions)[number],
): { readonly label: PlacedLabel; readonly box: Box } => {
  const lines = name === '' ? 1 : 2;
  const width = Math.max(code.length * CHARACTER_WIDTH.code, name.length * CHARACTER_WIDTH.name);
  const x = point.x + dx * 14;
  const middle = point.y + dy * (lines === 1 ? 18 : 26);
  const left = x - width * widthsLeft[anchor];
  const top = middle - (lines * LINE_HEIGHT) / 2;
  return {
    label: { code, name, anchor, x, y: top + LINE_HEIGHT - 4 },
    box: { left, right: left + width, top, bottom: top + lines * LINE_HEIGHT },
  };
};

/** What labels must avoid, besides each other. */
type LabelOptions = {
  readonly frame: Frame;
  /** Points of the tracks, close together, and of the symbols. */
  readonly obstacles: readonly Point[];
};

/**
 * Places a label beside each point, greedily in list order: inside the frame, without overlapping other labels, and with
 * the least overlap of tracks and symbols.
 */
export const placeLabels = (
  labels: readonly { readonly point: Point; readonly text: LabelText }[],
  { frame, obstacles }: LabelOptions,
): readonly PlacedLabel[] => {
  const placed: Box[] = [];
  const points = labels.map(({ point }): Box => ({
    left: point.x - 8,
    right: point.x + 8,
    top: point.y - 8,
    bottom: point.y + 8,
  }));
  return labels.map(({ point, text }) => {
    let best: { readonly label: PlacedLabel; readonly box: Box } | undefined;
    let least = Infinity;
    for (const [index, position] of positions.entries()) {
      const candidate = placeAt(point, text, position);
      const { box } = candidate;
      const covered = obstacles.filter(({ x, y }) => x > box.left && x < box.right && y > box.top && y < box.bottom);
      const cost =
        placed.reduce((sum, other) => sum + overlapArea(box, other), 0) * 10 +
        points.reduce((sum, other) => sum + overlapArea(box, other), 0) * 3 +
        outsideArea(box, frame) * 100 +
        covered.length * 20 +
        index;
      if (cost >= least) continue;
      [best, least] = [candidate, cost];
    }
    const { label, box } = best ?? placeAt(point, text, positions[0]);
    placed.push(box);
    return label;
  });
};
