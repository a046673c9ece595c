import { openAsBlob } from 'node:fs';
import { BlobReader, TextWriter, ZipReader } from '@zip.js/zip.js';
import { parse } from 'csv-parse/sync';

type Row = Readonly<Record<string, string>>;

/** The rows of the files of a GTFS feed, by file name. */
export type GtfsFeed = Readonly<Record<string, readonly Row[]>>;

/** Reads the archive of a GTFS feed. */
export const readGtfsFeed = async (path: string): Promise<GtfsFeed> => {
  const zip = new ZipReader(new BlobReader(await openAsBlob(path)));
  const files: Record<string, readonly Row[]> = {};
  for (const entry of await zip.getEntries())
    if (!entry.directory)
      files[entry.filename] = parse(await entry.getData(new TextWriter(), { useWebWorkers: false }), { columns: true });
  await zip.close();
  return files;
};

/** The columns that must have a value in each row, and those that form its key. */
const rules: Readonly<Record<string, { readonly required: readonly string[]; readonly key: readonly string[] }>> = {
  'agency.txt': { required: ['agency_id', 'agency_name', 'agency_url', 'agency_timezone'], key: ['agency_id'] },
  'stops.txt': { required: ['stop_id', 'stop_name', 'stop_lat', 'stop_lon'], key: ['stop_id'] },
  'routes.txt': { required: ['route_id', 'agency_id', 'route_short_name', 'route_type'], key: ['route_id'] },
  'trips.txt': { required: ['route_id', 'service_id', 'trip_id'], key: ['trip_id'] },
  'stop_times.txt': {
    required: ['trip_id', 'arrival_time', 'departure_time', 'stop_id', 'stop_sequence', 'pickup_type', 'drop_off_type'],
    key: ['trip_id', 'stop_sequence'],
  },
  'calendar_dates.txt': { required: ['service_id', 'date', 'exception_type'], key: ['service_id', 'date'] },
  'feed_info.txt': { required: ['feed_publisher_name', 'feed_publisher_url', 'feed_lang'], key: ['feed_lang'] },
};

const references = [
  ['routes.txt', 'agency_id', 'agency.txt'],
  ['trips.txt', 'route_id', 'routes.txt'],
  ['trips.txt', 'service_id', 'calendar_dates.txt'],
  ['stop_times.txt', 'trip_id', 'trips.txt'],
  ['stop_times.txt', 'stop_id', 'stops.txt'],
] as const;

const toMinutes = (time = ''): number => {
  const [, hours, minutes] = /^(\d{2,}):([0-5]\d):00$/.exec(time) ?? [];
  if (hours === undefined) throw new Error(`'${time}' is no time of a feed`);
  return Number(hours) * 60 + Number(minutes);
};

/** Lists the rows of each trip in the order of the stops. */
const groupByTrip = (feed: GtfsFeed): ReadonlyMap<string, readonly Row[]> =>
  Map.groupBy(feed['stop_times.txt'] ?? [], ({ trip_id: trip = '' }) => trip);

/** Lists the violations of the mandatory rules of the GTFS reference; empty for a valid feed. */
export const listGtfsViolations = (feed: GtfsFeed): readonly string[] => {
  const violations: string[] = [];
  const check = (rule: string, holds: boolean): void => void (holds || violations.push(rule));
  check(
    `files ${Object.keys(feed).join()}`,
    Object.keys(rules).every((name) => feed[name] !== undefined),
  );
  for (const [name, { required, key }] of Object.entries(rules)) {
    const rows = feed[name] ?? [];
    for (const column of required)
      check(
        `${name} ${column}`,
        rows.every((row) => (row[column] ?? '') !== ''),
      );
    check(`${name} key`, new Set(rows.map((row) => key.map((column) => row[column]).join())).size === rows.length);
  }
  for (const [name, column, target] of references) {
    const known = new Set((feed[target] ?? []).map((row) => row[column]));
    check(
      `${name} ${column} in ${target}`,
      (feed[name] ?? []).every((row) => known.has(row[column])),
    );
  }
  const zones = new Set((feed['agency.txt'] ?? []).map(({ agency_timezone: zone }) => zone));
  check('one time zone', zones.size <= 1);
  check('one feed_info', feed['feed_info.txt']?.length === 1);
  check(
    'dates',
    (feed['calendar_dates.txt'] ?? []).every(({ date = '' }) => /^\d{8}$/.test(date)),
  );
  const byTrip = groupByTrip(feed);
  check('stop times of each trip', byTrip.size === feed['trips.txt']?.length);
  for (const [trip, rows] of byTrip) {
    check(`${trip} has two stops`, rows.length >= 2);
    const times = rows.flatMap((row) => [toMinutes(row['arrival_time']), toMinutes(row['departure_time'])]);
    check(
      `${trip} times ascend`,
      times.every((time, index) => index === 0 || time >= (times[index - 1] ?? 0)),
    );
    check(
      `${trip} sequence`,
      rows.every((row, index) => row['stop_sequence'] === String(index + 1)),
    );
  }
  return violations;
};

/** A format costs more than a thousand of its uses. */
const formats = new Map<string, Intl.DateTimeFormat>();
const findFormat = (zone: string): Intl.DateTimeFormat => {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  formats.set(zone, format);
  return format;
};

/**
 * Returns the instant of a service time as a reader of the feed computes it with the offsets of the runtime: noon of the service day in the zone,
 * minus 12 hours, plus the time.
 */
const toInstant = (date: string, time: string | undefined, zone: string): string => {
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
  const noonAsUtc = Date.parse(`${day}T12:00Z`);
  const shown = Date.parse(`${findFormat(zone).format(noonAsUtc).replace(' ', 'T')}Z`);
  const noon = noonAsUtc - (shown - noonAsUtc);
  return `${new Date(noon + (toMinutes(time) - 720) * 60_000).toISOString().slice(0, 16)}Z`;
};

/** Lists every flight leg of a feed as `XX101 LHR 2026-06-01T10:00Z JFK 2026-06-01T18:00Z`, sorted. */
export const listFeedLegs = (feed: GtfsFeed): readonly string[] => {
  const zone = feed['agency.txt']?.[0]?.['agency_timezone'] ?? '';
  const dates = Map.groupBy(feed['calendar_dates.txt'] ?? [], ({ service_id: service }) => service);
  const stops = groupByTrip(feed);
  const legs = (feed['trips.txt'] ?? []).flatMap(({ trip_id: trip = '', service_id: service, trip_short_name: name }) =>
    (dates.get(service) ?? []).flatMap(({ date = '' }) =>
      (stops.get(trip) ?? []).flatMap((arrival, index, rows) => {
        const departure = rows[index - 1];
        if (!departure) return [];
        const departs = toInstant(date, departure['departure_time'], zone);
        const arrives = toInstant(date, arrival['arrival_time'], zone);
        return [`${name} ${departure['stop_id']} ${departs} ${arrival['stop_id']} ${arrives}`];
      }),
    ),
  );
  return legs.toSorted();
};
