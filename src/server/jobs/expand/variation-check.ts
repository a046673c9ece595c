import type { LocalDate, LocalMinute } from '#domain/time/dates.ts';
import { formatDate } from '#domain/time/dates.ts';
import type { Moment, SegmentInstance } from '#domain/schedule/instances.ts';
import type { LegEnd, ScheduleLeg } from '#domain/schedule/schedule.ts';

/** Legs operate at least every other week: differing days this close are named as one period. */
const LONGEST_PAUSE_DAYS = 14;
/** How many periods a remark names. */
const MAX_PERIODS = 3;
/** A station changes between right and wrong only with the clock changes, of it or of its zone: twice a year, or in Ramadan. */
const SHORTEST_STATE_DAYS = 60;
/** Around a clock change, records often have the variation of the other season for some days. This is no sign of a wrong zone. */
const LONGEST_DELAY_DAYS = 14;

/** Days, counted, and kept as periods: a file can have millions of differing days. */
class CountedDays {
  count = 0;
  readonly #periods: { readonly from: LocalDate; to: LocalDate }[] = [];

  /** Adds a day; the same day can be added several times in a row. */
  add(day: LocalDate): void {
    const last = this.#periods.at(-1);
    if (last?.to === day) return;
    this.count += 1;
    if (last && day > last.to && day - last.to <= LONGEST_PAUSE_DAYS) last.to = day;
    else this.#periods.push({ from: day, to: day });
  }

  /** Returns the number of days and their periods as text. */
  toString(): string {
    const periods = this.#periods.toSorted((one, other) => one.from - other.from);
    const shown = periods
      .slice(0, MAX_PERIODS)
      .map(({ from, to }) => (from === to ? formatDate(from) : `${formatDate(from)} to ${formatDate(to)}`));
    const rest = periods.length > MAX_PERIODS ? [`${periods.length - MAX_PERIODS} later periods`] : [];
    return `${this.count} ${this.count === 1 ? 'day' : 'days'} (${[...shown, ...rest].join(', ')})`;
  }
}

/** An end of a leg whose filed variation differs from the zone of its station. */
export type EndDifference = {
  readonly station: string;
  readonly filed: number;
  /** The offset of the zone on the first differing day. */
  readonly byZone: number;
};

/** A leg with filed variations that differ from the zones. */
export type LegDifference = {
  readonly leg: ScheduleLeg;
  readonly days: CountedDays;
  ends: readonly EndDifference[];
  /** True when UTC times follow the filed variations on one of the days. */
  utcAsFiled: boolean;
};

/** A station for which all legs file another variation than its zone has. */
export type StationDifference = EndDifference & {
  readonly days: CountedDays;
  readonly records: number;
  /** Departures and arrivals of flights on these days. */
  readonly movements: number;
  readonly timeMode: ScheduleLeg['timeMode'];
};

/** A leg end at a local time that the clock skips. */
export type SkippedTime = {
  readonly leg: ScheduleLeg;
  readonly station: string;
  readonly filed: LocalMinute;
  readonly shown: LocalMinute;
  readonly days: CountedDays;
};

/** The ends of legs at one station, day by day. */
class StationVariations {
  readonly #days = new CountedDays();
  readonly #lines = new Set<number>();
  #first: EndDifference | undefined;
  #timeMode: ScheduleLeg['timeMode'] = 'local';
  #movements = 0;
  #dayCount = 0;
  #firstDay: LocalDate | undefined;
  #lastDay: LocalDate | undefined;
  /** The variations by which the ends of the last day differ; undefined for those that do not. */
  #ofDay = new Set<number | undefined>();
  #state: number | undefined;
  #hasState = false;
  #changes = 0;
  #mixedDays = 0;

  add(day: LocalDate, leg: ScheduleLeg, difference: EndDifference | undefined): void {
    if (day !== this.#lastDay) {
      this.#closeDay();
      this.#dayCount += 1;
    }
    this.#firstDay ??= day;
    this.#lastDay = day;
    this.#ofDay.add(difference?.filed);
    if (!difference) return;
    this.#first ??= difference;
    this.#timeMode = leg.timeMode;
    this.#lines.add(leg.line);
    this.#days.add(day);
    this.#movements += 1;
  }

