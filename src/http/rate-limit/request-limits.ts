import { defaultRequestLimits, type RequestLimits } from './limits.ts';
import { Problem } from '../response/problem.ts';
import { openShares, type LimitHeaders, type RequestShares, type TakeRequests } from './rate-limiter.ts';

/** Whoever asks: the subscription, and those of its limits that are not the default. */
export type Asking = { readonly subscriptionId: number; readonly limits?: Partial<RequestLimits> | undefined };

/** A request that may be answered. */
export type Admission = {
  /** What its answer says of limits. */
  readonly headers: LimitHeaders;
  /** To be called once it is answered, or has come so far that it no longer counts among those at once; again does no harm. */
  readonly release: () => void;
};

/**
 * Admits a request of a subscription, at once where it can, or throws Problem `rate-limited`, `quota-used` or `too-many-at-once`; what it throws otherwise is what
 * taking threw.
 */
export type Admit = (asking: Asking) => Admission | Promise<Admission>;

export type RequestLimitsOptions = {
  readonly take: TakeRequests;
  readonly clock: () => Date;
  readonly defaults?: RequestLimits | undefined;
};

type Account = {
  readonly shares: RequestShares;
  /** Being answered. */
  open: number;
};

/** Limits what subscriptions ask: how often, by windows that all servers share, and how much at once of this one. */
export const createRequestLimits = ({ take, clock, defaults = defaultRequestLimits }: RequestLimitsOptions): Admit => {
  const accounts = new Map<number, Account>();

  const accountOf = (subscriptionId: number): Account => {
    const known = accounts.get(subscriptionId);
    if (known) return known;
    const made: Account = { shares: openShares(subscriptionId, take, clock), open: 0 };
    accounts.set(subscriptionId, made);
    return made;
  };

  return ({ subscriptionId, limits }) => {
    const account = accountOf(subscriptionId);
    const { shares } = account;
    const wanted = limits === undefined ? defaults : { ...defaults, ...limits };
    const now = clock().getTime();
    if (wanted.atOnce > 0 && account.open >= wanted.atOnce)
      throw new Problem(
        'too-many-at-once',
        `The subscription has ${wanted.atOnce} requests being answered, which is as many as it can have. Try again in 1 second.`,
        { headers: { ...shares.headers(now), 'Retry-After': '1' } },
      );
    let counted = 1;
    const release = (): void => {
      account.open -= counted;
      counted = 0;
    };
    const headers = shares.handOut(wanted, now);
    account.open += 1;
    if (headers) return { headers, release };
    return shares.takeAndHandOut(wanted).then(
      (told) => ({ headers: told, release }),
      (error: unknown) => {
        release();
        throw error;
      },
    );
  };
};
