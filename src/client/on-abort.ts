/** Those who wait for a signal, and the one listener that tells them. */
type Waiting = { readonly all: Set<() => void>; readonly hear: () => void };

const signals = new WeakMap<AbortSignal, Waiting>();

const listenTo = (signal: AbortSignal): Waiting => {
  const all = new Set<() => void>();
  const hear = (): void => {
    signals.delete(signal);
    for (const tell of all) tell();
  };
  signal.addEventListener('abort', hear, { once: true });
  return { all, hear };
};

/**
 * Tells once that a signal is aborted, at once when it is already; answers how to take that back. A signal is listened to once, however
 * many calls share it: Node.js 20 warns of a leak from the eleventh listener on.
 */
export const onAbort = (signal: AbortSignal, tell: () => void): (() => void) => {
  if (signal.aborted) {
    tell();
    return () => undefined;
  }
  const waiting = signals.get(signal) ?? listenTo(signal);
  signals.set(signal, waiting);
  waiting.all.add(tell);
  return () => {
    waiting.all.delete(tell);
    if (waiting.all.size > 0 || signals.get(signal) !== waiting) return;
    // A platform may keep a signal alive for as long as somebody listens.
    signals.delete(signal);
    signal.removeEventListener('abort', waiting.hear);
  };
};
