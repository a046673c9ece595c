import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { CodeshareList } from '#domain/connections/rules/codeshares.ts';
import { buildConnectingRecords, type ExclusionReason } from '#domain/connections/flights/connecting-records.ts';
import { isConnectingServiceType } from '#domain/connections/rules/pair-rules.ts';
import { ConnectionSetBuilder, withCounts } from '#domain/connections/set/connection-set-builder.ts';
import { CONNECTION_SET_FORMAT, type ConnectionSetData } from '#domain/connections/set/connection-set-data.ts';
import { readConnectionSet } from '#domain/connections/set/connection-set.ts';
import { MCT_DEFAULTS, type MctDefaults } from '#domain/connections/mct/mct-record.ts';
import type { RuleName } from '#domain/connections/rules/rule-verdict.ts';
import { createConnectionCounter } from '#domain/connections/search/connection-tally.ts';
import { addDays, toUtcDate, formatDate, type LocalDate } from '#domain/time/dates.ts';
import { computeItinerarySpan } from '#domain/schedule/instances.ts';
import type { DateSpan } from '#domain/time/period.ts';
import {
  disableIdleTimeout,
  findLatestDefaults,
  tryLockConnections,
  listNewestSnapshots,
  pruneSnapshots,
  insertSnapshot,
} from '#store/connections/connection-snapshots.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import { countItineraries } from '#store/schedules/schedules.ts';
import { toDesignatorKey } from '#domain/schedule/designators.ts';
import { readCancelledLegs, readFlightsInForce, readConnectionSources } from './connection-sources.ts';

/** The default number of local departure dates of a set. */
export const CONNECTION_DAYS = 365;

const DAY_MS = 86_400_000;
/** The age at which a set is rebuilt. */
const WEEK_MS = 7 * DAY_MS;
/** How long sets of other program versions are kept, because servers of these versions may still run. */
const OTHER_FORMATS_MS = 2 * WEEK_MS;

/** Extra dates of the flights that are read: leg 2 can depart days after leg 1, or before it across the date line. */
const MARGIN_DAYS = { before: 2, after: 40 };

export type ConnectionsBuildOptions = {
  /** The build time of the set. */
  readonly builtAt: Date;
  /** First local departure date of leg 1; by default the day before the UTC date of `builtAt`. */
  readonly from?: LocalDate | undefined;
  readonly days?: number | undefined;
  /** Minutes when no record applies; by default those of the previous set. */
  readonly defaults?: Partial<MctDefaults> | undefined;
  readonly onProgress?: ((step: string, done: number, total: number) => void) | undefined;
  /** Aborts the build: throws the reason, without changes. */
  readonly signal?: AbortSignal | undefined;
};

/** The figures of a build, stored with the set. */
export type ConnectionsReport = {
  /** `YYYY-MM-DD`. */
  readonly from: string;
  readonly days: number;
  readonly defaults: MctDefaults;
  readonly itineraries: number;
  /** Segments of flights, and the periods with distinct times of which they consist. */
  readonly flights: number;
  readonly records: number;
  readonly excluded: Readonly<Record<ExclusionReason, number>>;
  /** Pairs of flights within a day at one airport or city, and their results. */
  readonly candidates: number;
  readonly built: number;
  readonly rejected: Readonly<Record<RuleName, number>>;
};

export type ConnectionsBuildResult = ConnectionsReport & {
  readonly id: number;
  /** Size of the columns in memory and as stored. */
  readonly bytes: number;
  readonly storedBytes: number;
};

type ReadCounts = {
  itineraries: number;
  flights: number;
  records: number;
  readonly excluded: Record<ExclusionReason, number>;
};
type DepartureDays = { readonly from: LocalDate; readonly days: number };

/** Returns the day before the UTC date, which is still the local date in some places. */
const toFirstDay = (moment: Date): LocalDate => addDays(toUtcDate(moment), -1);

/** Returns the dates of the flights to read for a set. */
const toFlightSpan = ({ from, days }: DepartureDays): DateSpan => ({
  from: addDays(from, -MARGIN_DAYS.before),
  to: addDays(from, days + MARGIN_DAYS.after),
});

type Progress = Required<Pick<ConnectionsBuildOptions, 'onProgress'>> & Pick<ConnectionsBuildOptions, 'signal'>;

/** Yields to signals and timers, and throws when the build is aborted. */
const pauseBuild = async ({ signal }: Progress): Promise<void> => {
  await yieldToEventLoop();
  signal?.throwIfAborted();
};

const isWithin = ({ from, to }: DateSpan, span: DateSpan): boolean => from <= span.to && to >= span.from;

const createCounts = (): ReadCounts => ({
  itineraries: 0,
  flights: 0,
  records: 0,
  excluded: { 'service-type': 0, 'same-airport': 0, 'incomplete-itinerary': 0 },
});

