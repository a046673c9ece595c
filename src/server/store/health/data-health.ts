import type { DataHealth } from '#domain/health/data-health.ts';
import { addDays, toUtcDate, formatDate } from '#domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';

type Row = {
  readonly clock: Date;
  readonly bytes: bigint;
  readonly loadedAt: Date | null;
  readonly expandedTo: string | null;
  readonly instances: bigint;
  readonly observedAt: Date | null;
  readonly quarantined: bigint;
  readonly set: { readonly builtAt: string; readonly from: string; readonly days: number } | null;
  readonly unsequenced: bigint;
  readonly undistributed: bigint;
  readonly endpoints: bigint;
  readonly disabled: bigint;
  readonly deadLetters: bigint;
  readonly valid: bigint;
  readonly expiringSoon: bigint;
};

/** Keys that expire within these days are counted as expiring soon. */
const SOON_DAYS = 30;

/**
 * Reads the state of the data for health checks. Counts small tables, and reads only yesterday and today of large ones: 0.1 s with 3,000,000
 * instances.
 */
export const readDataHealth = async (sql: Sql, now: Date): Promise<DataHealth> => {
  const today = toUtcDate(now);
  const yesterday = formatDate(addDays(today, -1));
  const [row] = await sql<Row[]>`
    select clock_timestamp() as clock,
      pg_database_size(current_database()) as bytes,
      (select max(loaded_at) from load where kind in ('ssim', 'demo')) as "loadedAt",
      (select max(day) from (
        select day, row_number() over (order by day) as nth from expanded_day where laid_out and day >= ${yesterday}
      ) days where day = ${yesterday}::date + (nth - 1)::int) as "expandedTo",
      (select coalesce(sum(instances), 0)::bigint from expanded_day) as instances,
      (select max(observed_at) from flight_status where departs_on between ${yesterday} and ${formatDate(today)}) as "observedAt",
      (select count(*) from status_quarantine) as quarantined,
      (select json_build_object('builtAt', built_at, 'from', from_date, 'days', days)
        from connection_snapshot order by id desc limit 1) as set,
      (select count(*) from event_outbox) as unsequenced,
      (select e.last_pos - d.last_pos from event_log_end e cross join event_distribution d) as undistributed,
      (select count(*) from push_endpoint) as endpoints,
      (select count(*) from push_endpoint where disabled_at is not null) as disabled,
      (select count(*) from push_dead_letter) as "deadLetters",
      (select count(*) from subscription_key
        where revoked_at is null and coalesce(expires_on >= ${formatDate(today)}, true)) as valid,
      (select count(*) from subscription_key
        where revoked_at is null and expires_on between ${formatDate(today)} and ${formatDate(addDays(today, SOON_DAYS))}
      ) as "expiringSoon"`;
  if (!row) throw new Error('the health query returned no row');
  return {
    clock: row.clock,
    bytes: Number(row.bytes),
    schedules: {
      loadedAt: row.loadedAt ?? undefined,
      expandedTo: row.expandedTo ?? undefined,
      instances: Number(row.instances),
    },
    status: { observedAt: row.observedAt ?? undefined, quarantined: Number(row.quarantined) },
    connections: row.set ? { ...row.set, builtAt: new Date(row.set.builtAt) } : undefined,
    events: { unsequenced: Number(row.unsequenced), undistributed: Number(row.undistributed) },
    push: {
      endpoints: Number(row.endpoints),
      disabled: Number(row.disabled),
      deadLetters: Number(row.deadLetters),
    },
    keys: { valid: Number(row.valid), expiringSoon: Number(row.expiringSoon) },
  };
};
