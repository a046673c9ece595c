/** A node of a doubly linked list. */
export type ListNode<T> = {
  readonly value: T;
  /** Its neighbours while it is linked, undefined afterwards. */
  previous: ListNode<T> | undefined;
  next: ListNode<T> | undefined;
  isLinked: boolean;
};

/** A doubly linked list in insertion order; append and remove take constant time. */
export type LinkedList<T> = {
  readonly size: () => number;
  readonly append: (value: T) => ListNode<T>;
  /** Does nothing when the node has already been removed. */
  readonly remove: (node: ListNode<T>) => void;
  readonly first: () => T | undefined;
  /** Returns a copy, which later changes of the list do not affect. */
  readonly toArray: () => readonly T[];
};

/**
 * Creates a doubly linked list for values that come and go thousands of times a second, such as requests in progress.
 * A `Set` is unsuitable: when its table grows, V8 (13.6) keeps the old table with a pointer to the new one. Once an old table is promoted to the
 * old generation, every later entry survives minor garbage collections. Measured: 20 ms instead of 0.5 ms for each, and 2.7 times the memory.
 */
export const createLinkedList = <T>(): LinkedList<T> => {
  let head: ListNode<T> | undefined;
  let tail: ListNode<T> | undefined;
  let size = 0;
  return {
    size: () => size,
    append: (value) => {
      const node: ListNode<T> = { value, previous: tail, next: undefined, isLinked: true };
      if (tail) tail.next = node;
      else head = node;
      tail = node;
      size += 1;
      return node;
    },
    remove: (node) => {
      if (!node.isLinked) return;
      const { previous, next } = node;
      if (previous) previous.next = next;
      else head = next;
      if (next) next.previous = previous;
      else tail = previous;
      node.previous = undefined;
      node.next = undefined;
      node.isLinked = false;
      size -= 1;
    },
    first: () => head?.value,
    toArray: () => {
      const values: T[] = [];
      for (let node = head; node; node = node.next) values.push(node.value);
      return values;
    },
  };
};
