import { setImmediate as nextTurn } from 'node:timers/promises';
import { listCodeshares } from '../../domain/connections/rules/codeshares.ts';
import { buildConnectingRecords, type ExclusionReason } from '../../domain/connections/flights/connecting-records.ts';
import { ConnectionSetBuilder } from '../../domain/connections/set/connection-set-builder.ts';
import { CONNECTION_SET_FORMAT, type ConnectionSetData } from '../../domain/connections/set/connection-set-data.ts';
import { readConnectionSet } from '../../domain/connections/set/connection-set.ts';
import { MCT_DEFAULTS, type MctDefaults } from '../../domain/connections/mct/mct-record.ts';
import type { RuleName } from '../../domain/connections/rules/rule-verdict.ts';
import { createConnectionCounter } from '../../domain/connections/search/connection-tally.ts';
import { addDays, toUtcDate, formatDate, type LocalDate } from '../../domain/time/dates.ts';
import type { DateSpan } from '../../domain/time/period.ts';
import {
  disableIdleTimeout,
  findLatestDefaults,
  tryLockConnections,
  listNewestSnapshots,
  pruneSnapshots,
  insertSnapshot,
} from '../../store/connections/connection-snapshots.ts';
import type { Database, Sql } from '../../store/pool/database.ts';
import { countItineraries } from '../../store/schedules/schedules.ts';
import { readFlightsInForce, readConnectionSources } from './connection-sources.ts';

/** How many local dates a set holds the departures of, unless told otherwise. */
export const CONNECTION_DAYS = 365;

const DAY_MS = 86_400_000;
/** A set is built anew once it is so old. */
const WEEK_MS = 7 * DAY_MS;
/** Sets of other versions of the program are kept for so long, since servers of these may still be there. */
const OTHERS_MS = 2 * WEEK_MS;

/** Leg 2 can depart before leg 1 across the date line, and some days after it: flights are read with these dates to spare. */
const SPARE_DAYS = { before: 2, after: 40 };

/** Which connections are built. */
export type ConnectionsBuildOptions = {
  /** The moment that the set is of. */
  readonly builtAt: Date;
  /** First local date of departure of leg 1; the day before the UTC date of `builtAt` unless told otherwise. */
  readonly from?: LocalDate | undefined;
  readonly days?: number | undefined;
  /** Minutes where no record applies; what is not told stays as it was in the set before. */
  readonly defaults?: Partial<MctDefaults> | undefined;
  readonly onProgress?: ((step: string, done: number, total: number) => void) | undefined;
  /** Ends the work early: nothing changes, and the reason is thrown. */
  readonly signal?: AbortSignal | undefined;
};

/** What was built, in numbers; it is kept with the set. */
export type ConnectionsReport = {
  /** `YYYY-MM-DD`. */
  readonly from: string;
  readonly days: number;
  readonly defaults: MctDefaults;
  readonly itineraries: number;
  /** Pairs of a board and an off point that take part, and the periods with times of their own that they consist of. */
  readonly flights: number;
  readonly records: number;
  readonly leftOut: Readonly<Record<ExclusionReason, number>>;
  /** Pairs of flights that meet within a day at one airport or city, and what became of them. */
  readonly looked: number;
  readonly built: number;
  readonly refused: Readonly<Record<RuleName, number>>;
};

export type ConnectionsBuildResult = ConnectionsReport & {
  readonly id: number;
  /** Of its columns, as they are and as they are stored. */
  readonly bytes: number;
  readonly storedBytes: number;
};

type Counts = {
  itineraries: number;
  flights: number;
  records: number;
  readonly leftOut: Record<ExclusionReason, number>;
};
type Span = { readonly from: LocalDate; readonly days: number };

/** The day before by UTC: it is still that day somewhere. */
const firstDayAt = (moment: Date): LocalDate => addDays(toUtcDate(moment), -1);

/** The dates of the flights that a set is made of. */
const spanToRead = ({ from, days }: Span): DateSpan => ({
  from: addDays(from, -SPARE_DAYS.before),
  to: addDays(from, days + SPARE_DAYS.after),
});

type Watched = Required<Pick<ConnectionsBuildOptions, 'onProgress'>> & Pick<ConnectionsBuildOptions, 'signal'>;

/** Lets signals and timers have their turn, and ends the work when it is no longer wanted. */
const turn = async ({ signal }: Watched): Promise<void> => {
  await nextTurn();
  signal?.throwIfAborted();
};

const noCounts = (): Counts => ({
  itineraries: 0,
  flights: 0,
  records: 0,
  leftOut: { 'service-type': 0, 'same-airport': 0, 'incomplete-itinerary': 0 },
});

