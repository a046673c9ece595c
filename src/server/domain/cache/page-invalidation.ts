import type { LocalDate } from '../time/dates.ts';

/** A change of data that pages of flights contain. `flight` identifies a flight by departure date and order of its status key. */
export type PageChange =
  | { readonly kind: 'all' }
  /** Any list row or status of a local departure day, or the number of its rows. */
  | { readonly kind: 'day'; readonly day: LocalDate }
  /** The status of a flight; IDs of its scheduled locations, undefined if they are not known. */
  | {
      readonly kind: 'status';
      readonly day: LocalDate;
      readonly flight: string;
      readonly departure?: number | undefined;
      readonly arrival?: number | undefined;
    }
  /** A list row before or after the change; IDs of carrier and locations. */
  | {
      readonly kind: 'row';
      readonly day: LocalDate;
      readonly flight: string;
      readonly carrier: number;
      readonly departure: number;
      readonly arrival: number;
    };

/** A span of local dates, both included. */
type Days = { readonly from: LocalDate; readonly to: LocalDate };

/** The data that the bytes of a page depend on. Undefined IDs do not filter. */
export type PageContents = {
  /** The departure days of its list; `from` is undefined if all earlier days matter. */
  readonly days: { readonly from: LocalDate | undefined; readonly to: LocalDate };
  readonly carriers: readonly number[] | undefined;
  readonly departures: readonly number[] | undefined;
  readonly arrivals: readonly number[] | undefined;
  /** Whether statuses filter its list: then any change of a status on its days at its airports matters. */
  readonly dependsOnStatuses: boolean;
  /** The flights whose status it contains, and the legs from which that of a flight with stops is composed. */
  readonly flights: ReadonlySet<string>;
  /** The days of these flights; undefined if there are none. */
  readonly flightDays: Days | undefined;
};

const matchesFilter = (ids: readonly number[] | undefined, id: number | undefined): boolean =>
  ids === undefined || id === undefined || ids.includes(id);

/** Returns whether a change may affect a page; never false if it does. */
export const isPageAffected = (
  { days, carriers, departures, arrivals, dependsOnStatuses, flights, flightDays }: PageContents,
  change: PageChange,
): boolean => {
  if (change.kind === 'all') return true;
  const { day } = change;
  const isListed = day <= days.to && (days.from === undefined || day >= days.from);
  const isNear = flightDays !== undefined && day >= flightDays.from && day <= flightDays.to;
  if (!isListed && !isNear) return false;
  if (change.kind === 'day' || flights.has(change.flight)) return true;
  return (
    isListed &&
    (change.kind === 'row' ? matchesFilter(carriers, change.carrier) : dependsOnStatuses) &&
    matchesFilter(departures, change.departure) &&
    matchesFilter(arrivals, change.arrival)
  );
};
