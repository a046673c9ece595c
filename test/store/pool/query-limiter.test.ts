import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newQuestionGate } from '../../../src/store/pool/query-limiter.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const lost = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });

/** A gate before a database that answers what it is told to; two questions at once, and one that waits. */
const gateBefore = (given: { readonly isActive?: boolean } = {}) => {
  let sign: 'alive' | 'silent' | 'refused' = 'alive';
  let pings = 0;
  const gate = newQuestionGate({ patienceMs: 1000, turnMs: 1000, answerMs: 5000, atOnce: 2, mostWaiting: 1 }, () => {
    pings += 1;
    if (sign === 'refused') return Promise.reject(lost);
    return sign === 'alive' ? Promise.resolve() : new Promise(() => {});
  });
  const ask = () => {
    const seen = { asked: false, refused: '' };
    const question = gate.put({
      ask: () => {
        seen.asked = true;
      },
      isActive: () => given.isActive ?? true,
      refuse: (error) => {
        seen.refused = error.message;
      },
    });
    gate.admit(question);
    return { seen, question };
  };
  return {
    gate,
    ask,
    pings: () => pings,
    becomes: (next: typeof sign): void => {
      sign = next;
    },
  };
};

const ASKED = { asked: true, refused: '' };
const LATE = 'the database does not answer in time';
const AWAY = 'the database is away';

test('so many are put to the database at once, some wait, and who comes then is refused', () => {
  const { gate, ask } = gateBefore();
  const [first, second, third, fourth] = [ask(), ask(), ask(), ask()];
  expect([first.seen, second.seen]).toEqual([ASKED, ASKED]);
  expect(third.seen).toEqual({ asked: false, refused: '' });
  expect(fourth.seen).toEqual({ asked: false, refused: '1 others wait for the database' });
  gate.answered(first.question);
  expect(third.seen).toEqual(ASKED);
});

test('a question takes its time while there are signs of life, and no longer than it may', async () => {
  const { ask } = gateBefore();
  const { seen } = ask();
  await vi.advanceTimersByTimeAsync(4900);
  expect(seen).toEqual(ASKED);
  await vi.advanceTimersByTimeAsync(200);
  expect(seen.refused).toBe(LATE);
});

test('one that stands behind another on its connection waits for its turn alone', async () => {
  const { ask } = gateBefore({ isActive: false });
  const { seen } = ask();
  await vi.advanceTimersByTimeAsync(1100);
  expect(seen.refused).toBe(LATE);
});

test('nobody waits long for a database that answers nobody; then all are refused at once, until it lives', async () => {
  const { ask, becomes, pings } = gateBefore();
  becomes('silent');
  const { seen } = ask();
  await vi.advanceTimersByTimeAsync(900);
  expect(seen).toEqual(ASKED);
  await vi.advanceTimersByTimeAsync(200);
  expect(seen.refused).toBe(LATE);
  expect(ask().seen).toEqual({ asked: false, refused: AWAY });
  const before = pings();
  await vi.advanceTimersByTimeAsync(60_000);
  // What does not answer is not asked ever more.
  expect(pings() - before).toBeLessThan(40);
  becomes('alive');
  await vi.advanceTimersByTimeAsync(2100);
  expect(ask().seen).toEqual(ASKED);
});

test('a connection that is lost lets questions wait for a sign of life; where none can be they are refused', async () => {
  const { gate, ask, becomes } = gateBefore();
  gate.failed(ask().question, lost);
  const spared = ask();
  expect(spared.seen).toEqual({ asked: false, refused: '' });
  await vi.advanceTimersByTimeAsync(300);
  expect(spared.seen).toEqual(ASKED);
  becomes('refused');
  gate.failed(spared.question, lost);
  const refused = ask();
  await vi.advanceTimersByTimeAsync(300);
  expect(refused.seen).toEqual({ asked: false, refused: AWAY });
});

test('a place is taken until the database lets go of it, whether anybody still waits or not', async () => {
  const { gate, ask } = gateBefore();
  const [first] = [ask(), ask()];
  await vi.advanceTimersByTimeAsync(5100);
  expect(first.seen.refused).toBe(LATE);
  const next = ask();
  expect(next.seen.asked).toBe(false);
  gate.answered(first.question);
  expect(next.seen).toEqual(ASKED);
});

test('what is answered in time leaves nothing that goes on', async () => {
  const { gate, ask } = gateBefore();
  gate.answered(ask().question);
  expect(await gate.inTime(Promise.resolve('done'))).toBe('done');
  await vi.advanceTimersByTimeAsync(100);
  expect(vi.getTimerCount()).toBe(0);
});

test('a transaction has as much time as a question', async () => {
  const { gate } = gateBefore();
  const outcome = gate.inTime(new Promise(() => {})).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(5100);
  expect(await outcome).toMatchObject({ code: 'STORE_BUSY' });
});
