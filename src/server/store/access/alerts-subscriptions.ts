import { formatDate, toUtcDate } from '#domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';

/**
 * SQL condition for queries with an `alert_account a`: its subscription has a key for alerts that is neither revoked nor expired at `now`.
 * Without one, nothing is pushed or published for the account.
 */
export const hasValidKey = (sql: Sql, now: Date) => sql`
  exists (
    select from subscription_key k
    where k.subscription_id = a.subscription_id and k.revoked_at is null
      and (k.expires_on is null or k.expires_on >= ${formatDate(toUtcDate(now))}::date)
      and 'flight-info-alerts' = any(k.products)
  )`;
