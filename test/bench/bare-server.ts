/**
 * The least that can answer the same pages: node:http and the driver, the same SQL with its values as parameters, raw
 * bytes joined. No routing, no keys, no validation, no log. The path names the question.
 */
import { createServer } from 'node:http';
import postgres from 'postgres';
import { countBuffersAsHeap } from '../../src/cli/count-buffers-as-heap.ts';
import { questions, type Question } from './questions.ts';

const [url = '', ids = '{}'] = process.argv.slice(2);
// With our setting of the runtime the comparison is one of code alone; without it, of servers as people run them.
if (process.argv[4] === 'set') countBuffersAsHeap();
const idOf: Record<string, number> = JSON.parse(ids);
const sql = postgres(url, {
  max: 10,
  onnotice: () => {},
  types: { timestamp: { to: 1114, from: [1114], serialize: (text: string) => text, parse: (text: string) => text } },
});

const head = Buffer.from('{"data":[');
const comma = Buffer.from(',');

const where = ({ from, to, filter, code }: Question) => sql`
  departs_at between ${from} and ${to} ${filter === undefined ? sql`` : sql`and ${sql(filter)} = ${idOf[code ?? ''] ?? 0}`}`;

const answer = async (question: Question, limit: number): Promise<Buffer> => {
  const rowsOf = sql`
    select doc, departs_at, key_order from flight_instance where ${where(question)}
    order by departs_at, key_order limit ${limit + 1}`.raw();
  const countOf = question.filter
    ? sql`select count(*) from flight_instance where ${where(question)}`
    : sql`select coalesce(sum(instances), 0) as count from expanded_day where day between ${question.from.slice(0, 10)}::date and ${question.to.slice(0, 10)}::date`;
  const [rows, [count]] = await Promise.all([rowsOf, countOf]);
  const pieces: Buffer[] = [head];
  for (const [index, [doc]] of rows.slice(0, limit).entries()) {
    if (index > 0) pieces.push(comma);
    if (doc) pieces.push(doc);
  }
  pieces.push(Buffer.from(`],"paging":{"limit":${limit},"totalCount":${count?.['count']}}}`));
  return Buffer.concat(pieces);
};

const server = createServer((request, response) => {
  const [, name = '', limit = '100'] = (request.url ?? '').split('/');
  const question = questions.find((one) => one.name === name);
  if (!question) return void response.writeHead(404).end();
  answer(question, Number(limit)).then(
    (body) => response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address ? address.port : 0);
});
