import { localDate } from '../../../src/domain/time/dates.ts';
import {
  parseInstant,
  truncateToSecond,
  type UtcMillisecond,
  type UtcSecond,
} from '../../../src/domain/status/instants.ts';
import type { FlightPlan, FlightReference, StatusMessage } from '../../../src/domain/status/message.ts';
import type { Database } from '../../../src/store/pool/database.ts';
import { readDirectory } from '../../../src/jobs/cache/read-directory.ts';
import type { MessageOutcome } from '../../../src/jobs/status/store/store-messages.ts';
import { ingestMessages } from '../../../src/jobs/status/ingest/ingest-messages.ts';

/** A moment known to be right, e.g. `2026-06-01T10:07Z`. */
export const millisecond = (text: string): UtcMillisecond => {
  const instant = parseInstant(text);
  if (instant === undefined) throw new RangeError(`not an instant: '${text}'`);
  return instant;
};

/** The second of such a moment. */
export const second = (text: string): UtcSecond => truncateToSecond(millisecond(text));

type ByDesignator = Extract<FlightReference, { by: 'designator' }>;

/** XX 101 LHR-JFK of 1 June 2026, unless told otherwise; the origin date may be given as text. */
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

/** A message of 09:00 UTC on 1 June 2026 on XX 101 that says nothing, unless told otherwise. */
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

/** A GA flight OPO-LIS from 10:00 to 11:00 UTC on 1 June 2026, unless told otherwise. */
export const plan = ({
  departs = '2026-06-01T10:00Z',
  arrives = '2026-06-01T11:00Z',
  ...members
}: Partial<Omit<FlightPlan, 'departsAt' | 'arrivesAt'>> & {
  readonly departs?: string;
  readonly arrives?: string | undefined;
} = {}): FlightPlan => ({
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

/** Takes a batch in with the master data as it is now. */
export const take = async (db: Database, messages: readonly StatusMessage[]): Promise<readonly MessageOutcome[]> =>
  ingestMessages(db, messages, { directory: await readDirectory(db), clock: noon });

/** `stored`, `duplicate`, or why it was quarantined with the value told: what became of each message of a batch. */
export const fates = (outcomes: readonly MessageOutcome[]): readonly string[] =>
  outcomes.map((outcome) => (outcome.kind === 'quarantined' ? `${outcome.reason}: ${outcome.value}` : outcome.kind));

/** `id: XX101 LHR-JFK 06-01 11:00` of every message that is kept with a flight, by id. */
export const keptWith = async (db: Database): Promise<readonly string[]> => {
  const rows = await db<{ text: string }[]>`
    select m.id || ': ' || coalesce(nullif(c.iata, ''), c.icao) || i.flight_number || ' ' || a.iata || '-' || b.iata || ' '
      || to_char(i.departs_at, 'MM-DD HH24:MI') as text
    from status_message m
    left join flight_instance i on i.status_order = m.status_order and i.departs_at::date = m.departs_on and not i.is_marketing
    left join carrier c on c.id = i.carrier
    left join location a on a.id = i.departure left join location b on b.id = i.arrival
    order by m.id`;
  return rows.map(({ text }) => text);
};

/** `id: reason` of every message in quarantine, by id. */
export const quarantined = async (db: Database): Promise<readonly string[]> => {
  const rows = await db<{ text: string }[]>`select id || ': ' || reason as text from status_quarantine order by id`;
  return rows.map(({ text }) => text);
};

/** All that statuses and messages amount to, but for when they came: the same for every way to the same end. */
export const everythingKept = async (db: Database): Promise<string> => {
  const statuses = await db`select * from flight_status order by departs_on, status_order`;
  const messages = await db`
    select departs_on, status_order, id, source, observed_at, told from status_message order by departs_on, status_order, id`;
  const diversions = await db`select * from flight_diversion order by departs_on, status_order, location`;
  const kept = await db`select id, source, observed_at, reason, message from status_quarantine order by id`;
  const flights = await db`
    select departs_at, key_order, arrives_at, status_order, flight_type, doc, original from flight_instance
    where flight_type <> 'S' order by departs_at, key_order`;
  return JSON.stringify([statuses, messages, diversions, kept, flights], (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
};

/** Forgets all statuses, and the flights that no schedule holds. */
export const forgetStatuses = async (db: Database): Promise<void> => {
  await db`truncate flight_status, status_message, status_quarantine, flight_diversion`;
  await db`delete from flight_instance where flight_type <> 'S'`;
};

export type HeldTable = {
  /** Resolves when so many others wait for a lock in this database; they will get the table in the order in which they came. */
  readonly untilWaiting: (others: number) => Promise<void>;
  /** Lets the others go on, at once or after some milliseconds. */
  readonly release: (afterMs?: number) => Promise<void>;
};

/** Locks a table, against everyone unless told otherwise, until it is released, so that a test decides who comes first. */
export const holdTable = async (db: Database, table: string, mode = 'access exclusive'): Promise<HeldTable> => {
  // The one that watches has a connection of its own, since another's question might stand before its own in a common one.
  const [holder, watcher] = [await db.reserve(), await db.reserve()];
  await holder.unsafe(`begin; lock table ${table} in ${mode} mode`);
  const untilWaiting = async (others: number): Promise<void> => {
    // Asked outside of the holder's transaction, in which this view would stand still.
    for (;;) {
      const [row] = await watcher<{ waiting: bigint }[]>`
        select count(*) as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      if (Number(row?.waiting) >= others) return;
    }
  };
  const release = async (afterMs = 0): Promise<void> => {
    await holder`select pg_sleep(${afterMs / 1000})`;
    await holder`commit`;
    holder.release();
    watcher.release();
  };
  return { untilWaiting, release };
};
