/** In which requests are counted: a minute of the clock, or a month of the calendar, both UTC. */
export type WindowKind = 'minute' | 'month';

/** From `startsAt` on and before `endsAt`, milliseconds since 1970 UTC. */
export type RequestWindow = { readonly startsAt: number; readonly endsAt: number };

const MINUTE_MS = 60_000;

/** The window of a kind in which an instant lies, milliseconds since 1970 UTC. */
export const windowAt = (kind: WindowKind, now: number): RequestWindow => {
  if (kind === 'minute') {
    const startsAt = Math.floor(now / MINUTE_MS) * MINUTE_MS;
    return { startsAt, endsAt: startsAt + MINUTE_MS };
  }
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { startsAt: Date.UTC(year, month), endsAt: Date.UTC(year, month + 1) };
};

/** Whole seconds from an instant to the end of a window, at least 1: after so long the next window has begun. */
export const secondsToEnd = ({ endsAt }: RequestWindow, now: number): number =>
  Math.max(1, Math.ceil((endsAt - now) / 1000));
