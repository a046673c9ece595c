import { addDays, atMinute, dateAt, type LocalDate, type LocalMinute, type UtcMinute } from '../time/dates.ts';
import { passengerMinutesOf } from './passenger-minutes.ts';
import { operatesOn } from '../time/period.ts';
import type { FlightSegment, LegEnd, ScheduleLeg, TimeMode } from './schedule.ts';
import { localToUtc, utcOffsetAt } from '../time/zones.ts';

/** The IANA zone of a station, or undefined when nobody knows it: then the filed variation from UTC stands. */
export type ZoneOf = (station: string) => string | undefined;

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

const momentOf = (filedDate: LocalDate, end: LegEnd, at: { mode: TimeMode; zone: string | undefined }): Moment => {
  const filed = atMinute(filedDate, passengerMinutesOf(end));
  if (at.mode === 'utc') {
    const utc = Number(filed) as UtcMinute;
    const offset = at.zone === undefined ? end.utcVariationMinutes : utcOffsetAt(at.zone, utc);
    return { local: (utc + offset) as LocalMinute, utc, mismatch: offset !== end.utcVariationMinutes };
  }
  if (at.zone === undefined)
    return { local: filed, utc: (filed - end.utcVariationMinutes) as UtcMinute, mismatch: false };
  const { utc, mismatch } = localToUtc(at.zone, filed, end.utcVariationMinutes);
  return { local: filed, utc, mismatch };
};

/** Local date on which a flight leaves its first station, given the date that date is filed under. */
const localOrigin = (filedOrigin: LocalDate, firstLeg: ScheduleLeg, zoneOf: ZoneOf): LocalDate =>
  firstLeg.timeMode === 'local'
    ? filedOrigin
    : dateAt(
        momentOf(filedOrigin, firstLeg.departure, { mode: 'utc', zone: zoneOf(firstLeg.departure.station) }).local,
      );

/**
 * The instance of a segment whose first leg departs on `filedDate`, a date in the schedule's time mode (SSIM chapter 7,
 * record 3: date variations count from the flight's origin date). `firstLeg` is the first leg of the whole itinerary.
 */
export const instanceOn = (
  segment: FlightSegment,
  filedDate: LocalDate,
  { firstLeg, zoneOf }: { readonly firstLeg: ScheduleLeg; readonly zoneOf: ZoneOf },
): SegmentInstance => {
  const [first] = segment.legs;
  const last = segment.legs.at(-1) ?? first;
  const mode = first.timeMode;
  const filedOrigin = addDays(filedDate, -first.departure.dateVariation);
  const momentsBy = (zones: ZoneOf): readonly [Moment, Moment] => [
    momentOf(filedDate, first.departure, { mode, zone: zones(first.departure.station) }),
    momentOf(addDays(filedOrigin, last.arrival.dateVariation), last.arrival, {
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
export const instancesDeparting = (
  segment: FlightSegment,
  date: LocalDate,
  context: { readonly firstLeg: ScheduleLeg; readonly zoneOf: ZoneOf },
): readonly SegmentInstance[] => {
  const [first] = segment.legs;
  if (first.timeMode === 'local' && passengerMinutesOf(first.departure) === first.departure.passengerMinutes)
    return operatesOn(first.period, date) ? [instanceOn(segment, date, context)] : [];
  return [-1, 0, 1]
    .map((shift) => addDays(date, shift))
    .filter((filed) => operatesOn(first.period, filed))
    .map((filed) => instanceOn(segment, filed, context))
    .filter(({ departsAtLocal }) => dateAt(departsAtLocal) === date);
};