  /** Returns the difference when all legs share it: on each day all or none differ, and days of both kinds do not alternate. */
  findShared(): StationDifference | undefined {
    this.#closeDay();
    if (!this.#first || this.#lines.size < 2) return undefined;
    const span = (this.#lastDay ?? 0) - (this.#firstDay ?? 0);
    const allowed = 1 + Math.floor(span / SHORTEST_STATE_DAYS);
    if (this.#changes > allowed || this.#mixedDays > allowed || this.#mixedDays >= this.#days.count) return undefined;
    if (this.#days.count < this.#dayCount && this.#days.count < LONGEST_DELAY_DAYS) return undefined;
    return {
      ...this.#first,
      days: this.#days,
      records: this.#lines.size,
      movements: this.#movements,
      timeMode: this.#timeMode,
    };
  }

  #closeDay(): void {
    const [state] = this.#ofDay;
    // On the day of a clock change, both variations are right.
    if (this.#ofDay.size > 1) this.#mixedDays += 1;
    else if (this.#ofDay.size === 1) {
      if (this.#hasState && state !== this.#state) this.#changes += 1;
      this.#state = state;
      this.#hasState = true;
    }
    this.#ofDay = new Set();
  }
}

/**
 * Compares filed UTC variations with the zones of stations while days are expanded. A variation that all legs of a station share is a
 * difference of the station, whose zone may be wrong; all others are differences of legs.
 */
export class VariationCheck {
  readonly #stations = new Map<string, StationVariations>();
  readonly #legs = new Map<number, LegDifference>();
  readonly #skipped = new Map<string, SkippedTime>();

  /** Adds the flight of a leg on a day. */
  add(day: LocalDate, leg: ScheduleLeg, { byZone, utcAsFiled }: SegmentInstance): void {
    const departure = this.#addEnd(day, { leg, end: leg.departure, moment: byZone.departure });
    const arrival = this.#addEnd(day, { leg, end: leg.arrival, moment: byZone.arrival });
    if (!departure && !arrival) return;
    const known = this.#legs.get(leg.line);
    const entry = known ?? { leg, days: new CountedDays(), ends: [], utcAsFiled: false };
    if (!known) this.#legs.set(leg.line, entry);
    entry.days.add(day);
    entry.utcAsFiled ||= utcAsFiled;
    for (const end of [departure, arrival])
      if (end && !entry.ends.some(({ station }) => station === end.station)) entry.ends = [...entry.ends, end];
  }

  /** Lists the differences of stations. */
  listStations(): readonly StationDifference[] {
    return [...this.#stations.values()].map((station) => station.findShared()).filter((one) => one !== undefined);
  }

  /** Lists the legs with a difference that is not one of these stations, and those whose UTC times are as filed. */
  listLegs(stations: readonly StationDifference[]): readonly LegDifference[] {
    const shared = new Set(stations.map(({ station }) => station));
    return [...this.#legs.values()].flatMap((difference) => {
      const ends = difference.ends.filter(({ station }) => !shared.has(station));
      if (difference.utcAsFiled) return [difference];
      return ends.length > 0 ? [{ ...difference, ends }] : [];
    });
  }

  /** Lists the local times that a clock skips. */
  listSkippedTimes(): readonly SkippedTime[] {
    return [...this.#skipped.values()];
  }

  #addEnd(
    day: LocalDate,
    { leg, end, moment }: { readonly leg: ScheduleLeg; readonly end: LegEnd; readonly moment: Moment },
  ): EndDifference | undefined {
    const { station, utcVariationMinutes: filed } = end;
    const { local, utc, filedLocal } = moment;
    if (local !== filedLocal) this.#addSkipped(day, { leg, station, filed: filedLocal, shown: local });
    const difference = moment.mismatch ? { station, filed, byZone: local - utc } : undefined;
    const known = this.#stations.get(station);
    const variations = known ?? new StationVariations();
    if (!known) this.#stations.set(station, variations);
    variations.add(day, leg, difference);
    return difference;
  }

  #addSkipped(day: LocalDate, skipped: Omit<SkippedTime, 'days'>): void {
    const key = `${skipped.leg.line} ${skipped.station}`;
    const entry = this.#skipped.get(key) ?? { ...skipped, days: new CountedDays() };
    entry.days.add(day);
    this.#skipped.set(key, entry);
  }
}
