import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { onAbort } from '../../src/client/on-abort.ts';

test('however many wait for a signal it is listened to once, and all of them are told', () => {
  const over = new AbortController();
  const told: number[] = [];
  for (let one = 0; one < 12; one += 1) onAbort(over.signal, () => told.push(one));
  expect(getEventListeners(over.signal, 'abort')).toHaveLength(1);
  over.abort();
  expect(told).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

test('who has taken it back is not told, and a signal for which nobody waits is let go', () => {
  const over = new AbortController();
  const told: string[] = [];
  const releases = ['a', 'b'].map((name) => onAbort(over.signal, () => told.push(name)));
  for (const release of releases) release();
  expect(getEventListeners(over.signal, 'abort')).toHaveLength(0);
  onAbort(over.signal, () => told.push('c'));
  over.abort();
  expect(told).toEqual(['c']);
});

test('of a signal that is aborted already one is told at once', () => {
  const told: string[] = [];
  const release = onAbort(AbortSignal.abort(), () => told.push('a'));
  release();
  expect(told).toEqual(['a']);
});
