import type { Position } from '#domain/master-data/distance.ts';
import type { FlightState } from '#domain/status/flight-view.ts';
import { estimatePosition, planDiversion, planLeg, type PlannedLeg } from './estimate-position.ts';
import { trackBetween, trackMetres, type Track } from './great-circle.ts';
import {
  formatLongDate,
  summarizeArrival,
  summarizeDeparture,
  summarizeLanding,
  listTimeGroups,
  type EndSummary,
  type TimeGroup,
} from './local-times.ts';
import type { FlightMapSource, MapStation, TakeOffTimes } from './map-source.ts';

/** An airport on the map. */
export type MapAirport = Position & {
  readonly code: string;
  readonly name: string;
  readonly city: string | undefined;
};

/** A diversion as the page shows it. */
export type DiversionNotice = {
  /** Undefined until the airport is reported. */
  readonly airport: MapAirport | undefined;
  /** Whether the flight continues to the scheduled arrival. */
  readonly isStop: boolean;
  /** Whether the flight returns to its departure airport. */
  readonly isReturn: boolean;
  readonly summary: EndSummary | undefined;
};

/** The progress of a flight along its track, kilometres rounded. */
export type FlightProgress = { readonly percent: number; readonly flownKm: number; readonly toGoKm: number };

/** The model of the page. */
export type FlightMap = {
  /** The designator, e.g. `ZX 101`. */
  readonly title: string;
  /** E.g. `1 March 2027`, local to the departure airport. */
  readonly date: string;
  readonly state: FlightState;
  readonly departure: MapAirport;
  /** As scheduled. */
  readonly arrival: MapAirport;
  /** Airports at which the flight landed en route and departed again. */
  readonly stops: readonly MapAirport[];
  /** Set if the flight is bound for another airport than the scheduled one, or has landed there. */
  readonly diversion: DiversionNotice | undefined;
  readonly tracks: {
    /** The actual route: flown and still ahead. */
    readonly whole: readonly Track[];
    readonly flown: readonly Track[];
    readonly ahead: readonly Track[];
    /** The part of the planned route that is not flown. */
    readonly abandoned: readonly Track[];
  };
  /** Set while the flight is in the air and its times allow an estimate; the bearing is degrees clockwise from north. */
  readonly position: (Position & { readonly bearing: number }) | undefined;
  readonly progress: FlightProgress | undefined;
  readonly departureSummary: EndSummary;
  readonly arrivalSummary: EndSummary;
  readonly times: readonly TimeGroup[];
  /** ISO 8601, UTC to the minute. */
  readonly updatedAt: string;
};

/** Formats an airport as `London (LHR)`. */
export const formatAirport = ({ code, city, name }: MapAirport): string => `${city ?? name} (${code})`;

const toMapAirport = ({ code, name, city, latitude, longitude }: MapStation): MapAirport => ({
  code,
  name,
  city,
  latitude,
  longitude,
});

const afterLanding = (actualOff: TakeOffTimes['actualOff']): TakeOffTimes => ({
  scheduledOut: undefined,
  estimatedOut: undefined,
  estimatedOff: undefined,
  actualOut: undefined,
  actualOff,
});

type PlannedLegs = {
  /** Completed legs. */
  readonly completed: readonly PlannedLeg[];
  /** The current or next leg; undefined while its destination is unknown. */
  readonly current: PlannedLeg | undefined;
};

const planLegs = (source: FlightMapSource): PlannedLegs => {
  const { arrival, landings, boundFor, scheduledIn, destination } = source;
  const completed: PlannedLeg[] = [];
  let [from, takeOff, scheduled] = [source.departure, source.takeOff, scheduledIn];
  for (const [index, landing] of landings.entries()) {
    const planned = { from, to: arrival, takeOff, landing: destination, scheduledIn: scheduled };
    const leg = landing.station && planDiversion(planned, landing.station, landing);
    if (index === boundFor) return { completed, current: leg };
    if (!landing.station || !leg) continue;
    completed.push(leg);
    [from, takeOff, scheduled] = [landing.station, afterLanding(landing.actualOff), undefined];
  }
  return { completed, current: planLeg({ from, to: arrival, takeOff, landing: destination, scheduledIn: scheduled }) };
};

