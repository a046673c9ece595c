/** What no server can beat: node:http that sends the same bytes from memory, as Buffers. It asks the service for each page once. */
import { createServer } from 'node:http';
import { countBuffersAsHeap } from '../../src/cli/count-buffers-as-heap.ts';
import { DEMO_KEY } from '../../src/jobs/demo/seed-demo.ts';

countBuffersAsHeap();
const pages = new Map<string, Buffer>();
const fetchAll = async (base: string, paths: readonly string[]): Promise<void> => {
  for (const path of paths) {
    const answer = await fetch(`${base}${path}`, { headers: { 'subscription-key': DEMO_KEY } });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    pages.set(path, Buffer.from(await answer.arrayBuffer()));
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
