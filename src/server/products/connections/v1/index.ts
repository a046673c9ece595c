import {
  explainConnectionRoute,
  getConnectionsHealthRoute,
  listConnectionsRoute,
} from '#generated/connections/v1/routes.gen.ts';
import { createApi, type ProductApi } from '#http/handler/create-api.ts';
import { sendHealth } from '#http/handler/health.ts';
import type { Deps } from './deps.ts';
import { explainConnection } from './explain-connection.ts';
import { listConnections } from './list-connections.ts';

/** The operations of Connections v1. */
export const connectionsV1 = (deps: Deps): ProductApi => {
  const api = createApi({ reads: 'memory' });
  api.openapi(listConnectionsRoute, (c) => listConnections(c, deps));
  api.openapi(explainConnectionRoute, (c) => explainConnection(c, deps));
  // Searches do not query the database.
  api.openapi(getConnectionsHealthRoute, (c) => sendHealth(c, 'connections', deps.connections() !== undefined));
  return api;
};
