import { expect, test } from 'vitest';
import { createLinkedList, type ListNode } from '#lib/linked-list.ts';
import { createRandom } from './seeded-random.ts';

test('holds the values of a set in insertion order over random appends and removals', () => {
  const random = createRandom(7);
  const list = createLinkedList<number>();
  const oracle = new Set<number>();
  const nodes = new Map<number, ListNode<number>>();
  for (let step = 0; step < 5_000; step += 1) {
    if (oracle.size === 0 || random.integer(0, 99) < 55) {
      oracle.add(step);
      nodes.set(step, list.append(step));
    } else {
      const removed = [...oracle][random.integer(0, oracle.size - 1)];
      const node = removed === undefined ? undefined : nodes.get(removed);
      if (removed === undefined || !node) throw new Error('the list is empty');
      oracle.delete(removed);
      list.remove(node);
      // A second removal has no effect.
      list.remove(node);
    }
    const [oldest] = oracle;
    expect([list.size(), list.first()]).toEqual([oracle.size, oldest]);
  }
  expect(list.toArray()).toEqual([...oracle]);
  for (const node of nodes.values()) list.remove(node);
  expect([list.size(), list.first(), list.toArray()]).toEqual([0, undefined, []]);
});

test('clears the references of a removed node', () => {
  const list = createLinkedList<string>();
  const [first, second, third] = [list.append('first'), list.append('second'), list.append('third')];
  list.remove(second);
  expect(second).toEqual({ value: 'second', previous: undefined, next: undefined, isLinked: false });
  expect([first.next, third.previous]).toEqual([third, first]);
});

test('returns an array that later changes of the list do not affect', () => {
  const list = createLinkedList<number>();
  const nodes = [1, 2, 3].map((value) => list.append(value));
  const read: number[] = [];
  for (const value of list.toArray()) {
    read.push(value);
    for (const node of nodes) list.remove(node);
    list.append(value + 10);
  }
  const expected = [
    [1, 2, 3],
    [11, 12, 13],
  ];
  expect([read, list.toArray()]).toEqual(expected);
});
