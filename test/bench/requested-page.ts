import type { FlightInstancePage } from '#generated/flight-info/v2/types.gen.ts';
import { WORLD_KEY } from './synthetic/seed-synthetic.ts';
import type { BenchQuery } from './queries.ts';
import type { World } from './world.ts';

/** One page of a query, as a request to the service and as SQL. */
export type RequestedPage = BenchQuery & {
  readonly limit: number;
  /** Path and query of the service. */
  readonly path: string;
  /** The position before the page; undefined for a first page. */
  readonly place?: { readonly departsAt: string; readonly keyOrder: string };
};

const placeOf = async ({ db }: World, { from, to, departure, arrival, carrier }: BenchQuery, skipped: number) => {
  const narrowed = (column: string, id: number | undefined) =>
    id === undefined ? db`` : db`and ${db(column)} = ${id}`;
  const [row] = await db<{ departsAt: string; keyOrder: string }[]>`
    select departs_at as "departsAt", key_order::text as "keyOrder" from flight_instance
    where departs_at between ${from} and ${to}
      ${narrowed('departure', departure)} ${narrowed('arrival', arrival)} ${narrowed('carrier', carrier)}
    order by departs_at, key_order offset ${skipped} limit 1`;
  return row;
};

/** Walks to the page of a query, or to the last full page; undefined when there is no second page. */
export const walkToPage = async (
  world: World,
  { base, limit }: { readonly base: string; readonly limit: number },
  question: BenchQuery,
): Promise<RequestedPage | undefined> => {
  let path = `/flight-instances?${question.query}&Limit=${limit}`;
  if (question.page === 1) return { ...question, limit, path };
  let page = 1;
  while (page < question.page) {
    const response = await fetch(`${base}${path}`, { headers: { 'subscription-key': WORLD_KEY } });
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
    const { paging }: FlightInstancePage = await response.json();
    if (paging.next === undefined || paging.totalCount < (page + 1) * limit) break;
    path = paging.next.slice(base.length);
    page += 1;
  }
  if (page === 1) return undefined;
  const place = await placeOf(world, question, (page - 1) * limit);
  return { ...question, page, limit, path, ...(place && { place }) };
};
