import { dateAt } from '../../../domain/time/dates.ts';
import type { PageContents } from '../../../domain/events/page-changes.ts';
import type { ListedInstance, Wanted } from '../../../store/flights/flight-instances.ts';
import { placeName, type StatusPlace } from '../../../store/status/flight-statuses.ts';
import type { RequestedContent } from './parse-query.ts';
import { listLegCandidates } from './find-legs.ts';
import type { ListQuery } from './routes.ts';
import { isThroughFlight, statusPositionOf } from './row-statuses.ts';

/** A page for more places or carriers than these counts as one for all of them: long lists would take the room of pages. */
const MAX_IDS = 256;

const limitIds = (ids: readonly number[] | undefined): readonly number[] | undefined =>
  ids && ids.length > MAX_IDS ? undefined : ids;

const spanOf = (places: readonly StatusPlace[]): PageContents['flightDays'] => {
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
const listStatusPositions = (rows: readonly ListedInstance[]): readonly StatusPlace[] => [
  ...rows.map(statusPositionOf),
  ...listLegCandidates(rows.filter(isThroughFlight).map(({ doc }) => doc)),
];

/**
 * What a page of the list shows, so that it can be kept until that changes. Undefined where it cannot be kept: histories are long and made of
 * more than the last status, links to maps end by the clock, and what is found by registration may be withheld.
 */
export const describePage = (
  rows: readonly ListedInstance[],
  {
    query,
    wanted,
    content: { status, withSeats, withMap },
  }: { readonly query: ListQuery; readonly wanted: Wanted; readonly content: RequestedContent },
): PageContents | undefined => {
  const { departs, carriers, departures, arrivals, includesDiverted, registration } = wanted;
  if (!departs || status === 'history' || withMap || registration !== undefined) return undefined;
  const places = status === undefined ? [] : listStatusPositions(rows);
  return {
    // Asked by arrival alone, it rests on how long the flights of any earlier day are.
    days: { from: query.DepartureDateTime === undefined ? undefined : dateAt(departs.from), to: dateAt(departs.to) },
    carriers: limitIds(carriers),
    departures: limitIds(departures),
    arrivals: includesDiverted ? undefined : limitIds(arrivals),
    // The seats of the aircraft that flies come with its status.
    dependsOnStatuses: includesDiverted === true || (withSeats && status === undefined),
    flights: new Set(places.map(placeName)),
    flightDays: spanOf(places),
  };
};
