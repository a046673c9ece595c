import { expect, test } from 'vitest';
import { coalesced } from '../../src/work/coalesced.ts';

const heldQuestions = () => {
  const asked: { readonly answer: () => void; readonly fail: (error: Error) => void }[] = [];
  const ask = coalesced(() => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    asked.push({ answer: resolve, fail: reject });
    return promise;
  });
  return { asked, ask };
};

test('who asks in the same turn is answered by one question', async () => {
  const { asked, ask } = heldQuestions();
  const all = [ask(), ask(), ask()];
  expect(asked).toHaveLength(0);
  await expect.poll(() => asked.length).toBe(1);
  asked[0]?.answer();
  await Promise.all(all);
  expect(asked).toHaveLength(1);
});

test('who asks while it is being asked waits for the next time, all of them for one', async () => {
  const { asked, ask } = heldQuestions();
  const first = ask();
  await expect.poll(() => asked.length).toBe(1);
  const others = [ask(), ask(), ask()];
  let isAnswered = false;
  void others[0]?.then(() => {
    isAnswered = true;
  });
  asked[0]?.answer();
  await first;
  await expect.poll(() => asked.length).toBe(2);
  expect(isAnswered).toBe(false);
  asked[1]?.answer();
  await Promise.all(others);
  expect(asked).toHaveLength(2);
});

test('a failure is told to those who waited for it, and the next asks again', async () => {
  const { asked, ask } = heldQuestions();
  const first = ask();
  await expect.poll(() => asked.length).toBe(1);
  const second = ask();
  asked[0]?.fail(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.answer();
  await expect(second).resolves.toBeUndefined();
});

test('after a failure that nobody else waited for, it is asked again', async () => {
  const { asked, ask } = heldQuestions();
  const first = ask();
  await expect.poll(() => asked.length).toBe(1);
  asked[0]?.fail(new Error('away'));
  await expect(first).rejects.toThrow('away');
  const second = ask();
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.answer();
  await expect(second).resolves.toBeUndefined();
});
