import type { Directory } from '../../../domain/master-data/directory.ts';
import type { StatusMessage } from '../../../domain/status/message.ts';
import { parseStatusMessage } from '../../../domain/status/observed-flight.ts';
import { toDate, type LocalDate } from '../../../domain/time/dates.ts';
import { type InstanceRow, createDay, listExistingDays } from '../../../store/flights/expanded-days.ts';
import type { Database, Sql } from '../../../store/pool/database.ts';
import { lockSchedules, getNewestLoadId } from '../../../store/schedules/schedules.ts';
import { formatStatusId, lockStatusesShared, type StatusId } from '../../../store/status/flight-statuses.ts';
import { listQuarantinedByNumber } from '../../../store/status/status-quarantine.ts';
import { type FlightMemory, rememberedFlights } from '../flights/flight-cache.ts';
import { OutOfDate } from '../flights/flight-snapshots.ts';
import { type Placed, placeMessages } from '../match/match-messages.ts';
import { runsOf } from '../match/message-batches.ts';
import { entriesOf, type Outcome, type PlacedMessage, storeMessages, type Taking } from '../store/store-messages.ts';

/** The days that flights need which no schedule holds, and that are not open yet; earliest first. */
const missingDays = async (sql: Sql, flights: readonly InstanceRow[]): Promise<readonly LocalDate[]> => {
  const days = [...new Set(flights.map(({ departsAt }) => toDate(departsAt)))];
  if (days.length === 0) return days;
  const opened = await listExistingDays(sql, days);
  return days.filter((day) => !opened.has(day)).toSorted((a, b) => a - b);
};

/** Opens such days; `sql` must be a transaction. */
const openDays = async (sql: Sql, days: readonly LocalDate[]): Promise<void> => {
  await lockSchedules(sql);
  for (const day of days) await createDay(sql, day);
};

/** Messages whose flights have been looked up, and the newest load that was there before. */
export type Batch = { readonly load: number; readonly placed: readonly PlacedMessage[] };

type Subjects = { readonly places: readonly StatusId[]; readonly plans: readonly InstanceRow[] };

const subjectsOf = (found: readonly Placed[]): Subjects => {
  const known = found.filter((placed) => 'subject' in placed);
  return { places: known.map(({ subject }) => subject), plans: known.flatMap(({ plan }) => plan?.row ?? []) };
};

/** The master data and, with the load as of which flights are looked up, what is remembered of them. */
type Looking = { readonly directory: Directory; readonly known?: ReturnType<FlightMemory['asOf']> | undefined };

const place = async (
  sql: Sql,
  messages: readonly Omit<PlacedMessage, 'placed'>[],
  { directory, known }: Looking,
): Promise<readonly PlacedMessage[]> => {
  const found = await placeMessages(
    sql,
    messages.map(({ message }) => message),
    directory,
  );
  const standing = await rememberedFlights(sql, subjectsOf(found), known);
  return messages.flatMap(({ index, message }, position): readonly PlacedMessage[] => {
    const placed = found[position];
    if (!placed) return [];
    if ('reason' in placed) return [{ index, message, placed }];
    const flight = standing.get(formatStatusId(placed.subject));
    if (!flight) throw new Error(`the flight of message ${message.id} was not looked up`);
    return [{ index, message, placed: { ...placed, standing: flight } }];
  });
};

/** Looks the flights of messages up; nothing is written. */
export const placeBatch = async (
  sql: Sql,
  messages: readonly StatusMessage[],
  { directory, memory }: Omit<Taking, 'clock'>,
): Promise<Batch> => {
  const load = await getNewestLoadId(sql);
  const numbered = messages.map((message, index) => ({ index, message }));
  return { load, placed: await place(sql, numbered, { directory, known: memory?.asOf(load) }) };
};

const isStray = ({ placed }: PlacedMessage): boolean => 'reason' in placed && placed.reason === 'no-such-flight';

type Transaction = <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;

/** `read` looks flights up, `open` and `write` run transactions: to open days, and to store. */
type Ways = { readonly read: Sql; readonly open: Transaction; readonly write: Transaction };

