import {
  explainConnectionRoute,
  getConnectionsHealthRoute,
  listConnectionsRoute,
} from '../../../../generated/connections/v1/routes.gen.ts';
import { bind, newApi, type Api } from '../../../http/handler/api.ts';
import type { Deps } from './deps.ts';
import { explainConnection } from './explain-connection.ts';
import { getConnectionsHealth } from './get-connections-health.ts';
import { listConnections } from './list-connections.ts';

/** The operations of Connections v1. */
export const connectionsV1 = (deps: Deps): Api => {
  const api = newApi();
  bind(api, listConnectionsRoute, ({ query }, context) => listConnections(query, context, deps));
  bind(api, explainConnectionRoute, ({ query }) => explainConnection(query, deps));
  bind(api, getConnectionsHealthRoute, () => getConnectionsHealth(deps));
  return api;
};
