import { expect, test } from 'vitest';
import { placeLabels, shorten } from '../../../../../src/products/flight-info/v2/map/place-labels.ts';

const frame = { width: 390, height: 440, bleedX: 0, bleedY: 0, margin: 50 };
const text = { code: 'AAA', name: 'Somewhere' };

test('a label is to the right of its point if that is free', () => {
  expect(placeLabels([{ point: { x: 100, y: 100 }, text }], { frame, obstacles: [] })).toEqual([
    { ...text, anchor: 'start', x: 114, y: 96 },
  ]);
});

test('a label avoids the frame and the track', () => {
  const track = Array.from({ length: 40 }, (_, index) => ({ x: 375 - index * 3, y: 100 }));
  expect(placeLabels([{ point: { x: 375, y: 100 }, text }], { frame, obstacles: track })).toEqual([
    { ...text, anchor: 'end', x: 375 - 0.7 * 14, y: 100 + 0.8 * 26 - 4 },
  ]);
});

test('labels of places close to each other do not overlap', () => {
  const points = [0, 6, 12].map((shift) => ({ point: { x: 200 + shift, y: 200 + shift }, text }));
  const boxes = placeLabels(points, { frame, obstacles: [] }).map(({ anchor, x, y }) => {
    const width = 65;
    return { left: x - { start: 0, middle: 0.5, end: 1 }[anchor] * width, top: y - 12, width };
  });
  for (const [index, a] of boxes.entries())
    for (const b of boxes.slice(index + 1))
      expect(Math.abs(a.left - b.left) >= a.width - 0.5 || Math.abs(a.top - b.top) >= 31.5).toBe(true);
});

test('a long name is truncated', () => {
  expect(shorten('Petropavlovsk-Kamchatsky')).toBe('Petropavlovsk-Kamchatsky');
  expect(shorten('Saint Petersburg Pulkovo International')).toBe('Saint Petersburg Pulkov…');
});
