import { expect, test } from 'vitest';
import { deleteBatches } from '../../../src/store/tasks/delete-batches.ts';

/** This many rows, of which each batch deletes some. */
const rows = (count: number) => {
  const slices: number[] = [];
  let remaining = count;
  const deleteSlice = (slice: number): Promise<number> => {
    const deleted = Math.min(slice, remaining);
    remaining -= deleted;
    slices.push(deleted);
    return Promise.resolve(deleted);
  };
  return { slices, deleteSlice };
};

test('deletes batches until one is not full', async () => {
  const { slices, deleteSlice } = rows(7);
  expect([await deleteBatches(deleteSlice, { batchSize: 3 }), slices]).toEqual([7, [3, 3, 1]]);
  const even = rows(6);
  expect([await deleteBatches(even.deleteSlice, { batchSize: 3 }), even.slices]).toEqual([6, [3, 3, 0]]);
});

test('stops between two batches when it is aborted, and does not start when it is already aborted', async () => {
  const ending = new AbortController();
  const { slices, deleteSlice } = rows(7);
  const deleteAndEnd = (slice: number): Promise<number> => {
    if (slices.length === 1) ending.abort();
    return deleteSlice(slice);
  };
  const { signal } = ending;
  expect([await deleteBatches(deleteAndEnd, { batchSize: 3, signal }), slices]).toEqual([6, [3, 3]]);
  expect([await deleteBatches(deleteAndEnd, { batchSize: 3, signal }), slices]).toEqual([0, [3, 3]]);
});
