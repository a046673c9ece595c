import type { LocalDate } from '../time/dates.ts';

/** Something that changed of what pages of flights show. `flight` names a flight by its local date of departure and the order of its status key. */
export type PageChange =
  | { readonly kind: 'all' }
  /** Any list row or status of a local day of departure, or how many rows it has. */
  | { readonly kind: 'day'; readonly day: LocalDate }
  | { readonly kind: 'status'; readonly day: LocalDate; readonly flight: string }
  /** A list row as it was or as it is; ids of carrier and locations. */
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

/** What a page shows: all that its bytes rest on in the database. Ids that are undefined do not narrow. */
export type PageContents = {
  /** The days on which the flights of its list can depart, the first of them undefined where any earlier one can bear on it. */
  readonly days: { readonly from: LocalDate | undefined; readonly to: LocalDate };
  readonly carriers: readonly number[] | undefined;
  readonly departures: readonly number[] | undefined;
  readonly arrivals: readonly number[] | undefined;
  /** Whether its list is narrowed by what statuses say: then any of its days bears on it. */
  readonly dependsOnStatuses: boolean;
  /** The flights whose status is shown, and those out of which that of a flight with stops is made. */
  readonly flights: ReadonlySet<string>;
  /** The days of these flights; undefined when there are none. */
  readonly flightDays: Days | undefined;
};

const matchesFilter = (wanted: readonly number[] | undefined, id: number): boolean =>
  wanted === undefined || wanted.includes(id);

/** Whether a page may look different after a change: never false where it does. */
export const isPageAffected = (
  { days, carriers, departures, arrivals, dependsOnStatuses: restsOnStatuses, flights, flightDays }: PageContents,
  change: PageChange,
): boolean => {
  if (change.kind === 'all') return true;
  const { day } = change;
  const isListed = day <= days.to && (days.from === undefined || day >= days.from);
  const isNear = flightDays !== undefined && day >= flightDays.from && day <= flightDays.to;
  if (!isListed && !isNear) return false;
  if (change.kind === 'day' || (isListed && restsOnStatuses)) return true;
  if (flights.has(change.flight)) return true;
  return (
    change.kind === 'row' &&
    isListed &&
    matchesFilter(carriers, change.carrier) &&
    matchesFilter(departures, change.departure) &&
    matchesFilter(arrivals, change.arrival)
  );
};
