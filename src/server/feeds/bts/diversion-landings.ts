import { MINUTES_A_DAY, type UtcMinute } from '#domain/time/dates.ts';
import { findFirstInstant, findLastInstant, type ClockTime } from './clock-times.ts';
import { RowFieldError, type BtsRow, type DiversionStop } from './bts-row.ts';
import { formatClockAt, type AirportZones, type GateTimes } from './gate-times.ts';
import type { FileColumn, FileLayout } from './file-layouts.ts';

/** A landing other than at the destination, and the departure from there, in UTC. */
export type DiversionLanding = {
  readonly airport: string;
  readonly zone: string;
  readonly on: UtcMinute;
  /** Undefined when no aircraft departed from there under the flight number. */
  readonly off: UtcMinute | undefined;
  /** That of the aircraft that departed. */
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
 * Returns the instants of consecutive times of day from `start` on, each the first possible one. If the flight would then be in the
 * air for a day or more before a known end, the stay on the ground took days: all but the first landing are the last possible ones
 * before the end.
 */
const resolveClockTimes = (
  clockTimes: readonly ClockTime[],
  start: UtcMinute,
  end: UtcMinute | undefined,
): readonly UtcMinute[] => {
  const forward: UtcMinute[] = [];
  for (const time of clockTimes) forward.push(findFirstInstant(forward.at(-1) ?? start, time));
  const [first] = forward;
  if (end === undefined || first === undefined || end - (forward.at(-1) ?? first) < MINUTES_A_DAY) return forward;
  const backward: UtcMinute[] = [];
  for (const time of clockTimes.slice(1).toReversed()) backward.push(findLastInstant(backward.at(-1) ?? end, time));
  return [first, ...backward.toReversed()];
};

const getTakeOff = (
  { stops, columns }: { readonly stops: readonly ZonedStop[]; readonly columns: FileLayout['columns'] },
  { off, on, in: arrived }: GateTimes,
): UtcMinute => {
  const createError = (field: string, message: string) =>
    new RowFieldError({ field, value: '', reason: 'wheels-off-missing', message });
  if (off === undefined) throw createError(columns.off.name, 'The row has a diversion landing but no take-off time.');
  const hasContinued = (index: number): boolean =>
    index < stops.length - 1 || on !== undefined || arrived !== undefined;
  const stranded = stops.find(({ wheelsOff }, index) => wheelsOff === undefined && hasContinued(index));
  if (stranded)
    throw createError(
      stranded.columns.wheelsOff.name,
      `The flight continued from ${stranded.airport}, but its take-off there is missing.`,
    );
  return off;
};

/** Returns the landings of a row before its destination. Throws a RowFieldError when other times of the row contradict them. */
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
 * Returns the touchdown at the destination by the delay. For a diverted flight that has only a time of day, it is the first such time
 * after the last take-off. Of 519 such flights in January 2014, one landed more than a day later.
 */
export const computeTouchdown = (
  { clockTimes }: BtsRow,
  landings: readonly DiversionLanding[],
  { times, zones }: Pick<RowTimes, 'times' | 'zones'>,
): UtcMinute | undefined => {
  const last = landings.at(-1);
  const start = last ? last.off : times.off;
  if (times.on !== undefined || clockTimes.on === undefined || start === undefined) return times.on;
  return times.in === undefined
    ? findFirstInstant(start, { minutes: clockTimes.on, zone: zones.destination })
    : undefined;
};

/** Throws a RowFieldError with the column of the first event that is before the previous one. */
export const assertEventOrder = (
  stops: readonly ZonedStop[],
  landings: readonly DiversionLanding[],
  { times, zones, columns }: RowTimes,
): void => {
  const toEvents = (at: UtcMinute | undefined, zone: string, column: FileColumn | undefined): readonly RowEvent[] =>
    at === undefined || column === undefined ? [] : [{ at, zone, column }];
  const events = [
    ...toEvents(times.out, zones.origin, columns.out),
    ...toEvents(times.off, zones.origin, columns.off),
    ...landings.flatMap(({ on, off, zone }, index) => [
      ...toEvents(on, zone, stops[index]?.columns.wheelsOn),
      ...toEvents(off, zone, stops[index]?.columns.wheelsOff),
    ]),
    ...toEvents(times.on, zones.destination, columns.on),
    ...toEvents(times.in, zones.destination, columns.in),
  ];
  const unordered = events.find(({ at }, index) => at < (events[index - 1]?.at ?? at));
  if (!unordered) return;
  throw new RowFieldError({
    field: unordered.column.name,
    value: formatClockAt(unordered.zone, unordered.at),
    reason: 'times-out-of-order',
    message: 'The time is before that of the previous event of the flight.',
  });
};
