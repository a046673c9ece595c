import type { HealthFinding } from '#domain/health/data-health.ts';
import { toMinuteOfDay, toUtcMinute } from '#domain/time/dates.ts';
import { toLocalMinute } from '#domain/time/zones.ts';
import { listLiveRequests, type LiveRequestState } from '#store/live/live-requests.ts';
import { listLiveCounts, type LiveCount } from '#store/live/live-rows.ts';
import type { Sql } from '#store/pool/database.ts';
import { readLiveRegistry, type LiveSource } from './live-registry.ts';

/** The age of the data of a live feed. */
export type LiveAge = {
  readonly name: string;
  /** Age of the oldest data of today among the airports, seconds; undefined before the first answer of each. */
  readonly ageSeconds: number | undefined;
  /** Why the data are old; undefined when they are current, or the first answers have not arrived. */
  readonly stale: string | undefined;
};

/** The state of a live feed for operators. */
export type LiveSourceStatus = LiveAge & {
  readonly title: string;
  readonly licence: string;
  readonly attribution: string;
  readonly link: string;
  /** Airports that are followed; empty when the source is not followed. */
  readonly places: readonly string[];
  /** The last answer that was accepted. */
  readonly succeededAt: Date | undefined;
  /** The last error since the last success, and until when the source is not requested. */
  readonly error: string | undefined;
  readonly pausedUntil: Date | undefined;
  readonly rows: Readonly<Record<'taken' | 'unchanged' | 'rejected' | 'quarantined', number>>;
  /** Counts by reason and value: of rows and answers that were not taken, and of texts without a meaning. */
  readonly details: readonly Pick<LiveCount, 'kind' | 'reason' | 'value' | 'count'>[];
};

const MINUTE_MS = 60_000;

/** Local hours in which an airport always has departures or arrivals. */
const OPEN_FROM = 7;
const OPEN_TO = 23;

const isToday = ({ request }: LiveRequestState): boolean => /^0(?: |$)/.test(request);

const formatMinutes = (ms: number): string => {
  const minutes = Math.round(ms / MINUTE_MS);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
};

const findStaleContent = (source: LiveSource, today: readonly LiveRequestState[], now: Date): string | undefined => {
  if (source.contentMinutes === undefined) return undefined;
  const hour = Math.floor(toMinuteOfDay(toLocalMinute(source.zone, toUtcMinute(now))) / 60);
  const newest = Math.max(...today.map(({ newestActual }) => newestActual?.getTime() ?? -Infinity));
  if (hour < OPEN_FROM || hour >= OPEN_TO || newest === -Infinity) return undefined;
  const ageMs = now.getTime() - newest;
  return ageMs >= source.contentMinutes * MINUTE_MS
    ? `its newest actual time is ${formatMinutes(ageMs)} old`
    : undefined;
};

const findStale = (source: LiveSource, today: readonly LiveRequestState[], now: Date): string | undefined => {
  const limitMs = source.staleMinutes * MINUTE_MS;
  const old = today.filter(({ observedAt, failures }) =>
    observedAt ? now.getTime() - observedAt.getTime() > limitMs : failures > 0,
  );
  const [first] = old.toSorted((a, b) => (a.observedAt?.getTime() ?? 0) - (b.observedAt?.getTime() ?? 0));
  if (!first) return findStaleContent(source, today, now);
  const places = new Set(old.map(({ place }) => place));
  const where = `${[...places].slice(0, 5).join(', ')}${places.size > 5 ? ` and ${places.size - 5} more` : ''}`;
  return first.observedAt
    ? `the data of ${where} are up to ${formatMinutes(now.getTime() - first.observedAt.getTime())} old`
    : `no answer for ${where} yet`;
};

