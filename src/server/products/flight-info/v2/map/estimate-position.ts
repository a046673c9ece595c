import type { Position } from '#domain/master-data/distance.ts';
import { cutTrack, pointBetween, trackBetween, trackMetres, type CutTrack, type Track } from './great-circle.ts';
import type { LandingTimes, TakeOffTimes } from './map-source.ts';

/** Time between gate and runway, seconds, if not reported: about the mean of large airports. */
const TAXI_OUT_SECONDS = 15 * 60;
const TAXI_IN_SECONDS = 8 * 60;
/** Metres a second over a whole flight, climb and descent included, if there is no schedule: 780 km/h. */
const MEAN_SPEED = 780 / 3.6;
/** A diverted flight is assumed to fly straight unless its time exceeds the straight one by this factor. */
const DETOUR_FACTOR = 1.1;

/** Take-off and landing, seconds since 1970 UTC. */
export type Airtime = { readonly off: number; readonly on: number };

/** A leg: its airports, its known times and its schedule. */
export type MapLeg = {
  readonly from: Position;
  readonly to: Position;
  readonly takeOff: TakeOffTimes;
  readonly landing: LandingTimes;
  /** Scheduled time at the gate of `to`; undefined if the leg is not as scheduled. */
  readonly scheduledIn: number | undefined;
};

const estimateTakeOff = (times: TakeOffTimes): number | undefined => {
  const out = times.actualOut ?? times.estimatedOut ?? times.scheduledOut;
  return times.actualOff ?? times.estimatedOff ?? (out === undefined ? undefined : out + TAXI_OUT_SECONDS);
};

const estimateLanding = ({ actualOn, estimatedOn, actualIn, estimatedIn }: LandingTimes): number | undefined => {
  const inGate = actualIn ?? estimatedIn;
  return actualOn ?? estimatedOn ?? (inGate === undefined ? undefined : inGate - TAXI_IN_SECONDS);
};

/** Returns the scheduled seconds in the air, without taxiing; estimated by distance if there is no plausible schedule. */
const computePlannedSeconds = ({ from, to, takeOff, scheduledIn }: MapLeg): number => {
  const byDistance = trackMetres(trackBetween(from, to)) / MEAN_SPEED;
  if (scheduledIn === undefined || takeOff.scheduledOut === undefined) return byDistance;
  const seconds = scheduledIn - TAXI_IN_SECONDS - takeOff.scheduledOut - TAXI_OUT_SECONDS;
  return seconds > 0 ? seconds : byDistance;
};

/**
 * Computes take-off and landing from actual, else estimated, else planned times: a late flight without further reports takes
 * its planned time. Undefined if nothing is known about its departure.
 */
export const computeAirtime = (leg: MapLeg): Airtime | undefined => {
  const off = estimateTakeOff(leg.takeOff);
  if (off === undefined) return undefined;
  const on = estimateLanding(leg.landing);
  return { off, on: on !== undefined && on > off ? on : off + computePlannedSeconds(leg) };
};

/** Returns the elapsed fraction (0..1) of the time in the air at an instant (seconds since 1970 UTC). */
export const fractionFlown = ({ off, on }: Airtime, now: number): number =>
  on <= off ? 1 : Math.min(1, Math.max(0, (now - off) / (on - off)));

/**
 * Builds the track of a diverted flight: along the planned track to the turning point from which the remaining time suffices
 * at planned speed, then straight to the landing. Straight all the way if its time is unknown.
 */
const buildDivertedTrack = (planned: MapLeg, to: Position, seconds: number | undefined): Track => {
  const direct = trackBetween(planned.from, to);
  if (seconds === undefined) return direct;
  const line = trackBetween(planned.from, planned.to);
  const length = trackMetres(line);
  const [first = planned.from, second = planned.to] = line;
  const metres = (seconds * length) / Math.max(1, computePlannedSeconds(planned));
  if (line.length > 2 || metres < trackMetres(direct) * DETOUR_FACTOR) return direct;
  // The length grows with the turning point: bisection finds it to 1/1000 of the track.
  let [low, high] = [0, 1];
  for (let step = 0; step < 10; step++) {
    const middle = (low + high) / 2;
    const turn = pointBetween(first, second, middle);
    if (length * middle + trackMetres(trackBetween(turn, to)) < metres) low = middle;
    else high = middle;
  }
  return [planned.from, ...trackBetween(pointBetween(first, second, low), to)];
};

/** A leg with its track; `airtime` is undefined if departure or duration is unknown. */
export type PlannedLeg = { readonly track: readonly [Position, ...Position[]]; readonly airtime: Airtime | undefined };

const toTrack = (from: Position, track: Track): readonly [Position, ...Position[]] => [from, ...track.slice(1)];

/** Returns track and times of a leg as scheduled. */
export const planLeg = (leg: MapLeg): PlannedLeg => ({
  track: toTrack(leg.from, trackBetween(leg.from, leg.to)),
  airtime: computeAirtime(leg),
});

/** Returns track and times of the leg `planned` that lands at `to` instead. */
export const planDiversion = (planned: MapLeg, to: Position, landing: LandingTimes): PlannedLeg => {
  const off = estimateTakeOff(planned.takeOff);
  const on = estimateLanding(landing);
  const seconds = off !== undefined && on !== undefined && on > off ? on - off : undefined;
  const track = toTrack(planned.from, buildDivertedTrack(planned, to, seconds));
  const length = trackMetres(track);
  // A return without known times has no track yet.
  if (off === undefined || (seconds === undefined && length < 1)) return { track, airtime: undefined };
  const speed = trackMetres(trackBetween(planned.from, planned.to)) / Math.max(1, computePlannedSeconds(planned));
  return { track, airtime: { off, on: off + (seconds ?? length / (speed > 0 ? speed : MEAN_SPEED)) } };
};

/** Estimates the position at an instant (seconds since 1970 UTC) at constant speed along the track; undefined without times. */
export const estimatePosition = ({ track, airtime }: PlannedLeg, now: number): CutTrack | undefined =>
  airtime && cutTrack(track, fractionFlown(airtime, now));
