/** The callbacks of a signal, and the one listener that calls them. */
type Subscribers = { readonly callbacks: Set<() => void>; readonly listener: () => void };

const signals = new WeakMap<AbortSignal, Subscribers>();

const listenTo = (signal: AbortSignal): Subscribers => {
  const callbacks = new Set<() => void>();
  const listener = (): void => {
    signals.delete(signal);
    for (const callback of callbacks) callback();
  };
  signal.addEventListener('abort', listener, { once: true });
  return { callbacks, listener };
};

/**
 * Calls back once when a signal is aborted, immediately if it already is. Returns a function that unsubscribes. Each signal has one
 * listener for all calls: Node.js 20 warns of a leak from the eleventh listener on.
 */
export const onAbort = (signal: AbortSignal, callback: () => void): (() => void) => {
  if (signal.aborted) {
    callback();
    return () => undefined;
  }
  const subscribers = signals.get(signal) ?? listenTo(signal);
  signals.set(signal, subscribers);
  subscribers.callbacks.add(callback);
  return () => {
    subscribers.callbacks.delete(callback);
    if (subscribers.callbacks.size > 0 || signals.get(signal) !== subscribers) return;
    // Some platforms keep a signal in memory as long as it has a listener.
    signals.delete(signal);
    signal.removeEventListener('abort', subscribers.listener);
  };
};
