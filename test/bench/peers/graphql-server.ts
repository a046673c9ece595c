/** PostGraphile over the same table: a function for each shape of query, and the document of each row as the requested field. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { peerModule } from './install.ts';

type Served = { readonly addTo: (server: Server) => Promise<void> };
type Made = { readonly createServ: (grafserv: unknown) => Served };

// Production settings.
process.env['GRAPHILE_ENV'] ??= 'production';

const [url = ''] = process.argv.slice(2);
const { postgraphile } = peerModule('postgraphile') as { readonly postgraphile: (preset: object) => Made };
const { PostGraphileAmberPreset } = peerModule('postgraphile/presets/amber') as {
  readonly PostGraphileAmberPreset: object;
};
const { makePgService } = peerModule('postgraphile/adaptors/pg') as {
  readonly makePgService: (options: object) => object;
};
const { grafserv } = peerModule('postgraphile/grafserv/node') as { readonly grafserv: unknown };

const made = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString: url, schemas: ['bench'] })],
  grafserv: { graphiql: false, watch: false },
});
const server = createServer();
await made.createServ(grafserv).addTo(server);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
process.send?.(typeof address === 'object' && address ? address.port : 0);
