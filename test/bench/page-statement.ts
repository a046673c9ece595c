import type { RequestedPage } from './requested-page.ts';

/** The filters of a page, its size, and its position; a page without a position is the first one. */
export type PageFilters = Pick<RequestedPage, 'from' | 'to' | 'departure' | 'arrival' | 'carrier' | 'place' | 'limit'>;

/** Text and values of a condition; built as in the service, because fragments of the driver cost time. */
const buildCondition = ({ from, to, departure, arrival, carrier }: PageFilters) => {
  const values: (string | number)[] = [from, to];
  const texts = ['departs_at between $1 and $2'];
  for (const [column, id] of Object.entries({ departure, arrival, carrier }))
    if (id !== undefined) texts.push(`${column} = $${values.push(id)}`);
  return { values, text: texts.join(' and ') };
};

/** The exact count, for the first page only; counts of whole days are stored by day. */
const buildCount = (page: PageFilters, where: string, values: (string | number)[]): string => {
  if (page.place) return '';
  if (values.length > 2) return `(select count(*) from flight_instance where ${where})`;
  const days = [page.from, page.to].map((minute) => `$${values.push(minute.slice(0, 10))}::date`);
  return `(select coalesce(sum(instances), 0) from expanded_day where day between ${days.join(' and ')})
    + (select count(*) from flight_instance where ${where} and flight_type <> 'S')`;
};

/**
 * Returns the statement of the service for a page, for comparable servers: the document, the position and the original of each row, one row more
 * than the page has, and for a first page the exact count in the last column of the first row.
 */
export const buildPageStatement = (page: PageFilters) => {
  const { values, text } = buildCondition(page);
  const count = buildCount(page, text, values);
  const after = page.place
    ? ` and (departs_at, key_order) >= ($${values.push(page.place.departsAt)}, $${values.push(page.place.keyOrder)})`
    : '';
  const rows = `select doc, departs_at, key_order, original from flight_instance
    where ${text}${after} order by departs_at, key_order limit ${page.limit + 1}`;
  const counted = `select p.*, case when row_number() over (order by departs_at, key_order) = 1 then ${count} end
    from (${rows}) as p order by departs_at, key_order`;
  return { text: page.place ? rows : counted, values };
};
