/** Sends requests over many connections of one key, in its own process, and discards the responses. */
import { Agent, request } from 'node:http';

/** The requests: all connections take the next one in turn. */
export type Flood = {
  readonly base: string;
  readonly key: string;
  readonly connections: number;
  readonly requests: readonly { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: string }[];
};

const [text = ''] = process.argv.slice(2);
const { base, key, connections, requests }: Flood = JSON.parse(text);
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const counts: Record<string, number> = {};
let next = 0;

const sendNext = (): void => {
  const one = requests[next % requests.length];
  next += 1;
  if (!one) return;
  const { method, path, body } = one;
  const headers = { 'subscription-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) };
  const sent = request(`${base}${path}`, { method, headers, agent }, (response) => {
    const status = String(response.statusCode);
    counts[status] = (counts[status] ?? 0) + 1;
    response.resume().once('end', sendNext);
  });
  sent.once('error', sendNext).end(body);
};

for (let connection = 0; connection < connections; connection += 1) sendNext();
process.on('message', () => process.send?.(counts));
process.send?.('started');