const computeProgress = (flown: readonly Track[], ahead: readonly Track[]): FlightProgress => {
  const sumMetres = (tracks: readonly Track[]): number => tracks.reduce((sum, track) => sum + trackMetres(track), 0);
  const [done, rest] = [sumMetres(flown), sumMetres(ahead)];
  const percent = done + rest > 0 ? Math.floor((done / (done + rest)) * 100) : 100;
  return { percent, flownKm: Math.round(done / 1000), toGoKm: Math.round(rest / 1000) };
};

type Course = Pick<FlightMap, 'tracks' | 'position' | 'progress'>;

/** Returns the planned track that is not flown: from where the flight turned off, or departs again, to the arrival. */
const findAbandonedTrack = (
  { departure, arrival, landings, boundFor }: FlightMapSource,
  current: PlannedLeg | undefined,
): Track => {
  const landing = boundFor === undefined ? undefined : landings[boundFor];
  const end = landing?.type === 'TechnicalStop' ? current?.track.at(-1) : current?.track.at(-2);
  return trackBetween(end ?? departure, arrival);
};

const buildCourse = (source: FlightMapSource, now: number): Course => {
  const { completed, current } = planLegs(source);
  const abandoned = source.boundFor === undefined ? [] : [findAbandonedTrack(source, current)];
  const before = completed.map(({ track }) => track);
  const rest = current ? [current.track] : [];
  const whole = [...before, ...rest];
  const notFlying = { position: undefined, progress: undefined };
  const cut = source.state === 'inAir' && current ? estimatePosition(current, now) : undefined;
  if (cut) {
    const tracks = { whole, flown: [...before, cut.behind], ahead: [cut.ahead], abandoned };
    const progress = computeProgress(tracks.flown, tracks.ahead);
    return { tracks, position: { ...cut.at, bearing: cut.bearing }, progress };
  }
  const landing = source.boundFor === undefined ? source.destination : source.landings[source.boundFor];
  const isOver =
    source.state === 'Landed' ||
    source.state === 'InGate' ||
    (source.state !== 'inAir' && (landing?.actualOn ?? landing?.actualIn) !== undefined);
  if (isOver) return { tracks: { whole, flown: whole, ahead: [], abandoned }, ...notFlying };
  return { tracks: { whole, flown: before, ahead: rest, abandoned }, ...notFlying };
};

/** Builds the page model of a flight at an instant (milliseconds since 1970 UTC). */
export const buildFlightMap = (source: FlightMapSource, nowMs: number): FlightMap => {
  const { departure, arrival, landings, departsOn } = source;
  const landing = source.boundFor === undefined ? undefined : landings[source.boundFor];
  const isStop = landing?.type === 'TechnicalStop';
  const endsElsewhere = landing !== undefined && !isStop;
  const airport = landing?.station && toMapAirport(landing.station);
  return {
    title: source.designator,
    date: formatLongDate(departsOn),
    state: source.state,
    departure: toMapAirport(departure),
    arrival: toMapAirport(arrival),
    stops: landings
      .slice(0, source.boundFor ?? landings.length)
      .flatMap(({ station }) => (station ? [toMapAirport(station)] : [])),
    diversion: landing && {
      airport,
      isStop,
      isReturn: landing.station?.code === departure.code,
      summary: summarizeLanding(landing, departsOn),
    },
    ...buildCourse(source, nowMs / 1000),
    departureSummary: summarizeDeparture(source),
    arrivalSummary: summarizeArrival(source, endsElsewhere),
    times: listTimeGroups(source, endsElsewhere),
    updatedAt: new Date(source.updatedAt).toISOString(),
  };
};
