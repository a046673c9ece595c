import {
  explainConnectionRoute,
  getConnectionsHealthRoute,
  listConnectionsRoute,
} from '../../../../generated/connections/v1/routes.gen.ts';
import { bindOperation, createApi, type Api } from '../../../http/handler/api.ts';
import type { Deps } from './deps.ts';
import { explainConnection } from './explain-connection.ts';
import { getConnectionsHealth } from './get-connections-health.ts';
import { listConnections } from './list-connections.ts';

/** The operations of Connections v1. */
export const connectionsV1 = (deps: Deps): Api => {
  const api = createApi();
  bindOperation(api, listConnectionsRoute, ({ query }, context) => listConnections(query, context, deps));
  bindOperation(api, explainConnectionRoute, ({ query }) => explainConnection(query, deps));
  bindOperation(api, getConnectionsHealthRoute, () => getConnectionsHealth(deps));
  return api;
};
