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
import { convertLocalToUtc, getUtcOffset } from '../time/zones.ts';
import type { FlightSegment, Itinerary, LegEnd, ScheduleLeg, TimeMode } from './schedule.ts';

/** A date filed in UTC, or for an aircraft that leaves on the other side of midnight, can be a local one beside it. */
const isFiledInLocalTime = ({ timeMode, departure }: ScheduleLeg): boolean =>
  timeMode === 'local' && toPassengerMinutes(departure) === departure.passengerMinutes;

/** The first and last local date on which a leg of an itinerary can depart. */
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

/**
 * When passengers depart or arrive, in minutes after midnight of the day the **aircraft** does. Date variations, periods and days of operation
 * go by the aircraft; where the two times lie more than half a day apart, they lie on two sides of midnight, and the result is below 0 or
 * above 1440.
 */
export const toPassengerMinutes = ({
  passengerMinutes,
  aircraftMinutes,
}: Pick<LegEnd, 'passengerMinutes' | 'aircraftMinutes'>): number => {
  const apart = passengerMinutes - aircraftMinutes;
  if (apart > MINUTES_A_DAY / 2) return passengerMinutes - MINUTES_A_DAY;
  return apart < -MINUTES_A_DAY / 2 ? passengerMinutes + MINUTES_A_DAY : passengerMinutes;
};

/** The IANA zone of a station, or undefined when nobody knows it: then the filed variation from UTC stands. */
export type ZoneLookup = (station: string) => string | undefined;

/** One flight of a segment on one day, passenger times. */
export type SegmentInstance = {
  /** Local date on which the flight leaves its first station. */
  readonly originDate: LocalDate;
  readonly departsAtLocal: LocalMinute;
  readonly departsAtUtc: UtcMinute;
  readonly arrivesAtLocal: LocalMinute;
  readonly arrivesAtUtc: UtcMinute;
  /** True when a filed variation from UTC is not the one the tz database has for that place and time. */
  readonly variationMismatch: boolean;
  /** True when UTC follows the filed variations all the same: by the zones the flight would arrive before it departs. */
  readonly utcAsFiled: boolean;
};

type Moment = { readonly local: LocalMinute; readonly utc: UtcMinute; readonly mismatch: boolean };

const resolveMoment = (filedDate: LocalDate, end: LegEnd, at: { mode: TimeMode; zone: string | undefined }): Moment => {
  const filed = buildLocalMinute(filedDate, toPassengerMinutes(end));
  if (at.mode === 'utc') {
    const utc = Number(filed) as UtcMinute;
    const offset = at.zone === undefined ? end.utcVariationMinutes : getUtcOffset(at.zone, utc);
    return { local: (utc + offset) as LocalMinute, utc, mismatch: offset !== end.utcVariationMinutes };
  }
  if (at.zone === undefined)
    return { local: filed, utc: (filed - end.utcVariationMinutes) as UtcMinute, mismatch: false };
  const { utc, mismatch } = convertLocalToUtc(at.zone, filed, end.utcVariationMinutes);
  return { local: filed, utc, mismatch };
};

/** Local date on which a flight leaves its first station, given the date that date is filed under. */
const localOrigin = (filedOrigin: LocalDate, firstLeg: ScheduleLeg, zoneOf: ZoneLookup): LocalDate =>
  firstLeg.timeMode === 'local'
    ? filedOrigin
    : toDate(
        resolveMoment(filedOrigin, firstLeg.departure, { mode: 'utc', zone: zoneOf(firstLeg.departure.station) }).local,
      );

/**
 * The instance of a segment whose first leg departs on `filedDate`, a date in the schedule's time mode (SSIM chapter 7,
 * record 3: date variations count from the flight's origin date). `firstLeg` is the first leg of the whole itinerary.
 */
export const computeInstance = (
  segment: FlightSegment,
  filedDate: LocalDate,
  { firstLeg, zoneOf }: { readonly firstLeg: ScheduleLeg; readonly zoneOf: ZoneLookup },
): SegmentInstance => {
  const [first] = segment.legs;
  const last = segment.legs.at(-1) ?? first;
  const mode = first.timeMode;
  const filedOrigin = addDays(filedDate, -first.departure.dateVariation);
  const momentsBy = (zones: ZoneLookup): readonly [Moment, Moment] => [
    resolveMoment(filedDate, first.departure, { mode, zone: zones(first.departure.station) }),
    resolveMoment(addDays(filedOrigin, last.arrival.dateVariation), last.arrival, {
      mode,
      zone: zones(last.arrival.station),
    }),
  ];
  const byZone = momentsBy(zoneOf);
  const variationMismatch = byZone[0].mismatch || byZone[1].mismatch;
  const utcAsFiled = variationMismatch && byZone[1].utc <= byZone[0].utc;
  const [departure, arrival] = utcAsFiled ? momentsBy(() => undefined) : byZone;
  return {
    originDate: localOrigin(filedOrigin, firstLeg, zoneOf),
    departsAtLocal: departure.local,
    departsAtUtc: departure.utc,
    arrivesAtLocal: arrival.local,
    arrivesAtUtc: arrival.utc,
    variationMismatch,
    utcAsFiled,
  };
};

/**
 * The instances of a segment that depart on a local date. Filed dates are local dates as a rule; in UTC mode, or with a
 * passenger time on the other side of midnight, the neighbouring days can hold the departure too.
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
