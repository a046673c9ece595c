import {
  addDays,
  buildLocalMinute,
  type LocalDate,
  type LocalMinute,
  MINUTES_A_DAY,
  toDate,
  type UtcMinute,
} from '../time/dates.ts';
import { type DateSpan, operatesOn } from '../time/period.ts';
import { convertLocalToUtc, getUtcOffset, toLocalMinute } from '../time/zones.ts';
import type { FlightSegment, Itinerary, LegEnd, ScheduleLeg, TimeMode } from './schedule.ts';

/**
 * Returns the passenger time in minutes after midnight of the day of the **aircraft** time, to which date variations, periods and days of operation
 * refer. When both times differ by more than half a day, they are on different sides of midnight, and the result is below 0 or above 1440.
 */
export const toPassengerMinutes = ({
  passengerMinutes,
  aircraftMinutes,
}: Pick<LegEnd, 'passengerMinutes' | 'aircraftMinutes'>): number => {
  const difference = passengerMinutes - aircraftMinutes;
  if (difference > MINUTES_A_DAY / 2) return passengerMinutes - MINUTES_A_DAY;
  return difference < -MINUTES_A_DAY / 2 ? passengerMinutes + MINUTES_A_DAY : passengerMinutes;
};

/** Returns the IANA zone of a station; undefined when unknown: the filed UTC variation then holds. */
export type ZoneLookup = (station: string) => string | undefined;

/** A flight of a segment on one day, passenger times. */
export type SegmentInstance = {
  /** Local date on which the flight leaves its first station. */
  readonly originDate: LocalDate;
  readonly departsAtLocal: LocalMinute;
  readonly departsAtUtc: UtcMinute;
  readonly arrivesAtLocal: LocalMinute;
  readonly arrivesAtUtc: UtcMinute;
  /** The local times as filed. They differ from those above when the clock skips them. */
  readonly filed: { readonly departsAt: LocalMinute; readonly arrivesAt: LocalMinute };
  /** Both ends by the zones of their stations. */
  readonly byZone: LegMoments;
  /** True when UTC times follow the filed variations nevertheless, because by the zones the flight would arrive before it departs. */
  readonly utcAsFiled: boolean;
};

/** When a leg departs or arrives. */
export type Moment = {
  /** What the clock at the station shows. */
  readonly local: LocalMinute;
  readonly utc: UtcMinute;
  /** The local time as filed, which the clock can skip. */
  readonly filedLocal: LocalMinute;
  /** True when the filed UTC variation differs from that of the tz database. */
  readonly mismatch: boolean;
};

const isSameDate = (one: LocalMinute, other: LocalMinute): boolean => toDate(one) === toDate(other);

const resolveMoment = (filedDate: LocalDate, end: LegEnd, at: { mode: TimeMode; zone: string | undefined }): Moment => {
  const filed = buildLocalMinute(filedDate, toPassengerMinutes(end));
  if (at.mode === 'utc') {
    const utc = Number(filed) as UtcMinute;
    const offset = at.zone === undefined ? end.utcVariationMinutes : getUtcOffset(at.zone, utc);
    const local = (utc + offset) as LocalMinute;
    return { local, utc, filedLocal: local, mismatch: offset !== end.utcVariationMinutes };
  }
  if (at.zone === undefined) {
    const utc = (filed - end.utcVariationMinutes) as UtcMinute;
    return { local: filed, utc, filedLocal: filed, mismatch: false };
  }
  const { utc, mismatch, skipped } = convertLocalToUtc(at.zone, filed, end.utcVariationMinutes);
  const shown = skipped ? toLocalMinute(at.zone, utc) : filed;
  // Samoa skipped a whole day in 2011. A flight keeps its date, which is part of its key.
  return { local: isSameDate(shown, filed) ? shown : filed, utc, filedLocal: filed, mismatch };
};

/** Returns the local date on which a flight leaves its first station, for the filed origin date. */
const localOrigin = (filedOrigin: LocalDate, firstLeg: ScheduleLeg, zoneOf: ZoneLookup): LocalDate =>
  firstLeg.timeMode === 'local'
    ? filedOrigin
    : toDate(
        resolveMoment(filedOrigin, firstLeg.departure, { mode: 'utc', zone: zoneOf(firstLeg.departure.station) }).local,
      );

/** Both ends of a leg or segment. */
export type LegMoments = { readonly departure: Moment; readonly arrival: Moment };

const resolveLeg = (
  { timeMode: mode, departure, arrival }: ScheduleLeg,
  filedOrigin: LocalDate,
  zoneOf: ZoneLookup,
): LegMoments => {
  const resolveEnd = (end: LegEnd): Moment =>
    resolveMoment(addDays(filedOrigin, end.dateVariation), end, { mode, zone: zoneOf(end.station) });
  return { departure: resolveEnd(departure), arrival: resolveEnd(arrival) };
};

