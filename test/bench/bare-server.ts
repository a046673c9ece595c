/**
 * The minimal server for the same pages: node:http and the driver, the same SQL with bind values, raw bytes joined.
 * No routing, keys, validation or log. The path is the number of the page. Runtime settings equal those of the service.
 */
import { createServer } from 'node:http';
import postgres from 'postgres';
import { setV8Flags } from '#cli/serve/v8-flags.ts';
import { splitSocketPath } from '#store/pool/driver/driver.ts';
import type { RequestedPage } from './requested-page.ts';

const [url = '', given = '[]'] = process.argv.slice(2);
setV8Flags();
const pages: readonly RequestedPage[] = JSON.parse(given);
const socket = splitSocketPath(url);
const sql = postgres(socket.url, {
  ...(socket.path !== undefined && { path: socket.path }),
  max: 10,
  onnotice: () => {},
  types: { timestamp: { to: 1114, from: [1114], serialize: (text: string) => text, parse: (text: string) => text } },
});

const head = Buffer.from('{"data":[');
const comma = Buffer.from(',');

/** Text and values of a condition; built as in the service, because fragments of the driver cost time. */
const conditionOf = ({ from, to, departure, arrival, carrier }: RequestedPage) => {
  const values: (string | number)[] = [from, to];
  const texts = ['departs_at between $1 and $2'];
  for (const [column, id] of Object.entries({ departure, arrival, carrier }))
    if (id !== undefined) texts.push(`${column} = $${values.push(id)}`);
  return { values, text: texts.join(' and ') };
};

/** The exact count, for the first page only; counts of whole days are stored by day. */
const countOf = (page: RequestedPage, where: string, values: (string | number)[]): string => {
  if (page.place) return '';
  if (values.length > 2) return `(select count(*) from flight_instance where ${where})`;
  const days = [page.from, page.to].map((minute) => `$${values.push(minute.slice(0, 10))}::date`);
  return `(select coalesce(sum(instances), 0) from expanded_day where day between ${days.join(' and ')})
    + (select count(*) from flight_instance where ${where} and flight_type <> 'S')`;
};

const rowsOf = (page: RequestedPage) => {
  const { values, text } = conditionOf(page);
  const count = countOf(page, text, values);
  const after = page.place
    ? ` and (departs_at, key_order) >= ($${values.push(page.place.departsAt)}, $${values.push(page.place.keyOrder)})`
    : '';
  const rows = `select doc, departs_at, key_order, original from flight_instance
    where ${text}${after} order by departs_at, key_order limit ${page.limit + 1}`;
  const counted = `select p.*, case when row_number() over (order by departs_at, key_order) = 1 then ${count} end
    from (${rows}) as p order by departs_at, key_order`;
  return sql.unsafe(page.place ? rows : counted, values, { prepare: true }).raw();
};

const respond = async (page: RequestedPage): Promise<Buffer> => {
  const rows = await rowsOf(page);
  const count = page.place ? '0' : (rows[0]?.at(-1)?.toString('latin1') ?? '0');
  const pieces: Buffer[] = [head];
  for (const [index, [doc]] of rows.slice(0, page.limit).entries()) {
    if (index > 0) pieces.push(comma);
    if (doc) pieces.push(doc);
  }
  pieces.push(Buffer.from(`],"paging":{"limit":${page.limit},"totalCount":${count}}}`));
  return Buffer.concat(pieces);
};

const server = createServer((request, response) => {
  const page = pages[Number((request.url ?? '').slice(1))];
  if (!page) return void response.writeHead(404).end();
  respond(page).then(
    (body) => response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address ? address.port : 0);
});