const readFlights = async (
  sql: Sql,
  { from, days, defaults }: DepartureDays & { readonly defaults: MctDefaults },
  progress: Progress,
): Promise<{ readonly data: ConnectionSetData; readonly counts: ReadCounts }> => {
  const { masterData, mct, alliances } = await readConnectionSources(sql, from);
  // Codeshares are added while schedules are read; the set uses them when it is finished.
  const codeshares = new CodeshareList(masterData.carrier);
  const cooperation = { partners: mct.partners, alliances, codeshares: codeshares.pairs };
  const builder = new ConnectionSetBuilder({ from, days, mct, defaults, cooperation });
  const span = toFlightSpan({ from, days });
  const total = await countItineraries(sql, span);
  const cancelledLegs = await readCancelledLegs(sql);
  const counts = createCounts();
  for await (const inForce of readFlightsInForce(sql)) {
    // Codeshares of any date count, so that the type of a connection does not depend on the dates of the set.
    for (const itinerary of inForce) codeshares.add(itinerary);
    const itineraries = inForce.filter((itinerary) => isWithin(computeItinerarySpan(itinerary), span));
    const onLeftOut = (reason: ExclusionReason): void => {
      counts.excluded[reason] += 1;
    };
    let flight: object | undefined;
    const [first] = itineraries;
    const cancelled = first && cancelledLegs.get(toDesignatorKey(first.legs[0]));
    for (const record of buildConnectingRecords({ itineraries, cancelled }, masterData, onLeftOut)) {
      builder.add(record);
      if (!isConnectingServiceType(record.flight.serviceType)) continue;
      if (record.flight !== flight) counts.flights += 1;
      flight = record.flight;
      counts.records += 1;
    }
    const before = counts.itineraries;
    counts.itineraries += itineraries.length;
    if (Math.floor(before / 1000) === Math.floor(counts.itineraries / 1000)) continue;
    progress.onProgress('read flights', counts.itineraries, total);
    await pauseBuild(progress);
  }
  progress.onProgress('sort flights', 0, 1);
  await pauseBuild(progress);
  return { data: builder.finish(), counts };
};

/** Pairs that are examined between two pauses. */
const PAIRS_PER_STEP = 500_000;

const countConnections = async (data: ConnectionSetData, progress: Progress) => {
  const tally = createConnectionCounter(readConnectionSet(data));
  while (!tally.advance(PAIRS_PER_STEP)) {
    progress.onProgress('check pairs', tally.progress(), 1);
    await pauseBuild(progress);
  }
  return { tally: tally.result(), data: withCounts(data, tally.toColumns()) };
};

const build = async (sql: Sql, options: ConnectionsBuildOptions): Promise<ConnectionsBuildResult> => {
  const { builtAt, days = CONNECTION_DAYS, onProgress = () => {}, signal } = options;
  const defaults = { ...MCT_DEFAULTS, ...(await findLatestDefaults(sql)), ...options.defaults };
  const from = options.from ?? toFirstDay(builtAt);
  const progress = { onProgress, signal };
  const { data: uncounted, counts } = await readFlights(sql, { from, days, defaults }, progress);
  const { data, tally } = await countConnections(uncounted, progress);
  const report: ConnectionsReport = {
    from: formatDate(from),
    days,
    defaults,
    ...counts,
    ...tally,
  };
  onProgress('write', 0, 1);
  await pauseBuild(progress);
  const saved = await insertSnapshot(sql, { format: CONNECTION_SET_FORMAT, from, days, builtAt, report }, data);
  await pruneSnapshots(sql, {
    format: CONNECTION_SET_FORMAT,
    othersBefore: new Date(builtAt.getTime() - OTHER_FORMATS_MS),
  });
  signal?.throwIfAborted();
  return { ...report, ...saved };
};

/**
 * Builds under the advisory lock, which a separate connection holds: the snapshot of the build transaction starts with
 * its first statement, and must not be older than the lock.
 */
const withLock = async (
  db: Database,
  build: () => Promise<ConnectionsBuildResult | undefined>,
): Promise<ConnectionsBuildResult | undefined> =>
  db.begin(async (sql) => {
    await disableIdleTimeout(sql);
    return (await tryLockConnections(sql)) ? build() : undefined;
  });

const buildInTransaction = (db: Database, options: ConnectionsBuildOptions): Promise<ConnectionsBuildResult> =>
  db.begin('isolation level repeatable read', async (sql) => {
    await disableIdleTimeout(sql);
    return build(sql, options);
  });

/**
 * Builds the connection set from the schedules in force, master data and minimum connecting times, and publishes it
 * with a notification. Returns undefined when another process is building one.
 */
export const buildConnections = (
  db: Database,
  options: ConnectionsBuildOptions,
): Promise<ConnectionsBuildResult | undefined> => withLock(db, () => buildInTransaction(db, options));

/**
 * Returns whether a build is due: there is no set in the format of this program version, it is a week old, or it is
 * empty and the number of itineraries in its period has changed. Schedules of other periods, such as a past season, do
 * not make it due.
 */
export const isConnectionsBuildDue = async (sql: Sql, at: Date): Promise<boolean> => {
  const [newest] = await listNewestSnapshots(sql, CONNECTION_SET_FORMAT);
  // A clock that was set back makes a build due as well.
  if (newest === undefined || Math.abs(at.getTime() - newest.builtAt.getTime()) >= WEEK_MS) return true;
  if (newest.records > 0) return false;
  return (
    newest.itineraries !== (await countItineraries(sql, toFlightSpan({ from: toFirstDay(at), days: CONNECTION_DAYS })))
  );
};

/**
 * Builds the connection set if it is due. Returns undefined when it is not, or when another process is building one.
 */
export const buildConnectionsIfDue = (
  db: Database,
  options: ConnectionsBuildOptions,
): Promise<ConnectionsBuildResult | undefined> =>
  withLock(db, async () =>
    (await isConnectionsBuildDue(db, options.builtAt)) ? buildInTransaction(db, options) : undefined,
  );
