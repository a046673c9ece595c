import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newListening, type SessionEvents } from '../../../src/store/pool/notifications.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A server that can be away; keeps the statements that reached it. */
const openWorld = () => {
  const state = { isAway: false, sessions: 0, statements: [] as string[], attempts: 0 };
  let events: SessionEvents | undefined;
  const listening = newListening((given) => {
    state.sessions += 1;
    events = given;
    const unsafe = async (text: string): Promise<void> => {
      state.attempts += 1;
      if (state.isAway) throw new Error('away');
      state.statements.push(text);
    };
    // Of the driver's queries only that they are awaited matters here.
    return { unsafe, end: async () => {} } as unknown as ReturnType<Parameters<typeof newListening>[0]>;
  });
  return {
    state,
    ...listening,
    announce: (channel: string, payload: string): void => events?.onNotify(channel, payload),
    loses: (): void => events?.onClose(),
  };
};

test('announcements reach all who listen on a channel, over one session, until they listen no more', async () => {
  const { state, listen, announce } = openWorld();
  const heard: string[] = [];
  const first = await listen('days', (payload) => heard.push(`first ${payload}`));
  await listen('days', (payload) => heard.push(`second ${payload}`));
  await listen('odd "name"', (payload) => heard.push(`odd ${payload}`));
  announce('days', '1');
  announce('odd "name"', '2');
  await first.unlisten();
  announce('days', '3');
  expect(heard).toEqual(['first 1', 'second 1', 'odd 2', 'second 3']);
  expect([state.sessions, state.statements]).toEqual([1, ['listen "days"', 'listen "odd ""name"""']]);
});

test('after a loss it listens on all channels again by one statement, and says that something may have been missed', async () => {
  const { state, listen, loses } = openWorld();
  const begun: string[] = [];
  await listen(
    'days',
    () => {},
    () => begun.push('days'),
  );
  await listen(
    'keys',
    () => {},
    () => begun.push('keys'),
  );
  state.isAway = true;
  loses();
  await vi.advanceTimersByTimeAsync(60_000);
  // At pauses up to five seconds, one attempt after the other.
  expect(state.attempts - 2).toBeGreaterThanOrEqual(12);
  expect(state.attempts - 2).toBeLessThan(35);
  state.isAway = false;
  await vi.advanceTimersByTimeAsync(5000);
  expect(state.statements.at(-1)).toBe('listen "days"; listen "keys"');
  expect([begun, state.sessions]).toEqual([['days', 'keys', 'days', 'keys'], 1]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(state.statements).toHaveLength(3);
});

test('who cannot begin to listen is told, and is not heard of again', async () => {
  const { state, listen } = openWorld();
  state.isAway = true;
  await expect(listen('days', () => {})).rejects.toThrow('away');
  state.isAway = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([state.statements, vi.getTimerCount()]).toEqual([[], 0]);
});

test('once it is ended it tries no more', async () => {
  const { state, listen, loses, end } = openWorld();
  await listen('days', () => {});
  state.isAway = true;
  loses();
  end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([state.attempts, vi.getTimerCount()]).toEqual([1, 0]);
});
