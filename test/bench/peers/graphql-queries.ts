import type { Database } from '#store/pool/database.ts';
import type { RequestedPage } from '../requested-page.ts';

/** Creates a schema for PostGraphile with a function for each shape of query; PostgreSQL inlines them and uses the indexes. */
export const createGraphqlSchema = async (db: Database): Promise<void> => {
  const of = (name: string, parameter: string, column: string): string => `
    create function bench.${name}(from_time timestamp, to_time timestamp${parameter}) returns setof bench.flight language sql stable as $$
      select departs_at, key_order, doc from public.flight_instance
      where departs_at between from_time and to_time ${column === '' ? '' : `and ${column} = of_id`}
      order by departs_at, key_order $$;`;
  await db.unsafe(`
    drop schema if exists bench cascade;
    create schema bench;
    create view bench.flight as select departs_at, key_order, doc from public.flight_instance;
    ${of('flights_of_airport', ', of_id integer', 'departure')}
    ${of('flights_of_carrier', ', of_id integer', 'carrier')}
    ${of('flights_of_days', '', '')}`);
};

/** Returns the request body for a page with up to one filter. */
export const toGraphqlBody = ({ from, to, departure, carrier, limit }: RequestedPage): string => {
  const span = `fromTime: "${from.replace(' ', 'T')}", toTime: "${to.replace(' ', 'T')}", first: ${limit}`;
  const field =
    departure !== undefined
      ? `flightsOfAirport(${span}, ofId: ${departure})`
      : carrier !== undefined
        ? `flightsOfCarrier(${span}, ofId: ${carrier})`
        : `flightsOfDays(${span})`;
  return JSON.stringify({ query: `{ ${field} { nodes { doc } } }` });
};
