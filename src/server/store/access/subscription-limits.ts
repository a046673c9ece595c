import type { Sql } from '../pool/database.ts';

/** Limits of a subscription that differ from the default; 0 means no limit. */
export type LimitOverrides = { readonly perMinute?: number; readonly perMonth?: number; readonly atOnce?: number };

/** The columns of the limits: null means the default. `per_month` is a bigint, which the driver reads as text. */
export type LimitColumns = {
  readonly perMinute: number | null;
  readonly perMonth: string | null;
  readonly atOnce: number | null;
};

/** Reads limits from their columns; undefined when all are the default, as for most subscriptions. */
export const readLimits = ({ perMinute, perMonth, atOnce }: LimitColumns): LimitOverrides | undefined =>
  perMinute === null && perMonth === null && atOnce === null
    ? undefined
    : {
        ...(perMinute !== null && { perMinute }),
        ...(perMonth !== null && { perMonth: Number(perMonth) }),
        ...(atOnce !== null && { atOnce }),
      };

/** Changes of limits: null restores the default, undefined changes nothing. */
export type LimitChanges = { readonly [Limit in keyof LimitOverrides]: number | null | undefined };

/** Updates limits of a subscription, by name, and returns all its limits; undefined when there is no such subscription. */
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
