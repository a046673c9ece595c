import { dateAt } from '../../../domain/time/dates.ts';
import type { PageShows } from '../../../domain/events/page-changes.ts';
import type { ListedInstance, Wanted } from '../../../store/flights/flight-instances.ts';
import { placeName, type StatusPlace } from '../../../store/status/flight-statuses.ts';
import type { Content } from './content.ts';
import { legCandidates } from './leg-places.ts';
import type { ListQuery } from './routes.ts';
import { isThrough, statusPlaceOf } from './statuses-of-rows.ts';

/** A page for more places or carriers than these counts as one for all of them: long lists would take the room of pages. */
const MOST_IDS = 256;

const few = (ids: readonly number[] | undefined): readonly number[] | undefined =>
  ids && ids.length > MOST_IDS ? undefined : ids;

const daysOf = (places: readonly StatusPlace[]): PageShows['flightDays'] => {
  const [first] = places;
  if (!first) return undefined;
  let [from, to] = [first.departsOn, first.departsOn];
  for (const { departsOn } of places) {
    if (departsOn < from) from = departsOn;
    if (departsOn > to) to = departsOn;
  }
  return { from, to };
};

/** The flights on whose statuses the rows rest: their own and, for a flight with stops, wherever its legs may be. */
const placesOf = (rows: readonly ListedInstance[]): readonly StatusPlace[] => [
  ...rows.map(statusPlaceOf),
  ...legCandidates(rows.filter(isThrough).map(({ doc }) => doc)),
];

/**
 * What a page of the list shows, so that it can be kept until that changes. Undefined where it cannot be kept: histories are long and made of
 * more than the last status, links to maps end by the clock, and what is found by registration may be withheld.
 */
export const pageShows = (
  rows: readonly ListedInstance[],
  {
    query,
    wanted,
    content: { status, withSeats, withMap },
  }: { readonly query: ListQuery; readonly wanted: Wanted; readonly content: Content },
): PageShows | undefined => {
  const { departs, carriers, departures, arrivals, includesDiverted, registration } = wanted;
  if (!departs || status === 'history' || withMap || registration !== undefined) return undefined;
  const places = status === undefined ? [] : placesOf(rows);
  return {
    // Asked by arrival alone, it rests on how long the flights of any earlier day are.
    days: { from: query.DepartureDateTime === undefined ? undefined : dateAt(departs.from), to: dateAt(departs.to) },
    carriers: few(carriers),
    departures: few(departures),
    arrivals: includesDiverted ? undefined : few(arrivals),
    // The seats of the aircraft that flies come with its status.
    restsOnStatuses: includesDiverted === true || (withSeats && status === undefined),
    flights: new Set(places.map(placeName)),
    flightDays: daysOf(places),
  };
};
