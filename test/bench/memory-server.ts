/** The upper bound: node:http that sends the same bytes from memory. It fetches each page from the service once. */
import { createServer } from 'node:http';
import { setV8Flags } from '#cli/serve/v8-flags.ts';
import { WORLD_KEY } from './synthetic/seed-synthetic.ts';

setV8Flags();
const pages = new Map<string, Buffer>();
const fetchAll = async (base: string, paths: readonly string[]): Promise<void> => {
  for (const path of paths) {
    const response = await fetch(`${base}${path}`, { headers: { 'subscription-key': WORLD_KEY } });
    if (!response.ok) throw new Error(`${path} returned ${response.status}`);
    pages.set(path, Buffer.from(await response.arrayBuffer()));
  }
};

const server = createServer((request, response) => {
  const body = pages.get(request.url ?? '');
  if (!body) return void response.writeHead(404).end();
  return void response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
});

process.on('message', ({ base, paths }: { readonly base: string; readonly paths: readonly string[] }) => {
  fetchAll(base, paths).then(
    () => process.send?.(pages.size),
    (error: unknown) => {
      throw error;
    },
  );
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address ? address.port : 0);
});
