import { formatDate, parseDate, type LocalDate } from '../../../../domain/time/dates.ts';
import { formatInstant, secondToMinute, type UtcSecond } from '../../../../domain/status/instants.ts';
import { getUtcOffset } from '../../../../domain/time/zones.ts';
import type { MapLanding, FlightMapSource, MapStation } from './map-source.ts';

/** A moment on the clock of an airport. */
export type LocalTime = {
  /** `HH:MM`. */
  readonly text: string;
  /** Days between the flight's date and the day of this moment: 1 is the next day. */
  readonly dayShift: number;
  /** ISO 8601 with the offset from UTC. */
  readonly iso: string;
  /** E.g. `UTC+1` or `UTC−3:30`. */
  readonly zone: string;
};

/** What is scheduled, estimated and actual of one step of a flight; each undefined where nothing is known. */
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

/** What a reader wants to know first of one end of a flight. */
export type EndSummary = {
  readonly time: LocalTime | undefined;
  /** What kind of time that is, e.g. `estimated`. */
  readonly kind: string;
  /** E.g. `12 min late`; '' when that cannot be said. */
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
  if (date === undefined) throw new RangeError(`not a date: '${text}'`);
  return date;
};

/** Reads instants off the clock of a zone, days counted from `departsOn`. */
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

/** The departure in short: the best known time at the gate, else of the take-off. */
export const summarizeDeparture = ({ departure, departsOn, takeOff }: FlightMapSource): EndSummary =>
  summarize(departure, { departsOn, scheduled: takeOff.scheduledOut }, [
    { instant: takeOff.actualOut, kind: 'actual', atGate: true },
    { instant: takeOff.actualOff, kind: 'took off', atGate: false },
    { instant: takeOff.estimatedOut, kind: 'estimated', atGate: true },
  ]);

/** The arrival at the scheduled airport in short; of a flight that ends elsewhere only what was scheduled. */
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

/** A landing elsewhere in short; undefined where it is not known. */
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
  const told = rows.filter(isKnown);
  const zone = told.flatMap(({ actual, estimated, scheduled }) => actual ?? estimated ?? scheduled ?? []).at(-1)?.zone;
  const name = station.city ?? station.name;
  return told.length === 0 ? [] : [{ role, code: station.code, name, zone: zone ?? '', rows: told }];
};

/** All times of a flight, airport by airport in the order of the flight; steps of which nothing is known are left out. */
export const timeGroups = (source: FlightMapSource, endsElsewhere: boolean): readonly TimeGroup[] => {
  const { departure, arrival, departsOn, takeOff, destination, landings } = source;
  const there = createClock(departure.zone, departsOn);
  const here = createClock(arrival.zone, departsOn);
  const nothing = undefined;
  return [
    ...toTimeGroup(departure, 'Departure', [
      {
        label: 'Off the gate',
        scheduled: there(takeOff.scheduledOut),
        estimated: there(takeOff.estimatedOut),
        actual: there(takeOff.actualOut),
      },
      {
        label: 'Take-off',
        scheduled: nothing,
        estimated: there(takeOff.estimatedOff),
        actual: there(takeOff.actualOff),
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
        estimated: endsElsewhere ? nothing : here(destination.estimatedOn),
        actual: endsElsewhere ? nothing : here(destination.actualOn),
      },
      {
        label: 'At the gate',
        scheduled: here(source.scheduledIn),
        estimated: endsElsewhere ? nothing : here(destination.estimatedIn),
        actual: endsElsewhere ? nothing : here(destination.actualIn),
      },
    ]),
  ];
};

const months = 'January February March April May June July August September October November December'.split(' ');

/** `1 March 2027` of `2027-03-01`. */
export const formatLongDate = (departsOn: string): string => {
  const [year = '', month = '', day = ''] = formatDate(parseDay(departsOn)).split('-');
  return `${Number(day)} ${months[Number(month) - 1] ?? ''} ${year}`;
};
