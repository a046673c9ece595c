import type { RequestLimits } from './limits.ts';
import { computeSecondsToEnd, type TimeWindow, type WindowKind } from '../../lib/fixed-window.ts';

/** A window in which requests are counted, as a server knows it. */
export type CountedWindow = {
  readonly kind: WindowKind;
  readonly window: TimeWindow;
  /** As many requests may be made in it. */
  readonly most: number;
  /** By all servers together, when this one last took some. */
  readonly taken: number;
  /** Of these, what this one has not handed out yet. */
  readonly left: number;
};

/** How many requests of a window have been handed out, as far as this server knows. */
export const handedOut = ({ taken, left }: CountedWindow): number => taken - left;

/** `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers-11; empty where there is no limit. */
export const policyText = (windows: readonly CountedWindow[], { atOnce }: RequestLimits): string =>
  [
    ...windows.map(({ kind, most, window }) => `"${kind}";q=${most};w=${(window.endsAt - window.startsAt) / 1000}`),
    ...(atOnce === 0 ? [] : [`"at-once";q=${atOnce};qu="concurrent-requests"`]),
  ].join(', ');

/** `RateLimit` of the same, at an instant in milliseconds since 1970; empty where no requests are counted. */
export const limitText = (windows: readonly CountedWindow[], now: number): string => {
  let text = '';
  for (const counted of windows) {
    const remaining = Math.max(0, counted.most - handedOut(counted));
    text += `${text && ', '}"${counted.kind}";r=${remaining};t=${computeSecondsToEnd(counted.window, now)}`;
  }
  return text;
};
