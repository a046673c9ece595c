import type { RequestedPage } from '../requested-page.ts';

/** Builds the SQL text and values of a page: the plain query over the table. */
export const pageQuery = (columns: string, tables: string, page: RequestedPage) => {
  const values: (string | number)[] = [page.from, page.to];
  const conditions = ['i.departs_at between $1 and $2'];
  const { departure, arrival, carrier } = page;
  for (const [column, id] of Object.entries({ departure, arrival, carrier }))
    if (id !== undefined) conditions.push(`i.${column} = $${values.push(id)}`);
  const text = `select ${columns} from ${tables} where ${conditions.join(' and ')} order by i.departs_at, i.key_order limit ${page.limit}`;
  return { text, values };
};
