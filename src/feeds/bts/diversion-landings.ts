import { MINUTES_A_DAY, type UtcMinute } from '../../domain/time/dates.ts';
import { findFirstInstant, findLastInstant, type ClockTime } from './clock-times.ts';
import { RowFieldError, type OnTimeFileRow, type DiversionStop } from './on-time-row.ts';
import { formatClockAt, type AirportZones, type GateTimes } from './gate-times.ts';
import type { FileColumn, FileLayout } from './file-layouts.ts';

/** A landing other than at the destination, and the departure from there, in UTC. */
export type DiversionLanding = {
  readonly airport: string;
  readonly zone: string;
  readonly on: UtcMinute;
  /** Undefined when nothing left from there under the flight's number. */
  readonly off: UtcMinute | undefined;
  /** Of the aircraft that left. */
  readonly registration: string | undefined;
};

type ZonedStop = DiversionStop & { readonly zone: string };
type RowEvent = { readonly at: UtcMinute; readonly zone: string; readonly column: FileColumn };

export type RowTimes = {
  readonly times: GateTimes;
  readonly zones: AirportZones;
  readonly columns: FileLayout['columns'];
};

const listClockTimes = ({ wheelsOn, wheelsOff, zone }: ZonedStop): readonly ClockTime[] => [
  { minutes: wheelsOn, zone },
  ...(wheelsOff === undefined ? [] : [{ minutes: wheelsOff, zone }]),
];

/**
 * Instants of readings that follow each other from `start` on, each the first possible one. Where that would have the flight
 * in the air for a day or more before a known end, it was the stay on the ground that took days: then all but the first
 * landing are the last possible ones before the end.
 */
const resolveClockTimes = (
  readings: readonly ClockTime[],
  start: UtcMinute,
  end: UtcMinute | undefined,
): readonly UtcMinute[] => {
  const forward: UtcMinute[] = [];
  for (const reading of readings) forward.push(findFirstInstant(forward.at(-1) ?? start, reading));
  const [first] = forward;
  if (end === undefined || first === undefined || end - (forward.at(-1) ?? first) < MINUTES_A_DAY) return forward;
  const backward: UtcMinute[] = [];
  for (const reading of readings.slice(1).toReversed()) backward.push(findLastInstant(backward.at(-1) ?? end, reading));
  return [first, ...backward.toReversed()];
};

const getTakeOff = (
  { stops, columns }: { readonly stops: readonly ZonedStop[]; readonly columns: FileLayout['columns'] },
  { off, on, in: arrived }: GateTimes,
): UtcMinute => {
  const refuse = (field: string, message: string) =>
    new RowFieldError({ field, value: '', reason: 'wheels-off-missing', message });
  if (off === undefined) throw refuse(columns.off.name, 'The flight landed elsewhere and never took off.');
  const goesOn = (index: number): boolean => index < stops.length - 1 || on !== undefined || arrived !== undefined;
  const stuck = stops.find(({ wheelsOff }, index) => wheelsOff === undefined && goesOn(index));
  if (stuck) throw refuse(stuck.columns.wheelsOff.name, `The flight went on from ${stuck.airport} without leaving it.`);
  return off;
};

/** The landings of a row before its destination. Throws a FieldError when it tells more of the flight than these allow. */
export const computeLandings = (
  stops: readonly ZonedStop[],
  { times, columns }: Pick<RowTimes, 'times' | 'columns'>,
): readonly DiversionLanding[] => {
  if (stops.length === 0) return [];
  const start = getTakeOff({ stops, columns }, times);
  const instants = resolveClockTimes(stops.flatMap(listClockTimes), start, times.on ?? times.in);
  let next = 0;
  return stops.map(({ airport, zone, wheelsOff, registration }) => {
    const on = instants[next] ?? start;
    const off = wheelsOff === undefined ? undefined : instants[next + 1];
    next += wheelsOff === undefined ? 1 : 2;
    return { airport, zone, on, off, registration };
  });
};

/**
 * The touchdown at the destination: by the delay, or else, for a diverted flight of which nothing but the time of day is
 * told, at the first such time after it took off last. Of 519 such flights of January 2014 one landed more than a day later.
 */
export const computeTouchdown = (
  { clocks }: OnTimeFileRow,
  landings: readonly DiversionLanding[],
  { times, zones }: Pick<RowTimes, 'times' | 'zones'>,
): UtcMinute | undefined => {
  const last = landings.at(-1);
  const start = last ? last.off : times.off;
  if (times.on !== undefined || clocks.on === undefined || start === undefined) return times.on;
  return times.in === undefined ? findFirstInstant(start, { minutes: clocks.on, zone: zones.destination }) : undefined;
};

/** Refuses a row whose events do not follow each other: FieldError with the column of the first that comes too early. */
export const assertEventOrder = (
  stops: readonly ZonedStop[],
  landings: readonly DiversionLanding[],
  { times, zones, columns }: RowTimes,
): void => {
  const event = (at: UtcMinute | undefined, zone: string, column: FileColumn | undefined): readonly RowEvent[] =>
    at === undefined || column === undefined ? [] : [{ at, zone, column }];
  const events = [
    ...event(times.out, zones.origin, columns.out),
    ...event(times.off, zones.origin, columns.off),
    ...landings.flatMap(({ on, off, zone }, index) => [
      ...event(on, zone, stops[index]?.columns.wheelsOn),
      ...event(off, zone, stops[index]?.columns.wheelsOff),
    ]),
    ...event(times.on, zones.destination, columns.on),
    ...event(times.in, zones.destination, columns.in),
  ];
  const early = events.find(({ at }, index) => at < (events[index - 1]?.at ?? at));
  if (!early) return;
  throw new RowFieldError({
    field: early.column.name,
    value: formatClockAt(early.zone, early.at),
    reason: 'times-out-of-order',
    message: 'The event would lie before the one that leads to it.',
  });
};
