import type { Position } from '../../../../domain/master-data/distance.ts';
import { cutTrack, pointBetween, trackBetween, trackMetres, type CutTrack, type Track } from './great-circle.ts';
import type { LandingTimes, TakeOffTimes } from './map-source.ts';

/** Between gate and runway, seconds, where nobody reports it: about the mean of large airports. */
const TAXI_OUT_SECONDS = 15 * 60;
const TAXI_IN_SECONDS = 8 * 60;
/** Metres a second over the whole of a flight, climb and descent included, where no schedule tells: 780 km/h. */
const MEAN_SPEED = 780 / 3.6;
/** A diverted flight is taken to have flown straight unless it needs this much longer than that. */
const DETOUR_FACTOR = 1.1;

/** When the wheels leave the ground and touch it again, seconds since 1970 UTC. */
export type Airtime = { readonly off: number; readonly on: number };

/** One flown or flying leg: its ends, all that is known of its times, and how it was planned to go. */
export type MapLeg = {
  readonly from: Position;
  readonly to: Position;
  readonly takeOff: TakeOffTimes;
  readonly landing: LandingTimes;
  /** Scheduled time at the gate of `to`; undefined where the leg is not as scheduled. */
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

/** Seconds in the air by the schedule, less the usual taxiing; by the distance where there is no schedule that could be flown. */
const computePlannedSeconds = ({ from, to, takeOff, scheduledIn }: MapLeg): number => {
  const byDistance = trackMetres(trackBetween(from, to)) / MEAN_SPEED;
  if (scheduledIn === undefined || takeOff.scheduledOut === undefined) return byDistance;
  const seconds = scheduledIn - TAXI_IN_SECONDS - takeOff.scheduledOut - TAXI_OUT_SECONDS;
  return seconds > 0 ? seconds : byDistance;
};

/**
 * When a leg takes off and lands, by what is actual, else estimated, else planned: a flight that leaves late and of which
 * nothing else is said takes as long as it was planned to. Undefined when nothing is known of its departure.
 */
export const computeAirtime = (leg: MapLeg): Airtime | undefined => {
  const off = estimateTakeOff(leg.takeOff);
  if (off === undefined) return undefined;
  const on = estimateLanding(leg.landing);
  return { off, on: on !== undefined && on > off ? on : off + computePlannedSeconds(leg) };
};

/** How much of its time in the air is over at an instant (seconds since 1970 UTC), 0..1. */
export const fractionFlown = ({ off, on }: Airtime, now: number): number =>
  on <= off ? 1 : Math.min(1, Math.max(0, (now - off) / (on - off)));

/**
 * The track of a flight that lands elsewhere: along the planned one up to the point from which its time just suffices for
 * the rest, at the planned speed, and from there straight to the landing. Straight all the way when its time is not known.
 */
const buildDivertedTrack = (planned: MapLeg, to: Position, seconds: number | undefined): Track => {
  const direct = trackBetween(planned.from, to);
  if (seconds === undefined) return direct;
  const line = trackBetween(planned.from, planned.to);
  const length = trackMetres(line);
  const [first = planned.from, second = planned.to] = line;
  const metres = (seconds * length) / Math.max(1, computePlannedSeconds(planned));
  if (line.length > 2 || metres < trackMetres(direct) * DETOUR_FACTOR) return direct;
  // The longer it stays on the planned track, the longer is the whole: halving finds the turn to 1/1000 of the track.
  let [low, high] = [0, 1];
  for (let step = 0; step < 10; step++) {
    const middle = (low + high) / 2;
    const turn = pointBetween(first, second, middle);
    if (length * middle + trackMetres(trackBetween(turn, to)) < metres) low = middle;
    else high = middle;
  }
  return [planned.from, ...trackBetween(pointBetween(first, second, low), to)];
};

/** A leg as it is drawn; `airtime` is undefined when nothing tells when or for how long it is flown. */
export type PlannedLeg = { readonly track: readonly [Position, ...Position[]]; readonly airtime: Airtime | undefined };

const asTrack = (from: Position, track: Track): readonly [Position, ...Position[]] => [from, ...track.slice(1)];

/** The track and the times of a leg as scheduled. */
export const planLeg = (leg: MapLeg): PlannedLeg => ({
  track: asTrack(leg.from, trackBetween(leg.from, leg.to)),
  airtime: computeAirtime(leg),
});

/** The track and the times of a leg that was `planned` and lands at `to` instead. */
export const planDiversion = (planned: MapLeg, to: Position, landing: LandingTimes): PlannedLeg => {
  const off = estimateTakeOff(planned.takeOff);
  const on = estimateLanding(landing);
  const seconds = off !== undefined && on !== undefined && on > off ? on - off : undefined;
  const track = asTrack(planned.from, buildDivertedTrack(planned, to, seconds));
  const length = trackMetres(track);
  // A return of which no time is known has no track at all yet.
  if (off === undefined || (seconds === undefined && length < 1)) return { track, airtime: undefined };
  const speed = trackMetres(trackBetween(planned.from, planned.to)) / Math.max(1, computePlannedSeconds(planned));
  return { track, airtime: { off, on: off + (seconds ?? length / (speed > 0 ? speed : MEAN_SPEED)) } };
};

/** Where the aircraft of a leg is at an instant (seconds since 1970 UTC), if it flies evenly along its track; undefined without times. */
export const estimatePosition = ({ track, airtime }: PlannedLeg, now: number): CutTrack | undefined =>
  airtime && cutTrack(track, fractionFlown(airtime, now));