const toAge = (source: LiveSource, requests: readonly LiveRequestState[], now: Date): LiveAge => {
  const today = requests.filter(isToday);
  const times = today.flatMap(({ observedAt }) => observedAt?.getTime() ?? []);
  const isKnown = times.length > 0 && times.length === today.length;
  return {
    name: source.name,
    // The clock of a source can be ahead.
    ageSeconds: isKnown ? Math.max(0, Math.round((now.getTime() - Math.min(...times)) / 1000)) : undefined,
    stale: findStale(source, today, now),
  };
};

const toStatus = (
  source: LiveSource,
  {
    states,
    counts,
    now,
  }: { readonly states: readonly LiveRequestState[]; readonly counts: readonly LiveCount[]; readonly now: Date },
): LiveSourceStatus => {
  const own = states.filter((one) => one.source === source.name);
  const requests = own.filter(({ place }) => place !== '');
  const pause = own.find(({ place }) => place === '');
  const succeeded = requests.flatMap(({ succeededAt }) => succeededAt ?? []);
  const failed = own
    .filter(({ error }) => error !== undefined)
    .toSorted((a, b) => (b.failedAt?.getTime() ?? 0) - (a.failedAt?.getTime() ?? 0));
  const ofSource = counts.filter((one) => one.source === source.name);
  const total = (kind: string): number => ofSource.reduce((sum, one) => sum + (one.kind === kind ? one.count : 0), 0);
  return {
    ...toAge(source, requests, now),
    title: source.title,
    licence: source.licence,
    attribution: source.attribution,
    link: source.link,
    places: [...new Set(requests.flatMap(({ place }) => place.split(',')))],
    succeededAt: succeeded.length === 0 ? undefined : new Date(Math.max(...succeeded.map((at) => at.getTime()))),
    error: failed[0]?.error,
    pausedUntil: pause && pause.nextAt > now ? pause.nextAt : undefined,
    rows: {
      taken: total('taken'),
      unchanged: total('unchanged'),
      rejected: total('rejected'),
      quarantined: total('quarantined'),
    },
    details: ofSource
      .filter(({ kind }) => kind !== 'taken' && kind !== 'unchanged')
      .map(({ kind, reason, value, count }) => ({ kind, reason, value, count })),
  };
};

/** Lists the state of all live feeds; of those that are not followed, the registry and what was counted before. */
export const listLiveStatus = async (sql: Sql | undefined, now: Date): Promise<readonly LiveSourceStatus[]> => {
  const states = sql ? await listLiveRequests(sql) : [];
  const counts = sql ? await listLiveCounts(sql) : [];
  return readLiveRegistry().map((source) => toStatus(source, { states, counts, now }));
};

/** Lists the age of the live feeds that are followed. */
export const listLiveAges = async (sql: Sql, now: Date): Promise<readonly LiveAge[]> => {
  const states = (await listLiveRequests(sql)).filter(({ place }) => place !== '');
  return readLiveRegistry().flatMap((source) => {
    const requests = states.filter((one) => one.source === source.name);
    return requests.length === 0 ? [] : [toAge(source, requests, now)];
  });
};

/** Returns a finding for each live feed that is followed. */
export const assessLiveFeeds = (statuses: readonly LiveSourceStatus[]): readonly HealthFinding[] =>
  statuses
    .filter(({ places }) => places.length > 0)
    .map(({ name, places, stale, ageSeconds, error, pausedUntil, rows }) => {
      const age =
        ageSeconds === undefined
          ? 'not all answers have arrived'
          : `data up to ${formatMinutes(ageSeconds * 1000)} old`;
      const problems = [stale, error, pausedUntil && `not requested before ${pausedUntil.toISOString()}`].filter(
        Boolean,
      );
      const texts = [
        `${places.length} ${places.length === 1 ? 'airport' : 'airports'}`,
        ...(stale === undefined ? [age] : []),
        ...problems,
        `${rows.taken} rows taken, ${rows.rejected + rows.quarantined} rejected`,
      ];
      return { name: 'live feed', level: stale === undefined ? 'ok' : 'warning', text: `${name}: ${texts.join('; ')}` };
    });
