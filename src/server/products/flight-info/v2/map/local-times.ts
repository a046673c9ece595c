import { formatDate, parseDate, type LocalDate } from '#domain/time/dates.ts';
import { formatInstant, secondToMinute, type UtcSecond } from '#domain/status/instants.ts';
import { getUtcOffset } from '#domain/time/zones.ts';
import type { MapLanding, FlightMapSource, MapStation } from './map-source.ts';

/** A local time at an airport. */
export type LocalTime = {
  /** `HH:MM`. */
  readonly text: string;
  /** Days from the flight's date to the day of this time: 1 is the next day. */
  readonly dayShift: number;
  /** ISO 8601 with the offset from UTC. */
  readonly iso: string;
  /** E.g. `UTC+1` or `UTC−3:30`. */
  readonly zone: string;
};

/** The scheduled, estimated and actual time of one step of a flight; undefined if unknown. */
export type TimeRow = {
  readonly label: string;
  readonly scheduled: LocalTime | undefined;
  readonly estimated: LocalTime | undefined;
  readonly actual: LocalTime | undefined;
};

/** The steps of a flight at one airport. */
export type TimeGroup = {
  /** E.g. `Departure`. */
  readonly role: string;
  readonly code: string;
  readonly name: string;
  /** E.g. `UTC+1`. */
  readonly zone: string;
  readonly rows: readonly TimeRow[];
};

/** The main time of a departure or an arrival. */
export type EndSummary = {
  readonly time: LocalTime | undefined;
  /** The kind of the time, e.g. `estimated`. */
  readonly kind: string;
  /** E.g. `12 min late`; '' if unknown. */
  readonly punctuality: string;
};

const formatZone = (offset: number): string => {
  if (offset === 0) return 'UTC';
  const size = Math.abs(offset);
  const minutes = size % 60 === 0 ? '' : `:${String(size % 60).padStart(2, '0')}`;
  return `UTC${offset < 0 ? '−' : '+'}${Math.floor(size / 60)}${minutes}`;
};

const parseDay = (text: string): LocalDate => {
  const date = parseDate(text);
  if (date === undefined) throw new RangeError(`invalid date: '${text}'`);
  return date;
};

/** Creates a converter of instants to local times of a zone, with days counted from `departsOn`. */
const createClock =
  (zone: string, departsOn: string) =>
  (instant: UtcSecond | undefined): LocalTime | undefined => {
    if (instant === undefined) return undefined;
    const offset = getUtcOffset(zone, secondToMinute(instant));
    const iso = formatInstant(instant, offset);
    const dayShift = parseDay(iso.slice(0, 10)) - parseDay(departsOn);
    return { text: iso.slice(11, 16), dayShift, iso, zone: formatZone(offset) };
  };

const formatPunctuality = (instant: number, scheduled: number | undefined): string => {
  if (scheduled === undefined) return '';
  const minutes = Math.round((instant - scheduled) / 60);
  if (minutes === 0) return 'on time';
  const size = Math.abs(minutes);
  const hours = size < 60 ? '' : `${Math.floor(size / 60)} h `;
  return `${hours}${size % 60} min ${minutes > 0 ? 'late' : 'early'}`;
};

type Candidate = { readonly instant: UtcSecond | undefined; readonly kind: string; readonly atGate: boolean };

const summarize = (
  station: MapStation,
  { departsOn, scheduled }: { readonly departsOn: string; readonly scheduled: UtcSecond | undefined },
  candidates: readonly Candidate[],
): EndSummary => {
  const clock = createClock(station.zone, departsOn);
  const best = candidates.find(({ instant }) => instant !== undefined);
  if (best?.instant === undefined) return { time: clock(scheduled), kind: 'scheduled', punctuality: '' };
  const punctuality = best.atGate ? formatPunctuality(best.instant, scheduled) : '';
  return { time: clock(best.instant), kind: best.kind, punctuality };
};

/** Summarizes the departure: the best known gate time, else take-off time. */
export const summarizeDeparture = ({ departure, departsOn, takeOff }: FlightMapSource): EndSummary =>
  summarize(departure, { departsOn, scheduled: takeOff.scheduledOut }, [
    { instant: takeOff.actualOut, kind: 'actual', atGate: true },
    { instant: takeOff.actualOff, kind: 'took off', atGate: false },
    { instant: takeOff.estimatedOut, kind: 'estimated', atGate: true },
  ]);

