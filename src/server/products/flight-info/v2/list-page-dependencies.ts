import { toDate } from '#domain/time/dates.ts';
import type { PageContents } from '#domain/cache/page-invalidation.ts';
import type { ListedInstance } from '#store/flights/flight-instances.ts';
import type { InstanceFilter } from '#store/flights/instance-filter.ts';
import { formatStatusId, type StatusId } from '#store/status/flight-statuses.ts';
import type { ListQuery, RequestedContent } from './parse-query.ts';
import { listLegCandidates } from './find-legs.ts';
import { isThroughFlight, toStatusId } from './row-statuses.ts';

/** Longer lists of airports or carriers count as no filter: they would use the memory of cached pages. */
const MAX_IDS = 256;

const limitIds = (ids: readonly number[] | undefined): readonly number[] | undefined =>
  ids && ids.length > MAX_IDS ? undefined : ids;

const computeSpan = (places: readonly StatusId[]): PageContents['flightDays'] => {
  const [first] = places;
  if (!first) return undefined;
  let [from, to] = [first.departsOn, first.departsOn];
  for (const { departsOn } of places) {
    if (departsOn < from) from = departsOn;
    if (departsOn > to) to = departsOn;
  }
  return { from, to };
};

/** Lists the statuses that the rows depend on: their own and, for a flight with stops, those its legs can have. */
const listStatusPositions = (rows: readonly ListedInstance[]): readonly StatusId[] => [
  ...rows.map(toStatusId),
  ...listLegCandidates(rows.filter(isThroughFlight).map(({ rowJson }) => rowJson)),
];

/**
 * Lists the data that a page depends on, so that it can be cached until they change. Undefined if it cannot be cached:
 * histories depend on more than the last status, map links expire, and a search by registration may be redacted.
 */
export const listPageDependencies = (
  rows: readonly ListedInstance[],
  {
    query,
    filter,
    content: { status, withSeats, withMap },
  }: { readonly query: ListQuery; readonly filter: InstanceFilter; readonly content: RequestedContent },
): PageContents | undefined => {
  const {
    departs,
    carriers,
    codeshareCarriers = [],
    departures,
    arrivals,
    scheduledOrDivertedTo,
    latest,
    states,
    registration,
  } = filter;
  if (!departs || status === 'history' || withMap || registration !== undefined) return undefined;
  const statusIds = status === undefined ? [] : listStatusPositions(rows);
  return {
    // A filter by arrival only depends on the flights of all earlier days.
    days: {
      from: query.DepartureDateTime === undefined && latest?.departs === undefined ? undefined : toDate(departs.from),
      to: toDate(departs.to),
    },
    carriers: limitIds(carriers && [...new Set([...carriers, ...codeshareCarriers])]),
    departures: limitIds(departures),
    arrivals: limitIds(arrivals),
    // The seats of the actual aircraft are part of the status.
    dependsOnStatuses: (scheduledOrDivertedTo ?? latest ?? states) !== undefined || (withSeats && status === undefined),
    flights: new Set(statusIds.map(formatStatusId)),
    flightDays: computeSpan(statusIds),
  };
};
