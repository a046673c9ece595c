import { localDate } from '#domain/time/dates.ts';
import { parseInstant, truncateToSecond, type UtcMillisecond } from '#domain/status/instants.ts';
import type { UtcSecond } from '#domain/status/instants.ts';
import type { DatedReference, UnscheduledFlightDescription as Plan } from '#domain/status/message.ts';
import type { StatusMessage } from '#domain/status/message.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import type { MessageOutcome } from '#jobs/status/store/store-messages.ts';
import { ingestMessages } from '#jobs/status/ingest/status-ingester.ts';

/** Parses a valid instant, e.g. `2026-06-01T10:07Z`. */
const millisecond = (text: string): UtcMillisecond => {
  const instant = parseInstant(text);
  if (instant === undefined) throw new RangeError(`invalid instant: '${text}'`);
  return instant;
};

export const second = (text: string): UtcSecond => truncateToSecond(millisecond(text));

type ByDesignator = DatedReference;

/** XX 101 LHR-JFK of 1 June 2026 by default; the origin date may be text. */
export const flight = ({
  date = '2026-06-01',
  ...members
}: Partial<Omit<ByDesignator, 'by' | 'originDate'>> & { readonly date?: string } = {}): ByDesignator => ({
  by: 'designator',
  carrier: 'XX',
  flightNumber: 101,
  suffix: '',
  originDate: localDate(date),
  departureAirport: 'LHR',
  arrivalAirport: 'JFK',
  ...members,
});

/** A message of 09:00 UTC on 1 June 2026 on XX 101 without facts, by default. */
export const message = ({
  id,
  at = '2026-06-01T09:00Z',
  ...members
}: Partial<Omit<StatusMessage, 'observedAt'>> & { readonly id: string; readonly at?: string }): StatusMessage => ({
  id,
  source: 'test',
  observedAt: millisecond(at),
  flight: flight(),
  facts: {},
  landings: [],
  plan: undefined,
  ...members,
});

/** A line of a status file with a message of 09:00 UTC on XX 101 of 1 June 2026, by default. */
export const formatLine = (
  messageId: string,
  { flightNumber = 101, ...members }: { readonly flightNumber?: number; readonly [name: string]: unknown } = {},
): string => {
  const route = { departureAirport: 'LHR', arrivalAirport: 'JFK' };
  const flight = { carrier: 'XX', flightNumber, originDate: '2026-06-01', ...route };
  return JSON.stringify({ messageId, observedAt: '2026-06-01T09:00:00Z', flight, ...members });
};

/** A GA flight OPO-LIS from 10:00 to 11:00 UTC on 1 June 2026 by default. */
export const plan = ({
  departs = '2026-06-01T10:00Z',
  arrives = '2026-06-01T11:00Z',
  ...members
}: Partial<Omit<Plan, 'departsAt' | 'arrivesAt'>> & {
  readonly departs?: string;
  readonly arrives?: string | undefined;
} = {}): Plan => ({
  flightType: 'GA',
  departureAirport: 'OPO',
  arrivalAirport: 'LIS',
  departsAt: second(departs),
  arrivesAt: arrives === '' ? undefined : second(arrives),
  serviceType: 'D',
  aircraftType: { iata: '', icao: 'C56X' },
  recovers: undefined,
  ...members,
});

/** WW 7 OPO-LIS: the flight that `plan` describes. */
export const planned = flight({ carrier: 'WW', flightNumber: 7, departureAirport: 'OPO', arrivalAirport: 'LIS' });

/** Noon of 1 June 2026. */
export const noon = (): Date => new Date('2026-06-01T12:00:00Z');

export const ingest = async (db: Database, messages: readonly StatusMessage[]): Promise<readonly MessageOutcome[]> =>
  ingestMessages(db, messages, { masterDataIndex: await readMasterDataIndex(db), clock: noon });

/** Formats outcomes: `stored`, `duplicate`, or the reason of quarantine with the value. */
export const formatOutcomes = (outcomes: readonly MessageOutcome[]): readonly string[] =>
  outcomes.map((outcome) => (outcome.kind === 'quarantined' ? `${outcome.reason}: ${outcome.value}` : outcome.kind));

/** `id: XX101 LHR-JFK 06-01 11:00` of every message that is stored with a flight, by ID. */
export const listStoredMessages = async (db: Database): Promise<readonly string[]> => {
  const rows = await db<{ text: string }[]>`
    select m.id || ': ' || coalesce(nullif(c.iata, ''), c.icao, u.code) || i.flight_number || ' ' || a.iata || '-' || b.iata || ' '
      || to_char(i.departs_at, 'MM-DD HH24:MI') as text
    from status_message m
    left join flight_instance i on i.status_order = m.status_order and i.departs_at::date = m.departs_on and not i.is_marketing
    left join carrier c on c.id = i.carrier
    left join unconfirmed_carrier u on u.id = i.carrier
    left join location a on a.id = i.departure left join location b on b.id = i.arrival
    order by m.id`;
  return rows.map(({ text }) => text);
};

/** `id: reason` of every message in quarantine, by ID. */
export const listQuarantine = async (db: Database): Promise<readonly string[]> => {
  const rows = await db<{ text: string }[]>`select id || ': ' || reason as text from status_quarantine order by id`;
  return rows.map(({ text }) => text);
};

/** Returns all statuses and messages without their times of arrival: equal for equal results. */
export const dumpStatuses = async (db: Database): Promise<string> => {
  const statuses = await db`select * from flight_status order by departs_on, status_order`;
  const messages = await db`
    select departs_on, status_order, id, source, observed_at, told from status_message order by departs_on, status_order, id`;
  const diversions = await db`select * from flight_diversion order by departs_on, status_order, location`;
  const quarantined = await db`select id, source, observed_at, reason, message from status_quarantine order by id`;
  const flights = await db`
    select departs_at, key_order, arrives_at, status_order, flight_type, doc, original from flight_instance
    where flight_type <> 'S' order by departs_at, key_order`;
  return JSON.stringify([statuses, messages, diversions, quarantined, flights], (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
};

export const deleteStatuses = async (db: Database): Promise<void> => {
  await db`truncate flight_status, status_message, status_quarantine, flight_diversion`;
  await db`delete from flight_instance where flight_type <> 'S'`;
};

/** Resolves when this many transactions wait for a lock; `watcher` is a connection of its own. */
export const waitForWaiting = async (watcher: Sql, others: number): Promise<void> => {
  // Queried outside of the locking transaction, in which the view would not change.
  for (;;) {
    const [row] = await watcher<{ waiting: bigint }[]>`
      select count(*) as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    if (Number(row?.waiting) >= others) return;
  }
};

/** Locks a table until it is released, so that a test decides the order of transactions. */
export const lockTable = async (db: Database, table: string, mode = 'access exclusive') => {
  // A separate connection: in a shared one, another query could be queued before this one.
  const [holder, watcher] = [await db.reserve(), await db.reserve()];
  await holder.unsafe(`begin; lock table ${table} in ${mode} mode`);
  /** Resolves when this many transactions wait for a lock; they get the table in the order of their requests. */
  const untilWaiting = (others: number): Promise<void> => waitForWaiting(watcher, others);
  const release = async (afterMs = 0): Promise<void> => {
    await holder`select pg_sleep(${afterMs / 1000})`;
    await holder`commit`;
    holder.release();
    watcher.release();
  };
  return { untilWaiting, release };
};