/** Summarizes the arrival at the scheduled airport; only the scheduled time if the flight ends elsewhere. */
export const summarizeArrival = (
  { arrival, departsOn, scheduledIn, destination }: FlightMapSource,
  endsElsewhere: boolean,
): EndSummary =>
  summarize(
    arrival,
    { departsOn, scheduled: scheduledIn },
    endsElsewhere
      ? []
      : [
          { instant: destination.actualIn, kind: 'actual', atGate: true },
          { instant: destination.actualOn, kind: 'landed', atGate: false },
          { instant: destination.estimatedIn, kind: 'estimated', atGate: true },
          { instant: destination.estimatedOn, kind: 'landing estimated', atGate: false },
        ],
  );

/** Summarizes a landing at another airport; undefined if the airport is unknown. */
export const summarizeLanding = ({ station, ...times }: MapLanding, departsOn: string): EndSummary | undefined =>
  station &&
  summarize(station, { departsOn, scheduled: undefined }, [
    { instant: times.actualIn, kind: 'at the gate', atGate: false },
    { instant: times.actualOn, kind: 'landed', atGate: false },
    { instant: times.estimatedIn, kind: 'expected at the gate', atGate: false },
    { instant: times.estimatedOn, kind: 'expected to land', atGate: false },
  ]);

const isKnown = ({ scheduled, estimated, actual }: TimeRow): boolean =>
  scheduled !== undefined || estimated !== undefined || actual !== undefined;

const toTimeGroup = (station: MapStation, role: string, rows: readonly TimeRow[]): readonly TimeGroup[] => {
  const knownRows = rows.filter(isKnown);
  const zone = knownRows
    .flatMap(({ actual, estimated, scheduled }) => actual ?? estimated ?? scheduled ?? [])
    .at(-1)?.zone;
  const name = station.city ?? station.name;
  return knownRows.length === 0 ? [] : [{ role, code: station.code, name, zone: zone ?? '', rows: knownRows }];
};

/** Lists the times of a flight by airport in flight order, without steps that have no known time. */
export const listTimeGroups = (source: FlightMapSource, endsElsewhere: boolean): readonly TimeGroup[] => {
  const { departure, arrival, departsOn, takeOff, destination, landings } = source;
  const toDepartureTime = createClock(departure.zone, departsOn);
  const toArrivalTime = createClock(arrival.zone, departsOn);
  const nothing = undefined;
  return [
    ...toTimeGroup(departure, 'Departure', [
      {
        label: 'Off the gate',
        scheduled: toDepartureTime(takeOff.scheduledOut),
        estimated: toDepartureTime(takeOff.estimatedOut),
        actual: toDepartureTime(takeOff.actualOut),
      },
      {
        label: 'Take-off',
        scheduled: nothing,
        estimated: toDepartureTime(takeOff.estimatedOff),
        actual: toDepartureTime(takeOff.actualOff),
      },
    ]),
    ...landings.flatMap(({ station, type, ...times }) => {
      if (!station) return [];
      const clock = createClock(station.zone, departsOn);
      return toTimeGroup(station, type === 'TechnicalStop' ? 'Stop' : 'Diversion', [
        { label: 'Landing', scheduled: nothing, estimated: clock(times.estimatedOn), actual: clock(times.actualOn) },
        {
          label: 'At the gate',
          scheduled: nothing,
          estimated: clock(times.estimatedIn),
          actual: clock(times.actualIn),
        },
        { label: 'Take-off', scheduled: nothing, estimated: nothing, actual: clock(times.actualOff) },
      ]);
    }),
    ...toTimeGroup(arrival, 'Arrival', [
      {
        label: 'Landing',
        scheduled: nothing,
        estimated: endsElsewhere ? nothing : toArrivalTime(destination.estimatedOn),
        actual: endsElsewhere ? nothing : toArrivalTime(destination.actualOn),
      },
      {
        label: 'At the gate',
        scheduled: toArrivalTime(source.scheduledIn),
        estimated: endsElsewhere ? nothing : toArrivalTime(destination.estimatedIn),
        actual: endsElsewhere ? nothing : toArrivalTime(destination.actualIn),
      },
    ]),
  ];
};

const months = 'January February March April May June July August September October November December'.split(' ');

/** Formats `2027-03-01` as `1 March 2027`. */
export const formatLongDate = (departsOn: string): string => {
  const [year = '', month = '', day = ''] = formatDate(parseDay(departsOn)).split('-');
  return `${Number(day)} ${months[Number(month) - 1] ?? ''} ${year}`;
};