const outcomesOf = (batch: readonly PlacedMessage[], stored: ReadonlyMap<number, Outcome>): readonly Outcome[] =>
  batch.map(({ index, placed }): Outcome =>
    'reason' in placed ? { kind: 'quarantined', ...placed } : (stored.get(index) ?? { kind: 'duplicate' }),
  );

const storeBatch = async (
  { read, open, write }: Ways,
  batch: readonly PlacedMessage[],
  taking: Taking,
): Promise<readonly Outcome[]> => {
  const plans = entriesOf(batch).flatMap(({ placed }) => placed.plan?.row ?? []);
  const missing = await missingDays(read, plans);
  if (missing.length > 0) await open((sql) => openDays(sql, missing));
  // A message may speak of a flight that another one of its batch, or a later batch, describes: it is looked for again once
  // the flight is there.
  const described = new Set(plans.map(({ flightNumber }) => flightNumber));
  const strays = new Set(described.size > 0 ? batch.filter(isStray) : []);
  const others = batch.filter((one) => !strays.has(one));
  const stored = await write((sql) => storeMessages(sql, others, taking));
  const kept = described.size > 0 ? await listQuarantinedByNumber(read, [...described]) : [];
  if (strays.size + kept.length === 0) return outcomesOf(batch, stored);
  const released = kept.map((text, index) => ({ index: batch.length + index, message: parseStatusMessage(text) }));
  const again = await place(read, [...strays, ...released], taking);
  const storedLater = await write((sql) => storeMessages(sql, again, taking));
  const placedLater = new Map(again.map((one) => [one.index, one]));
  const settled = batch.map((one) => placedLater.get(one.index) ?? one);
  return outcomesOf(settled, new Map([...stored, ...storedLater]));
};

const transactionsOf = (db: Database, load: number): Ways => {
  const open: Transaction = async (work) =>
    db.begin(async (sql) => ({ done: await work(sql) })).then(({ done }) => done);
  const write: Transaction = (work) =>
    open(async (sql) => {
      // A load takes all statuses for itself before it counts its events, until it is committed. So while this transaction shares them
      // the schedules stay as they were looked up: its events tell what is in force, and those of the next load come after them.
      await lockStatusesShared(sql);
      if ((await getNewestLoadId(sql)) !== load) throw new OutOfDate('a schedule was loaded');
      return work(sql);
    });
  return { read: db, open, write };
};

/**
 * Stores messages whose flights were looked up: when this resolves, every one is stored with its flight, known to have been
 * stored before, or kept in quarantine. Answers what became of each, in its place. No transaction looks flights up, so that
 * none holds a day of instances that a schedule load may want to replace; when one was loaded since, or somebody else described one
 * of the flights, they are looked up again. The events that tell what the messages changed are written with them.
 */
export const storePlaced = async (db: Database, batch: Batch, taking: Taking): Promise<readonly Outcome[]> => {
  try {
    return await storeBatch(transactionsOf(db, batch.load), batch.placed, taking);
  } catch (error) {
    if (!(error instanceof OutOfDate)) throw error;
    const messages = batch.placed.map(({ message }) => message);
    return takeMessages(db, messages, taking);
  }
};

/** Takes a batch of status messages in: looks their flights up and stores them. */
export const takeMessages = async (
  db: Database,
  messages: readonly StatusMessage[],
  taking: Taking,
): Promise<readonly Outcome[]> => storePlaced(db, await placeBatch(db, messages, taking), taking);

/** Takes a batch in within a transaction that goes on; `sql` must hold the locks of all schedules and statuses. */
export const takeMessagesWithin = async (
  sql: Sql,
  messages: readonly StatusMessage[],
  taking: Taking,
): Promise<readonly Outcome[]> => {
  const within: Transaction = (work) => work(sql);
  const outcomes: Outcome[] = [];
  for (const run of runsOf(messages)) {
    const { placed } = await placeBatch(sql, run, taking);
    outcomes.push(...(await storeBatch({ read: sql, open: within, write: within }, placed, taking)));
  }
  return outcomes;
};
