/**
 * Fastify and pg in their usual form. `documents`: parses each row's document and writes the page as JSON. `relational`: joins
 * tables and shapes rows in JavaScript. The path is the number of the page; no counts.
 */
import type { RequestedPage } from '../requested-page.ts';
import { peerModule } from './install.ts';

/** Builds the SQL text and values of a page: the plain query over the table. */
const pageQuery = (columns: string, tables: string, page: RequestedPage) => {
  const values: (string | number)[] = [page.from, page.to];
  const conditions = ['i.departs_at between $1 and $2'];
  const { departure, arrival, carrier } = page;
  for (const [column, id] of Object.entries({ departure, arrival, carrier }))
    if (id !== undefined) conditions.push(`i.${column} = $${values.push(id)}`);
  const text = `select ${columns} from ${tables} where ${conditions.join(' and ')} order by i.departs_at, i.key_order limit ${page.limit}`;
  return { text, values };
};

type Row = Readonly<Record<string, unknown>>;
type Pool = {
  readonly query: (query: {
    text: string;
    values: unknown[];
    name: string;
  }) => Promise<{ readonly rows: readonly Row[] }>;
};
type Server = {
  readonly get: (
    path: string,
    handler: (request: { readonly params: { readonly page: string } }) => Promise<object>,
  ) => void;
  readonly listen: (options: { port: number; host: string }) => Promise<string>;
};

const [url = '', given = '[]', kind = 'documents'] = process.argv.slice(2);
const pages: readonly RequestedPage[] = JSON.parse(given);
const { Pool: PoolOf } = peerModule('pg') as {
  readonly Pool: new (options: { connectionString: string; max: number }) => Pool;
};
const { fastify } = peerModule('fastify') as { readonly fastify: () => Server };
const pool = new PoolOf({ connectionString: url, max: 10 });

const joined = `flight_instance i join carrier c on c.id = i.carrier join location d on d.id = i.departure
  join location a on a.id = i.arrival left join segment s on s.id = i.segment_id`;

const columns = `i.departs_at, i.arrives_at, i.flight_number, i.flight_type, i.service_type, i.is_marketing, encode(i.key, 'hex') as key,
  encode(i.key, 'hex') as status_key, c.iata as carrier_iata, c.icao as carrier_icao, c.name as carrier_name, d.iata as departure_iata,
  d.icao as departure_icao, d.country_code as departure_country, d.name as departure_name, a.iata as arrival_iata, a.icao as arrival_icao,
  a.country_code as arrival_country, a.name as arrival_name, s.details, s.seats`;

const shape = (row: Row): object => ({
  carrier: { iata: row['carrier_iata'], icao: row['carrier_icao'], name: row['carrier_name'] },
  flightNumber: row['flight_number'],
  flightType: row['flight_type'],
  serviceType: { iata: row['service_type'] },
  isMarketing: row['is_marketing'],
  departure: {
    airport: { iata: row['departure_iata'], icao: row['departure_icao'], name: row['departure_name'] },
    country: { code: row['departure_country'] },
    at: row['departs_at'],
  },
  arrival: {
    airport: { iata: row['arrival_iata'], icao: row['arrival_icao'], name: row['arrival_name'] },
    country: { code: row['arrival_country'] },
    at: row['arrives_at'],
  },
  details: row['details'],
  seats: row['seats'],
  scheduleInstanceKey: row['key'],
  statusKey: row['status_key'],
});

const isRelational = kind === 'relational';
const queries = pages.map((page, index) => ({
  ...(isRelational ? pageQuery(columns, joined, page) : pageQuery('i.doc::json as doc', 'flight_instance i', page)),
  name: `page ${index}`,
}));

const server = fastify();
server.get('/:page', async ({ params }) => {
  const query = queries[Number(params.page)];
  if (!query) throw new RangeError(`there is no page ${params.page}`);
  const { rows } = await pool.query(query);
  return { data: isRelational ? rows.map(shape) : rows.map(({ doc }) => doc) };
});
process.send?.(Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port));
