import {
  explainConnectionRoute,
  getConnectionsHealthRoute,
  listConnectionsRoute,
} from '#generated/connections/v1/routes.gen.ts';
import { createApi, type ProductApi } from '#http/handler/create-api.ts';
import type { Deps } from './deps.ts';
import { explainConnection } from './explain-connection.ts';
import { getConnectionsHealth } from './get-connections-health.ts';
import { listConnections } from './list-connections.ts';

/** The operations of Connections v1. */
export const connectionsV1 = (deps: Deps): ProductApi => {
  const api = createApi();
  api.openapi(listConnectionsRoute, (c) => listConnections(c, deps));
  api.openapi(explainConnectionRoute, (c) => explainConnection(c, deps));
  api.openapi(getConnectionsHealthRoute, (c) => getConnectionsHealth(c, deps));
  return api;
};