const noZones: ZoneLookup = () => undefined;

/** Resolves a leg by the zones, or by the filed variations if one differs and the leg would arrive before it departs. */
const computeLegMoments = (leg: ScheduleLeg, filedOrigin: LocalDate, zoneOf: ZoneLookup) => {
  const byZone = resolveLeg(leg, filedOrigin, zoneOf);
  const { departure, arrival } = byZone;
  const asFiled = (departure.mismatch || arrival.mismatch) && arrival.utc <= departure.utc;
  return { byZone, used: asFiled ? resolveLeg(leg, filedOrigin, noZones) : byZone, asFiled };
};

/** Computes when a leg of the flight of a filed origin date departs, passenger time in UTC. */
export const computeDeparture = (leg: ScheduleLeg, filedOrigin: LocalDate, zoneOf: ZoneLookup): UtcMinute =>
  computeLegMoments(leg, filedOrigin, zoneOf).used.departure.utc;

/**
 * Computes the instance of a segment whose first leg departs on `filedDate`, a date in the schedule's time mode (SSIM chapter 7, record 3: date
 * variations count from the flight's origin date). `firstLeg` is the first leg of the whole itinerary. Each end has the time that its leg has by
 * itself, so that an aircraft has one arrival time.
 */
export const computeInstance = (
  segment: FlightSegment,
  filedDate: LocalDate,
  { firstLeg, zoneOf }: { readonly firstLeg: ScheduleLeg; readonly zoneOf: ZoneLookup },
): SegmentInstance => {
  const [first] = segment.legs;
  const last = segment.legs.at(-1) ?? first;
  const filedOrigin = addDays(filedDate, -first.departure.dateVariation);
  const start = computeLegMoments(first, filedOrigin, zoneOf);
  const end = last === first ? start : computeLegMoments(last, filedOrigin, zoneOf);
  // With a wrong time on the ground, such legs can still make a flight that arrives before it departs.
  const isReversed = last !== first && end.used.arrival.utc <= start.used.departure.utc;
  const { departure } = isReversed ? resolveLeg(first, filedOrigin, noZones) : start.used;
  const { arrival } = isReversed ? resolveLeg(last, filedOrigin, noZones) : end.used;
  return {
    originDate: localOrigin(filedOrigin, firstLeg, zoneOf),
    departsAtLocal: departure.local,
    departsAtUtc: departure.utc,
    arrivesAtLocal: arrival.local,
    arrivesAtUtc: arrival.utc,
    filed: { departsAt: departure.filedLocal, arrivesAt: arrival.filedLocal },
    byZone: last === first ? start.byZone : { departure: start.byZone.departure, arrival: end.byZone.arrival },
    utcAsFiled: isReversed || start.asFiled || end.asFiled,
  };
};

/**
 * Lists the instances of a segment that depart on a local date. Filed dates are usually local dates; in UTC mode, or with a passenger time on the
 * other side of midnight, the neighbouring days are checked too.
 */
export const listInstances = (
  segment: FlightSegment,
  date: LocalDate,
  context: { readonly firstLeg: ScheduleLeg; readonly zoneOf: ZoneLookup },
): readonly SegmentInstance[] => {
  const [first] = segment.legs;
  if (first.timeMode === 'local' && toPassengerMinutes(first.departure) === first.departure.passengerMinutes)
    return operatesOn(first.period, date) ? [computeInstance(segment, date, context)] : [];
  return [-1, 0, 1]
    .map((shift) => addDays(date, shift))
    .filter((filed) => operatesOn(first.period, filed))
    .map((filed) => computeInstance(segment, filed, context))
    .filter(({ departsAtLocal }) => toDate(departsAtLocal) === date);
};

/** A date filed in UTC, or for an aircraft that departs on the other side of midnight, can differ from the local date by one. */
const isFiledInLocalTime = ({ timeMode, departure }: ScheduleLeg): boolean =>
  timeMode === 'local' && toPassengerMinutes(departure) === departure.passengerMinutes;

/** Computes the first and last local date on which a leg of an itinerary can depart. */
export const computeItinerarySpan = ({ legs }: Itinerary): DateSpan => {
  const spans = legs.map((leg) => {
    const margin = isFiledInLocalTime(leg) ? 0 : 1;
    return { from: addDays(leg.period.from, -margin), to: addDays(leg.period.to, margin) };
  });
  return spans.reduce((all, { from, to }) => ({
    from: from < all.from ? from : all.from,
    to: to > all.to ? to : all.to,
  }));
};
