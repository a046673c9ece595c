/**
 * The minimal server for the same pages: node:http and the driver, the same SQL with bind values, raw bytes joined.
 * No routing, keys, validation or log. The path is the number of the page. Runtime settings equal those of the service.
 */
import { createServer } from 'node:http';
import postgres from 'postgres';
import { setV8Flags } from '#cli/serve/v8-flags.ts';
import { splitSocketPath } from '#store/pool/driver/driver.ts';
import { buildPageStatement } from './page-statement.ts';
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

const rowsOf = (page: RequestedPage) => {
  const { text, values } = buildPageStatement(page);
  return sql.unsafe(text, values, { prepare: true }).raw();
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
