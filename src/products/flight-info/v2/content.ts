import type { ListQuery } from './routes.ts';

/** The datasets a caller wants with each flight. */
export type Content = {
  readonly status: 'latest' | 'history' | undefined;
  readonly withSeats: boolean;
  readonly withMap: boolean;
};

/** Reads the parameter Content; the whole history holds the latest status, so it wins where both are named. */
export const contentOf = (names: ListQuery['Content']): Content => ({
  status: names?.includes('StatusHistory') ? 'history' : names?.includes('Status') ? 'latest' : undefined,
  withSeats: names?.includes('Seats') ?? false,
  withMap: names?.includes('Map') ?? false,
});
