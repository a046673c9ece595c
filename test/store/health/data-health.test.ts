import { expect, test } from 'vitest';
import { readDataHealth } from '#store/health/data-health.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { insertSampleAccount } from '../alerts/sample-accounts.ts';

const { sql: db } = await sharedDatabase();
const now = new Date('2027-03-10T12:00:00Z');

test('returns the state of a filled store', async () => {
  await db`insert into load (kind, source, sha256, report, loaded_at) values
    ('ssim', 'a', '', '{}', '2027-03-08T10:00Z'), ('ssim', 'b', '', '{}', '2027-03-09T10:00Z'), ('mct', 'c', '', '{}', '2027-03-10T10:00Z')`;
  // A gap on the 13th: days after it do not count as expanded.
  await db`insert into expanded_day (day, instances, laid_out) values
    ('2027-03-08', 1, true), ('2027-03-09', 2, true), ('2027-03-10', 3, true), ('2027-03-11', 4, true), ('2027-03-12', 5, true),
    ('2027-03-13', 0, false), ('2027-03-14', 6, true)`;
  await db`insert into flight_status
    (departs_on, status_order, key, departure, arrival, scheduled_out, departure_offset, arrival_offset, observed_at) values
    ('2027-03-08', 1, '\\x01', 1, 2, 0, 0, 0, '2027-03-10T11:58Z'), ('2027-03-09', 2, '\\x02', 1, 2, 0, 0, 0, '2027-03-10T11:00Z'),
    ('2027-03-10', 3, '\\x03', 1, 2, 0, 0, 0, '2027-03-10T11:30Z'), ('2027-03-11', 4, '\\x04', 1, 2, 0, 0, 0, '2027-03-10T11:59Z')`;
  await db`insert into status_quarantine (id, source, observed_at, reason, message) values ('q', 's', ${now}, 'no-such-flight', '{}')`;
  await db`insert into connection_snapshot (format, from_date, days, built_at, header, report) values
    (1, '2027-03-01', 365, '2027-03-01T02:00Z', '', '{}'), (1, '2027-03-08', 364, '2027-03-08T02:00Z', '', '{}')`;
  await db`insert into event_outbox (seq) values (1), (2), (3)`;
  await db`update event_log_end set last_pos = 12`;
  await db`update event_distribution set last_pos = 8`;
  const { id } = await insertSampleAccount(db);
  await db`insert into push_endpoint (account_id, url, description, signing, active, disabled_for, disabled_at, created_at, updated_at)
    values (${id}, '', '', '', true, null, null, ${now}, ${now}), (${id}, '', '', '', false, 'gone', ${now}, ${now}, ${now})`;
  await db`insert into push_dead_letter (endpoint_id, number, last_number, attempts, reason, given_up_at)
    select id, 1, 1, 12, '', ${now} from push_endpoint`;
  await db`insert into subscription_key (subscription_id, hash, hint, products, expires_on, revoked_at)
    select id, sha256(on_day::text::bytea), '', '{}', on_day, ended
    from subscription cross join (values
      ('2027-03-09'::date, null::timestamptz), ('2027-03-10', null), ('2027-04-09', null), ('2027-04-10', null), ('2027-03-20', ${now})
    ) one (on_day, ended)`;
  const { clock: _clock, bytes: _bytes, ...rest } = await readDataHealth(db, now);
  expect(rest).toEqual({
    schedules: { loadedAt: new Date('2027-03-09T10:00:00Z'), expandedTo: '2027-03-12', instances: 21 },
    status: { observedAt: new Date('2027-03-10T11:30:00Z'), quarantined: 1 },
    connections: { builtAt: new Date('2027-03-08T02:00:00Z'), from: '2027-03-08', days: 364 },
    events: { unsequenced: 3, undistributed: 4 },
    push: { endpoints: 2, disabled: 1, deadLetters: 2 },
    keys: { valid: 4, expiringSoon: 2 },
  });
});
