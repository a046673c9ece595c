import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NotificationListener, type SessionEvents } from '#store/pool/driver/notifications.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A listener over a server that can be unreachable; records the statements that reached the server. */
const createListener = () => {
  const state = { isUnreachable: false, sessions: 0, statements: [] as string[], attempts: 0 };
  let events: SessionEvents | undefined;
  const listener = new NotificationListener((callbacks) => {
    state.sessions += 1;
    events = callbacks;
    const unsafe = async (text: string): Promise<void> => {
      state.attempts += 1;
      if (state.isUnreachable) throw new Error('away');
      state.statements.push(text);
    };
    // The listener only awaits the driver's queries.
    return { unsafe, end: async () => {} } as unknown as ReturnType<
      ConstructorParameters<typeof NotificationListener>[0]
    >;
  });
  return {
    state,
    listener,
    notify: (channel: string, payload: string): void => events?.onNotify(channel, payload),
    loseConnection: (): void => events?.onClose(),
  };
};

test('notifications reach all listeners of a channel over one session, until they stop listening', async () => {
  const { state, listener, notify } = createListener();
  const received: string[] = [];
  const first = await listener.listen('days', (payload) => received.push(`first ${payload}`));
  await listener.listen('days', (payload) => received.push(`second ${payload}`));
  await listener.listen('odd "name"', (payload) => received.push(`odd ${payload}`));
  notify('days', '1');
  notify('odd "name"', '2');
  await first.unlisten();
  notify('days', '3');
  expect(received).toEqual(['first 1', 'second 1', 'odd 2', 'second 3']);
  expect([state.sessions, state.statements]).toEqual([1, ['listen "days"', 'listen "odd ""name"""']]);
});

test('listens on all channels again by one statement after a loss, and calls onListening', async () => {
  const { state, listener, loseConnection } = createListener();
  const started: string[] = [];
  const ignore = (): void => {};
  for (const channel of ['days', 'keys']) await listener.listen(channel, ignore, () => void started.push(channel));
  state.isUnreachable = true;
  loseConnection();
  await vi.advanceTimersByTimeAsync(60_000);
  // One attempt after the other, with pauses of up to five seconds.
  expect(state.attempts - 2).toBeGreaterThanOrEqual(12);
  expect(state.attempts - 2).toBeLessThan(35);
  state.isUnreachable = false;
  await vi.advanceTimersByTimeAsync(5000);
  expect(state.statements.at(-1)).toBe('listen "days"; listen "keys"');
  expect([started, state.sessions]).toEqual([['days', 'keys', 'days', 'keys'], 1]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(state.statements).toHaveLength(3);
});

test('rejects when it cannot start listening, and does not retry', async () => {
  const { state, listener } = createListener();
  state.isUnreachable = true;
  await expect(listener.listen('days', () => {})).rejects.toThrow('away');
  state.isUnreachable = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([state.statements, vi.getTimerCount()]).toEqual([[], 0]);
});

test('stops retrying once it is closed', async () => {
  const { state, listener, loseConnection } = createListener();
  await listener.listen('days', () => {});
  state.isUnreachable = true;
  loseConnection();
  listener.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([state.attempts, vi.getTimerCount()]).toEqual([1, 0]);
});
