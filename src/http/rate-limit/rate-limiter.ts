import type { RequestLimits } from './limits.ts';
import { computeSecondsToEnd, computeWindow, type WindowKind } from '../../lib/fixed-window.ts';
import { Problem, type ProblemKind } from '../response/problem.ts';
import { handedOut, limitText, policyText, type CountedWindow } from './rate-limit-headers.ts';

type Wanted = {
  readonly subscriptionId: number;
  readonly wanted: number;
  readonly windows: readonly { readonly kind: WindowKind; readonly startsAt: Date; readonly most: number }[];
};
type Granted = { readonly kind: WindowKind; readonly granted: number; readonly taken: number };

/** Takes requests of windows out of what all servers share. */
export type TakeRequests = (wanted: Wanted) => Promise<readonly Granted[]>;

/** What an answer says of limits: `RateLimit-Policy` and `RateLimit`, where there are any. */
export type LimitHeaders = Readonly<Record<string, string>>;

/** What this server has of the windows of a subscription. */
export type RequestShares = {
  /**
   * Hands out one request of every window from memory, by the limits of now, an instant in milliseconds since 1970; undefined when more must be
   * taken first. Throws Problem `rate-limited` or `quota-used` when a window is used up.
   */
  readonly handOut: (limits: RequestLimits, now: number) => LimitHeaders | undefined;
  /** The same, once more has been taken. Throws what taking threw. */
  readonly takeAndHandOut: (limits: RequestLimits) => Promise<LimitHeaders>;
  readonly headers: (now: number) => LimitHeaders;
};

type Share = CountedWindow & { most: number; taken: number; left: number };

const SMALLEST_BLOCK = 32;
const LARGEST_BLOCK = 4096;
const OFTEN_MS = 1000;
const SELDOM_MS = 4000;

const refusals: Readonly<Record<WindowKind, { readonly kind: ProblemKind; readonly each: string }>> = {
  minute: { kind: 'rate-limited', each: 'a minute' },
  month: { kind: 'quota-used', each: 'a calendar month (UTC)' },
};

const sharesAt = ({ perMinute, perMonth }: RequestLimits, now: number): readonly Share[] =>
  [['minute', perMinute] as const, ['month', perMonth] as const].flatMap(([kind, most]) =>
    most === 0 ? [] : [{ kind, window: computeWindow(kind, now), most, left: 0, taken: 0 }],
  );

/** A limit that was lowered can be exceeded by what was handed out before. */
const isUsedUp = (share: Share): boolean => handedOut(share) >= share.most;

/** How many requests are taken at a time: about what is handed out in a second. */
const blockSizes = (beganAt: number): ((now: number) => number) => {
  let block = SMALLEST_BLOCK / 2;
  let takenAt = beganAt;
  return (now) => {
    const elapsed = now - takenAt;
    if (elapsed >= 0 && elapsed < OFTEN_MS) block = Math.min(block * 2, LARGEST_BLOCK);
    if (elapsed > SELDOM_MS) block = Math.max(block / 2, SMALLEST_BLOCK);
    takenAt = now;
    return block;
  };
};

/**
 * Shares the windows of a subscription with other servers. Requests are taken from what all of them have in blocks, and handed out from memory: a
 * block holds about what is asked in a second, and less the less is left. A block that cannot be taken, because the database is away, fails the
 * request as any question of the database would; what was taken before is still handed out.
 *
 * A clock that goes back comes into windows that it knows, in which what was taken is not there again, and out of them as time goes on.
 */
export const openShares = (subscriptionId: number, take: TakeRequests, clock: () => Date): RequestShares => {
  let shares: readonly Share[] = [];
  let known: RequestLimits | undefined;
  let policy = '';
  let waiting = 0;
  let taking: Promise<void> | undefined;
  const blockAt = blockSizes(clock().getTime());

  const isUpToDate = (limits: RequestLimits, now: number): boolean => {
    for (const { window } of shares) if (now < window.startsAt || now >= window.endsAt) return false;
    if (known === limits) return true;
    const { perMinute, perMonth, atOnce } = limits;
    return known?.perMinute === perMinute && known.perMonth === perMonth && known.atOnce === atOnce;
  };

  /**
   * Goes into the windows of now, by the limits of now; what is left of other windows is forgotten. What is left of the same one stays, whatever its
   * limit: keys of a subscription can be told of a new limit seconds apart, and would lose a block with each turn.
   */
  const renew = (limits: RequestLimits, now: number): void => {
    shares = sharesAt(limits, now).map((share) => {
      const had = shares.find(({ kind, window }) => kind === share.kind && window.startsAt === share.window.startsAt);
      return had ? Object.assign(had, { most: share.most }) : share;
    });
    known = limits;
    policy = policyText(shares, limits);
  };

  const headers = (now: number): LimitHeaders => {
    if (policy === '') return {};
    const text = limitText(shares, now);
    return text === '' ? { 'RateLimit-Policy': policy } : { 'RateLimit-Policy': policy, RateLimit: text };
  };

  const usedUp = ({ kind, most, window }: Share, now: number): Problem => {
    const seconds = computeSecondsToEnd(window, now);
    const refusal = refusals[kind];
    return new Problem(
      refusal.kind,
      `The subscription may ask ${most} times in ${refusal.each}, and has. Try again in ${seconds} seconds.`,
      { headers: { ...headers(now), 'Retry-After': String(seconds) } },
    );
  };

  const takeMore = async (): Promise<void> => {
    const empty = shares.filter(({ left }) => left === 0);
    const granted = await take({
      subscriptionId,
      wanted: Math.max(blockAt(clock().getTime()), waiting),
      windows: empty.map(({ kind, window, most }) => ({ kind, startsAt: new Date(window.startsAt), most })),
    });
    for (const share of empty) {
      const got = granted.find(({ kind }) => kind === share.kind);
      share.left = got?.granted ?? 0;
      share.taken = got?.taken ?? share.most;
    }
  };

  const more = async (): Promise<void> => {
    waiting += 1;
    try {
      taking ??= takeMore().finally(() => {
        taking = undefined;
      });
      await taking;
    } finally {
      waiting -= 1;
    }
  };

  const handOut = (limits: RequestLimits, now: number): LimitHeaders | undefined => {
    if (!isUpToDate(limits, now)) renew(limits, now);
    let isEmpty = false;
    for (const share of shares) {
      if (isUsedUp(share)) throw usedUp(share, now);
      isEmpty ||= share.left === 0;
    }
    if (isEmpty) return undefined;
    for (const share of shares) share.left -= 1;
    return headers(now);
  };

  /** What is taken may go to others that wait as well: then this one asks again. */
  const takeAndHandOut = async (limits: RequestLimits): Promise<LimitHeaders> => {
    for (;;) {
      await more();
      const told = handOut(limits, clock().getTime());
      if (told) return told;
    }
  };

  return { handOut, takeAndHandOut, headers };
};
