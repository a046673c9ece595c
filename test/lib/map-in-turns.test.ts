import { expect, test } from 'vitest';
import { mapInTurns } from '#lib/map-in-turns.ts';

const work = (milliseconds: number): void => {
  const startedAt = performance.now();
  while (performance.now() - startedAt < milliseconds);
};

test('items are mapped in order, with their positions', async () => {
  expect(await mapInTurns(['a', 'b', 'c'], (item, index) => `${item}${index}`)).toEqual(['a0', 'b1', 'c2']);
  expect(await mapInTurns([], () => 1)).toEqual([]);
});

test('other work of the process runs between long items', async () => {
  const order: string[] = [];
  setImmediate(() => order.push('other work'));
  await mapInTurns([1, 2], (item) => {
    order.push(`item ${item}`);
    work(5);
  });
  expect(order).toEqual(['item 1', 'other work', 'item 2']);
});

test('an item that throws ends the work', async () => {
  const mapped: number[] = [];
  const mapping = mapInTurns([1, 2, 3], (item) => {
    if (item === 2) throw new Error('no 2');
    mapped.push(item);
  });
  await expect(mapping).rejects.toThrow('no 2');
  expect(mapped).toEqual([1]);
});