const gather = async (
  sql: Sql,
  { from, days, defaults }: Span & { readonly defaults: MctDefaults },
  watched: Watched,
): Promise<{ readonly data: ConnectionSetData; readonly counts: Counts }> => {
  const { places, mct, alliances } = await readConnectionSources(sql, from);
  // Grows while schedules are read; the set takes it when it is finished.
  const codeshares: (readonly [string, string])[] = [];
  const known = new Set<string>();
  const cooperation = { partners: mct.partners, alliances, codeshares };
  const builder = new ConnectionSetBuilder({ from, days, mct, defaults, cooperation });
  const span = spanToRead({ from, days });
  const total = await countItineraries(sql, span);
  const counts = noCounts();
  for await (const itineraries of readFlightsInForce(sql, span)) {
    for (const pair of itineraries.flatMap(listCodeshares)) {
      if (known.has(pair.join())) continue;
      known.add(pair.join());
      codeshares.push(pair);
    }
    const onLeftOut = (reason: ExclusionReason): void => {
      counts.leftOut[reason] += 1;
    };
    let flight: object | undefined;
    for (const record of buildConnectingRecords(itineraries, places, onLeftOut)) {
      if (record.flight !== flight) counts.flights += 1;
      flight = record.flight;
      counts.records += 1;
      builder.add(record);
    }
    const before = counts.itineraries;
    counts.itineraries += itineraries.length;
    if (Math.floor(before / 1000) === Math.floor(counts.itineraries / 1000)) continue;
    watched.onProgress('read flights', counts.itineraries, total);
    await turn(watched);
  }
  watched.onProgress('put them in order', 0, 1);
  await turn(watched);
  return { data: builder.finish(), counts };
};

/** Pairs that are looked at before others have a turn. */
const PAIRS_AT_ONCE = 500_000;

const look = async (data: ConnectionSetData, watched: Watched) => {
  const tally = createConnectionCounter(readConnectionSet(data));
  while (!tally.advance(PAIRS_AT_ONCE)) {
    watched.onProgress('look at pairs', tally.progress(), 1);
    await turn(watched);
  }
  return tally.result();
};

const build = async (sql: Sql, wanted: ConnectionsBuildOptions): Promise<ConnectionsBuildResult> => {
  const { builtAt, days = CONNECTION_DAYS, onProgress = () => {}, signal } = wanted;
  const defaults = { ...MCT_DEFAULTS, ...(await findLatestDefaults(sql)), ...wanted.defaults };
  const from = wanted.from ?? firstDayAt(builtAt);
  const watched = { onProgress, signal };
  const { data, counts } = await gather(sql, { from, days, defaults }, watched);
  const report: ConnectionsReport = {
    from: formatDate(from),
    days,
    defaults,
    ...counts,
    ...(await look(data, watched)),
  };
  onProgress('write', 0, 1);
  await turn(watched);
  const saved = await insertSnapshot(sql, { format: CONNECTION_SET_FORMAT, from, days, builtAt, report }, data);
  await pruneSnapshots(sql, {
    format: CONNECTION_SET_FORMAT,
    othersBefore: new Date(builtAt.getTime() - OTHERS_MS),
  });
  signal?.throwIfAborted();
  return { ...report, ...saved };
};

/**
 * The set is made of one state of the database, and others see it whole or not at all. The lock is held on a connection of its own: what the
 * work sees is settled by its first statement, and must not be older than the lock.
 */
const underLock = async (
  db: Database,
  work: () => Promise<ConnectionsBuildResult | undefined>,
): Promise<ConnectionsBuildResult | undefined> =>
  db.begin(async (sql) => {
    await disableIdleTimeout(sql);
    return (await tryLockConnections(sql)) ? work() : undefined;
  });

const buildOnce = (db: Database, wanted: ConnectionsBuildOptions): Promise<ConnectionsBuildResult> =>
  db.begin('isolation level repeatable read', async (sql) => {
    await disableIdleTimeout(sql);
    return build(sql, wanted);
  });

/**
 * Builds the set of connections anew from the schedules in force, master data and minimum connecting times, and publishes it: servers are told.
 * Undefined when somebody else is building one.
 */
export const buildConnections = (
  db: Database,
  wanted: ConnectionsBuildOptions,
): Promise<ConnectionsBuildResult | undefined> => underLock(db, () => buildOnce(db, wanted));

/**
 * Whether a set is to be built at a moment: there is none that this version of the program reads, it is a week old, or it holds no flight
 * and schedules have come since. Schedules of which it can hold nothing, as of a season that is over, do not make it due again and again.
 */
export const isConnectionsBuildDue = async (sql: Sql, at: Date): Promise<boolean> => {
  const [newest] = await listNewestSnapshots(sql, CONNECTION_SET_FORMAT);
  // A clock that was set back, as for a rehearsal, makes another time of it as well.
  if (newest === undefined || Math.abs(at.getTime() - newest.builtAt.getTime()) >= WEEK_MS) return true;
  if (newest.records > 0) return false;
  return (
    newest.itineraries !== (await countItineraries(sql, spanToRead({ from: firstDayAt(at), days: CONNECTION_DAYS })))
  );
};

/** The same where it is due. Undefined when it is not, or when somebody else is building. */
export const buildConnectionsIfDue = (
  db: Database,
  wanted: ConnectionsBuildOptions,
): Promise<ConnectionsBuildResult | undefined> =>
  underLock(db, async () => ((await isConnectionsBuildDue(db, wanted.builtAt)) ? buildOnce(db, wanted) : undefined));
