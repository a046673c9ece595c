import { Problem } from '../../../../http/response/problem.ts';
import type { RequestContext } from '../../../../http/router/request-context.ts';
import type { Sql } from '../../../../store/pool/database.ts';
import { findEndpoint, lockEndpoint, type PushEndpoint } from '../../../../store/deliveries/push-endpoints.ts';
import { ownedBy } from '../shared/owner.ts';

/** The one answer to an endpoint that is not there and to one of somebody else. */
export const noEndpoint = (id: string): Problem => new Problem('not-found', `There is no endpoint ${id}.`);

/** The endpoint that a request names. Throws the Problem that there is none. */
export const foundEndpoint = async (sql: Sql, context: RequestContext, id: string): Promise<PushEndpoint> => {
  const endpoint = await findEndpoint(sql, ownedBy(context, id));
  if (!endpoint) throw noEndpoint(id);
  return endpoint;
};

/** The same, as it is once nobody else can change it any more, until the transaction `sql` ends. */
export const lockedEndpoint = async (sql: Sql, context: RequestContext, id: string): Promise<PushEndpoint> => {
  const endpoint = await lockEndpoint(sql, ownedBy(context, id));
  if (!endpoint) throw noEndpoint(id);
  return endpoint;
};
