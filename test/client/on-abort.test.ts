import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { onAbort } from '#client/on-abort.ts';

test('adds one listener to a signal however many callbacks are registered, and calls all of them', () => {
  const controller = new AbortController();
  const calls: number[] = [];
  for (const one of [0, 1, 2]) onAbort(controller.signal, () => calls.push(one));
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
  controller.abort();
  expect(calls).toEqual([0, 1, 2]);
});

test('does not call a released callback, and removes the listener after the last release', () => {
  const controller = new AbortController();
  const calls: string[] = [];
  const releases = ['a', 'b'].map((name) => onAbort(controller.signal, () => calls.push(name)));
  for (const release of releases) release();
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  onAbort(controller.signal, () => calls.push('c'));
  controller.abort();
  expect(calls).toEqual(['c']);
});
