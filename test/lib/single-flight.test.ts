import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { coalesced } from '../../src/lib/single-flight.ts';
import { newChance } from '../domain/connections/worlds/random/chance.ts';

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

test('those who waited are served while the next question is under way', async () => {
  const { asked, ask } = heldQuestions();
  const first = ask();
  await expect.poll(() => asked.length).toBe(1);
  const second = ask();
  const questionsPut: number[] = [];
  void first.then(() => questionsPut.push(asked.length));
  asked[0]?.answer();
  await first;
  expect(questionsPut).toEqual([2]);
  asked[1]?.answer();
  await second;
});

test('nobody is answered by a question that was put before he asked, however they come', async () => {
  const chance = newChance(20261122);
  let [isAsking, put, overlapping] = [false, 0, 0];
  const ask = coalesced(async () => {
    if (isAsking) overlapping += 1;
    [isAsking, put] = [true, put + 1];
    await delay(chance.int(0, 2));
    isAsking = false;
    if (chance.int(0, 9) === 0) throw new Error('away');
  });
  const early: string[] = [];
  const asker = async (): Promise<void> => {
    for (let round = 0; round < 40; round += 1) {
      const before = put;
      await ask().catch(() => {});
      if (put === before) early.push(`${before}`);
      if (chance.int(0, 2) === 0) await delay(chance.int(0, 3));
    }
  };
  await Promise.all(chance.times(20, asker));
  expect({ early, overlapping }).toEqual({ early: [], overlapping: 0 });
  expect(put).toBeLessThan(20 * 40);
});
