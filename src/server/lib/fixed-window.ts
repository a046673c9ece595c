/** Unit of a fixed window, in which requests are counted: a minute or a calendar month, both UTC. */
export type WindowKind = 'minute' | 'month';

/** A half-open interval: `startsAt` is included, `endsAt` is not; milliseconds since 1970 UTC. */
export type TimeWindow = { readonly startsAt: number; readonly endsAt: number };

const MINUTE_MS = 60_000;

/** Computes the fixed window that contains an instant, milliseconds since 1970 UTC. */
export const computeWindow = (kind: WindowKind, now: number): TimeWindow => {
  if (kind === 'minute') {
    const startsAt = Math.floor(now / MINUTE_MS) * MINUTE_MS;
    return { startsAt, endsAt: startsAt + MINUTE_MS };
  }
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { startsAt: Date.UTC(year, month), endsAt: Date.UTC(year, month + 1) };
};

/** Computes the whole seconds from an instant to the end of a window, at least 1; the next window has begun after them. */
export const computeSecondsToEnd = ({ endsAt }: TimeWindow, now: number): number =>
  Math.max(1, Math.ceil((endsAt - now) / 1000));
