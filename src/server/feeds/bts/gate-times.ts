import { buildLocalMinute, formatTime, toMinuteOfDay, type UtcMinute } from '#domain/time/dates.ts';
import { toLocalMinute } from '#domain/time/zones.ts';
import { findInstants, isClockTimeAt } from './clock-times.ts';
import { type RowClockTimes, type RowRemark, RowFieldError, type BtsRow } from './bts-row.ts';
import type { FileLayout } from './file-layouts.ts';

/** IANA time zones of the scheduled airports of a flight. */
export type AirportZones = { readonly origin: string; readonly destination: string };

/** Instants at the scheduled airports of a flight; undefined when the row does not contain them. */
export type GateTimes = {
  readonly departsAt: UtcMinute;
  readonly arrivesAt: UtcMinute;
  readonly out: UtcMinute | undefined;
  readonly off: UtcMinute | undefined;
  readonly on: UtcMinute | undefined;
  readonly in: UtcMinute | undefined;
};

/** Formats an instant as `hhmm` in local time of a zone. */
export const formatClockAt = (zone: string, instant: UtcMinute): string =>
  formatTime(toMinuteOfDay(toLocalMinute(zone, instant))).replace(':', '');

const formatMinutes = (minutes: number): string => formatTime(minutes).replace(':', '');

/** Returns the instant some minutes later; undefined when either is unknown. */
export const addMinutes = (instant: UtcMinute | undefined, minutes: number | undefined): UtcMinute | undefined =>
  instant === undefined || minutes === undefined ? undefined : ((instant + minutes) as UtcMinute);

const computeScheduledTimes = (
  row: BtsRow,
  zones: AirportZones,
  { columns }: FileLayout,
): readonly [UtcMinute, UtcMinute] => {
  const arrival = { minutes: row.scheduledArrival, zone: zones.destination };
  const toArrival = (departure: UtcMinute): UtcMinute => (departure + row.scheduledElapsed) as UtcMinute;
  const departures = findInstants(zones.origin, buildLocalMinute(row.date, row.scheduledDeparture));
  // In an hour that is repeated, the arrival decides which of the two instants is meant.
  const departsAt = departures.find((departure) => isClockTimeAt(toArrival(departure), arrival));
  if (departsAt !== undefined) return [departsAt, toArrival(departsAt)];
  const computed = departures.map((departure) => formatClockAt(zones.destination, toArrival(departure)));
  throw new RowFieldError({
    field: columns.scheduledArrival.name,
    value: formatMinutes(row.scheduledArrival),
    reason: 'schedule-disagrees',
    message: `The scheduled departure at ${formatMinutes(row.scheduledDeparture)} and the elapsed time of ${row.scheduledElapsed} minutes give an arrival at ${computed.join(' or ')}.`,
  });
};

/**
 * Computes the instants of a row from its scheduled departure, durations and delays. Times of day are not used, so that a flight is
 * late by exactly the minutes of its row. Throws a RowFieldError when the scheduled times contradict each other.
 */
export const computeGateTimes = (row: BtsRow, zones: AirportZones, layout: FileLayout): GateTimes => {
  const [departsAt, arrivesAt] = computeScheduledTimes(row, zones, layout);
  const out = addMinutes(departsAt, row.departureDelay);
  const arrived =
    addMinutes(arrivesAt, row.arrivalDelay ?? row.diversionArrivalDelay) ?? addMinutes(out, row.diversionElapsed);
  const on = row.taxiIn === undefined ? undefined : addMinutes(arrived, -row.taxiIn);
  return { departsAt, arrivesAt, out, off: addMinutes(out, row.taxiOut), on, in: arrived };
};

/** Returns remarks on times of day that contradict the delays of a row; these times are not used. */
export const listClockMismatches = (
  { clockTimes }: BtsRow,
  { times, zones, columns }: { readonly times: GateTimes; readonly zones: AirportZones } & Pick<FileLayout, 'columns'>,
): readonly RowRemark[] => {
  const check = (event: keyof RowClockTimes, zone: string): readonly RowRemark[] => {
    const [minutes, instant] = [clockTimes[event], times[event]];
    if (minutes === undefined || instant === undefined || isClockTimeAt(instant, { minutes, zone })) return [];
    return [
      {
        field: columns[event].name,
        value: formatMinutes(minutes),
        reason: 'clock-disagrees',
        message: `The delay of the flight gives ${formatClockAt(zone, instant)}, which was used.`,
      },
    ];
  };
  const { origin, destination } = zones;
  return [...check('out', origin), ...check('off', origin), ...check('on', destination), ...check('in', destination)];
};
