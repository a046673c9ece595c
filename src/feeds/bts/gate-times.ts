import { atMinute, formatTime, minuteOfDay, type UtcMinute } from '../../domain/time/dates.ts';
import { clockAt, instantsOf, showsAt } from './clock-times.ts';
import { type Clocks, type Fault, FieldError, type OnTimeRow } from './on-time-row.ts';
import type { Layout } from './file-layouts.ts';

/** IANA time zones of the two airports between which a flight is scheduled. */
export type EndZones = { readonly origin: string; readonly destination: string };

/** Instants at the airports between which a flight is scheduled; those that its row does not tell are undefined. */
export type GateTimes = {
  readonly departsAt: UtcMinute;
  readonly arrivesAt: UtcMinute;
  readonly out: UtcMinute | undefined;
  readonly off: UtcMinute | undefined;
  readonly on: UtcMinute | undefined;
  readonly in: UtcMinute | undefined;
};

/** `hhmm` on the clock of a zone. */
export const hhmmAt = (zone: string, instant: UtcMinute): string =>
  formatTime(minuteOfDay(clockAt(zone, instant))).replace(':', '');

const hhmm = (minutes: number): string => formatTime(minutes).replace(':', '');

/** So many minutes later; undefined when either is not told. */
export const later = (instant: UtcMinute | undefined, minutes: number | undefined): UtcMinute | undefined =>
  instant === undefined || minutes === undefined ? undefined : ((instant + minutes) as UtcMinute);

const scheduledAt = (row: OnTimeRow, zones: EndZones, { columns }: Layout): readonly [UtcMinute, UtcMinute] => {
  const arrival = { minutes: row.scheduledArrival, zone: zones.destination };
  const after = (departure: UtcMinute): UtcMinute => (departure + row.scheduledElapsed) as UtcMinute;
  const departures = instantsOf(zones.origin, atMinute(row.date, row.scheduledDeparture));
  // In an hour that is repeated the arrival tells which of its two passes is meant.
  const departsAt = departures.find((departure) => showsAt(after(departure), arrival));
  if (departsAt !== undefined) return [departsAt, after(departsAt)];
  const computed = departures.map((departure) => hhmmAt(zones.destination, after(departure)));
  throw new FieldError({
    field: columns.scheduledArrival.name,
    value: hhmm(row.scheduledArrival),
    reason: 'schedule-disagrees',
    message: `A departure at ${hhmm(row.scheduledDeparture)} and ${row.scheduledElapsed} minutes make an arrival at ${computed.join(' or ')}.`,
  });
};

/**
 * The instants of a row, from its scheduled departure, durations and delays; times of day have no part in them, so that a
 * flight is late by exactly the minutes of its row. Throws a FieldError when the scheduled times contradict each other.
 */
export const gateTimesOf = (row: OnTimeRow, zones: EndZones, layout: Layout): GateTimes => {
  const [departsAt, arrivesAt] = scheduledAt(row, zones, layout);
  const out = later(departsAt, row.departureDelay);
  const arrived = later(arrivesAt, row.arrivalDelay ?? row.diversionArrivalDelay) ?? later(out, row.diversionElapsed);
  const on = row.taxiIn === undefined ? undefined : later(arrived, -row.taxiIn);
  return { departsAt, arrivesAt, out, off: later(out, row.taxiOut), on, in: arrived };
};

/** The times of day that a row states and that do not fit its delays. They change nothing, and are worth a remark. */
export const strayClocks = (
  { clocks }: OnTimeRow,
  { times, zones, columns }: { readonly times: GateTimes; readonly zones: EndZones } & Pick<Layout, 'columns'>,
): readonly Fault[] => {
  const check = (event: keyof Clocks, zone: string): readonly Fault[] => {
    const [minutes, instant] = [clocks[event], times[event]];
    if (minutes === undefined || instant === undefined || showsAt(instant, { minutes, zone })) return [];
    return [
      {
        field: columns[event].name,
        value: hhmm(minutes),
        reason: 'clock-disagrees',
        message: `By the delay of the flight it was ${hhmmAt(zone, instant)}, which is taken.`,
      },
    ];
  };
  const { origin, destination } = zones;
  return [...check('out', origin), ...check('off', origin), ...check('on', destination), ...check('in', destination)];
};
