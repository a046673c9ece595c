import { ZipWriter } from '@zip.js/zip.js';
import type { CancelledLegs } from '#domain/connections/flights/connecting-records.ts';
import { findCarrier, findStation, type MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { Location } from '#domain/master-data/master-data.ts';
import { toDesignatorKey } from '#domain/schedule/designators.ts';
import type { Designator } from '#domain/schedule/schedule.ts';
import { addDays, formatDate, type LocalDate } from '#domain/time/dates.ts';
import type { DateSpan } from '#domain/time/period.ts';
import { formatCsvLine } from '#lib/csv-line.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import { getNewestLoadId } from '#store/schedules/schedules.ts';
import { readMasterDataIndex } from '../cache/read-master-data-index.ts';
import { readCancelledLegs, readFlightsInForce } from '../connections/connection-sources.ts';
import { assertCarriersKnown } from './export-flights.ts';
import { buildTrips, type LeftOutReason, type PassengerMode, type Trip } from './gtfs-trips.ts';

export type GtfsExportOptions = DateSpan & {
  /** IATA or ICAO codes; undefined means all carriers. */
  readonly carriers: readonly string[] | undefined;
  /** The IANA zone of all agencies: GTFS requires the same for all. */
  readonly agencyZone: string;
  readonly publisher: { readonly name: string; readonly url: string };
  /** The modification time of the files in the archive. */
  readonly createdAt: Date;
  /** Receives the next bytes of the archive. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Ends the export between two flights; it then rejects with the reason. */
  readonly signal?: AbortSignal | undefined;
};

export type GtfsExportReport = {
  readonly agencies: number;
  readonly stops: number;
  readonly routes: number;
  readonly trips: number;
  /** Trips multiplied by their days. */
  readonly departures: number;
  /** Departures of legs that are in no trip. */
  readonly leftOut: Readonly<Record<LeftOutReason, number>>;
  /** Stations without a position, which the departures `no position` serve. */
  readonly unknownPositions: readonly string[];
  /** Trips with a restriction between two stops that GTFS cannot express. */
  readonly inexactTrips: number;
};

/** Basic route types; air service is one of the extended types, because the basic types have none for flights. */
const routeTypes: Readonly<Record<PassengerMode, number>> = { rail: 2, bus: 3, boat: 4, air: 1100 };

type PositionedLocation = Location & { readonly latitude: number; readonly longitude: number };

const hasPosition = (location: Location | undefined): location is PositionedLocation =>
  location?.latitude !== undefined && location.longitude !== undefined;

/** GTFS dates are `YYYYMMDD`. */
const formatServiceDate = (date: LocalDate): string => formatDate(date).replaceAll('-', '');

const formatServiceTime = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:00`;

const formatName = ({ carrier, flightNumber, suffix }: Designator): string => `${carrier}${flightNumber}${suffix}`;

/** Formats service days as a bit set, so that each set of days is stored once. */
const packDates = (dates: Iterable<LocalDate>, first: LocalDate): string => {
  let bits = 0n;
  for (const date of dates) bits |= 1n << BigInt(date - first);
  return bits.toString(2);
};

const unpackDates = (bits: string, first: LocalDate): readonly LocalDate[] =>
  [...bits].toReversed().flatMap((bit, index) => (bit === '1' ? [addDays(first, index)] : []));

/** Returns the ID of the route of a mode; of a flight with several modes, those on the surface have a name of their own. */
const toRouteId = (name: string, mode: PassengerMode, trips: readonly Trip[]): string =>
  mode === 'air' || trips.every((trip) => trip.mode === mode) ? name : `${name}-${mode}`;

type FlightTrips = { readonly flight: Designator; readonly trips: readonly Trip[] };

type Sources = {
  readonly index: MasterDataIndex;
  readonly cancelledLegs: ReadonlyMap<string, CancelledLegs>;
  /** Ids of the carriers to export; undefined means all. */
  readonly carrierIds: ReadonlySet<number> | undefined;
};

/** Writes the files of one feed. `trips.txt` is first: it collects what the others list. */
class GtfsFeed {
  readonly #sql: Sql;
  readonly #options: GtfsExportOptions;
  readonly #sources: Sources;
  /** A departure in another zone can be on a service day before the first local date. */
  readonly #firstDate: LocalDate;
  readonly #agencies = new Set<string>();
  readonly #stops = new Map<string, PositionedLocation>();
  readonly #routes = new Map<string, { readonly flight: Designator; readonly mode: PassengerMode }>();
  readonly #services = new Map<string, number>();
  readonly #unknownPositions = new Set<string>();
  readonly #leftOut = {
    marketing: 0,
    'no passengers': 0,
    'unknown vehicle': 0,
    'no position': 0,
    cancelled: 0,
    reversed: 0,
  };
  #trips = 0;
  #departures = 0;
  #inexactTrips = 0;

  constructor(sql: Sql, options: GtfsExportOptions, sources: Sources) {
    this.#sql = sql;
    this.#options = options;
    this.#sources = sources;
    this.#firstDate = addDays(options.from, -2);
  }

  /** Returns the files in the order of writing. */
  list(): readonly (readonly [name: string, lines: Iterable<string> | AsyncIterable<string>])[] {
    return [
      ['trips.txt', this.#tripLines()],
      ['stop_times.txt', this.#stopTimeLines()],
      ['agency.txt', this.#agencyLines()],
      ['stops.txt', this.#stopLines()],
      ['routes.txt', this.#routeLines()],
      ['calendar_dates.txt', this.#calendarDateLines()],
      ['feed_info.txt', this.#feedInfoLines()],
    ];
  }

  report(): GtfsExportReport {
    return {
      agencies: this.#agencies.size,
      stops: this.#stops.size,
      routes: this.#routes.size,
      trips: this.#trips,
      departures: this.#departures,
      leftOut: this.#leftOut,
      unknownPositions: [...this.#unknownPositions].toSorted(),
      inexactTrips: this.#inexactTrips,
    };
  }

  async *#readTrips(onLeftOut?: (reason: LeftOutReason) => void): AsyncGenerator<FlightTrips> {
    const { from, to, agencyZone, signal } = this.#options;
    const { index, cancelledLegs, carrierIds } = this.#sources;
    for await (const itineraries of readFlightsInForce(this.#sql)) {
      signal?.throwIfAborted();
      const [flight] = itineraries[0]?.legs ?? [];
      const owner = flight && findCarrier(index, flight.carrier);
      if (!flight || (carrierIds && !(owner && carrierIds.has(owner.id)))) continue;
      const trips = buildTrips(itineraries, {
        span: { from, to },
        agencyZone,
        zoneOf: (station) => findStation(index, station)?.zone,
        hasPosition: (station) => this.#checkPosition(station),
        cancelled: cancelledLegs.get(toDesignatorKey(flight)),
        onLeftOut,
      });
      if (trips.length > 0) yield { flight, trips };
    }
  }

  #checkPosition(station: string): boolean {
    const known = hasPosition(findStation(this.#sources.index, station));
    if (!known) this.#unknownPositions.add(station);
    return known;
  }

  #addStop(station: string): void {
    const location = findStation(this.#sources.index, station);
    if (hasPosition(location)) this.#stops.set(station, location);
  }

  #getServiceId(dates: Iterable<LocalDate>): number {
    const packed = packDates(dates, this.#firstDate);
    const id = this.#services.get(packed) ?? this.#services.size + 1;
    this.#services.set(packed, id);
    return id;
  }

  async *#tripLines(): AsyncGenerator<string> {
    yield formatCsvLine(['route_id', 'service_id', 'trip_id', 'trip_headsign', 'trip_short_name']);
    const countLeftOut = (reason: LeftOutReason): void => void (this.#leftOut[reason] += 1);
    for await (const { flight, trips } of this.#readTrips(countLeftOut)) {
      const name = formatName(flight);
      this.#agencies.add(flight.carrier);
      for (const [index, { mode, stops, dates, isInexact }] of trips.entries()) {
        const routeId = toRouteId(name, mode, trips);
        this.#routes.set(routeId, { flight, mode });
        for (const { station } of stops) this.#addStop(station);
        this.#trips += 1;
        this.#departures += dates.size;
        if (isInexact) this.#inexactTrips += 1;
        const destination = stops.at(-1)?.station ?? '';
        const headsign = this.#stops.get(destination)?.name || destination;
        yield formatCsvLine([routeId, this.#getServiceId(dates), `${name}-${index + 1}`, headsign, name]);
      }
    }
  }

  async *#stopTimeLines(): AsyncGenerator<string> {
    yield formatCsvLine([
      'trip_id',
      'arrival_time',
      'departure_time',
      'stop_id',
      'stop_sequence',
      'pickup_type',
      'drop_off_type',
    ]);
    for await (const { flight, trips } of this.#readTrips())
      for (const [index, { stops }] of trips.entries())
        for (const [sequence, { station, arrives, departs, pickup, dropOff }] of stops.entries())
          yield formatCsvLine([
            `${formatName(flight)}-${index + 1}`,
            formatServiceTime(arrives),
            formatServiceTime(departs),
            station,
            sequence + 1,
            pickup,
            dropOff,
          ]);
  }

  *#agencyLines(): Generator<string> {
    const { agencyZone, publisher } = this.#options;
    yield formatCsvLine(['agency_id', 'agency_name', 'agency_url', 'agency_timezone', 'icao_code']);
    for (const code of this.#agencies) {
      const carrier = findCarrier(this.#sources.index, code);
      yield formatCsvLine([code, carrier?.name || code, publisher.url, agencyZone, carrier?.icao || undefined]);
    }
  }

  *#stopLines(): Generator<string> {
    yield formatCsvLine([
      'stop_id',
      'stop_code',
      'stop_name',
      'stop_lat',
      'stop_lon',
      'location_type',
      'stop_timezone',
      'icao_code',
    ]);
    for (const [station, { iata, icao, name, latitude, longitude, zone }] of this.#stops)
      yield formatCsvLine([
        station,
        iata || undefined,
        name || station,
        latitude,
        longitude,
        0,
        zone,
        icao || undefined,
      ]);
  }

  *#routeLines(): Generator<string> {
    yield formatCsvLine(['route_id', 'agency_id', 'route_short_name', 'route_type']);
    for (const [id, { flight, mode }] of this.#routes)
      yield formatCsvLine([id, flight.carrier, formatName(flight), routeTypes[mode]]);
  }

  *#calendarDateLines(): Generator<string> {
    yield formatCsvLine(['service_id', 'date', 'exception_type']);
    for (const [packed, id] of this.#services)
      for (const date of unpackDates(packed, this.#firstDate)) yield formatCsvLine([id, formatServiceDate(date), 1]);
  }

  async *#feedInfoLines(): AsyncGenerator<string> {
    const { publisher, from, to } = this.#options;
    const version = `load ${await getNewestLoadId(this.#sql)}`;
    const names = ['feed_publisher_name', 'feed_publisher_url', 'feed_lang', 'feed_start_date', 'feed_end_date'];
    yield formatCsvLine([...names, 'feed_version']);
    const bounds = [formatServiceDate(from), formatServiceDate(to)];
    yield formatCsvLine([publisher.name, publisher.url, 'en', ...bounds, version]);
  }
}

/** Characters that are joined to one chunk: single lines would each pass through four streams. */
const CHUNK_LENGTH = 65_536;

async function* joinLines(lines: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let chunk = '';
  for await (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  yield Buffer.from(chunk);
}

/** `ReadableStream.from` is in the runtime, and not in the types of browsers, which the package uses. */
const toStream = (lines: Iterable<string> | AsyncIterable<string>): ReadableStream<Uint8Array> => {
  const chunks = joinLines(lines);
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
};

const writeArchive = async (feed: GtfsFeed, { write, createdAt }: GtfsExportOptions): Promise<void> => {
  const zip = new ZipWriter(new WritableStream<Uint8Array>({ write }), {
    useWebWorkers: false,
    lastModDate: createdAt,
  });
  for (const [name, lines] of feed.list()) await zip.add(name, toStream(lines));
  await zip.close();
};

const exportSnapshot = async (sql: Sql, options: GtfsExportOptions): Promise<GtfsExportReport> => {
  const index = await readMasterDataIndex(sql);
  const { carriers } = options;
  if (carriers) assertCarriersKnown(carriers, index);
  const carrierIds = carriers && new Set(carriers.flatMap((code) => findCarrier(index, code)?.id ?? []));
  const feed = new GtfsFeed(sql, options, { index, carrierIds, cancelledLegs: await readCancelledLegs(sql) });
  await writeArchive(feed, options);
  return feed.report();
};

/**
 * Writes the schedules in force as a GTFS feed, from one snapshot of the database, which reads nothing that a schedule load locks. The flights
 * are read twice, once for the trips and once for their times, so that they are never in memory together. Throws an error that names unknown carriers.
 */
export const exportGtfs = (db: Database, options: GtfsExportOptions): Promise<GtfsExportReport> =>
  db.begin('isolation level repeatable read read only', (sql) => exportSnapshot(sql, options));
