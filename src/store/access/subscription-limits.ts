import type { Sql } from '../pool/database.ts';

/** Limits of one subscription, where they are not the default; 0 means that there is none. */
export type LimitOverrides = { readonly perMinute?: number; readonly perMonth?: number; readonly atOnce?: number };

/** The same as stored: null means the default. `per_month` is a bigint, which the driver reads as text. */
export type LimitColumns = {
  readonly perMinute: number | null;
  readonly perMonth: string | null;
  readonly atOnce: number | null;
};

/** The limits that columns hold; undefined where each is the default, as it is of most subscriptions. */
export const readLimits = ({ perMinute, perMonth, atOnce }: LimitColumns): LimitOverrides | undefined =>
  perMinute === null && perMonth === null && atOnce === null
    ? undefined
    : {
        ...(perMinute !== null && { perMinute }),
        ...(perMonth !== null && { perMonth: Number(perMonth) }),
        ...(atOnce !== null && { atOnce }),
      };

/** A limit to be set; null goes back to the default, undefined leaves it as it is. */
export type LimitChanges = { readonly [Limit in keyof LimitOverrides]: number | null | undefined };

/** Sets limits of a subscription, by name; answers what it has now, or undefined when there is no such subscription. */
export const updateLimits = async (
  sql: Sql,
  name: string,
  { perMinute, perMonth, atOnce }: LimitChanges,
): Promise<LimitOverrides | undefined> => {
  const [row] = await sql<LimitColumns[]>`
    update subscription set
      per_minute = case when ${perMinute !== undefined} then ${perMinute ?? null}::integer else per_minute end,
      per_month = case when ${perMonth !== undefined} then ${perMonth ?? null}::bigint else per_month end,
      at_once = case when ${atOnce !== undefined} then ${atOnce ?? null}::integer else at_once end
    where name = ${name.trim()}
    returning per_minute as "perMinute", per_month as "perMonth", at_once as "atOnce"`;
  return row && (readLimits(row) ?? {});
};
