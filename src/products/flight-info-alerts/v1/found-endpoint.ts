import { Problem } from '../../../http/problem.ts';
import type { RequestContext } from '../../../http/request-context.ts';
import type { Sql } from '../../../store/database.ts';
import { findEndpoint, lockEndpoint, type PushEndpoint } from '../../../store/push-endpoints.ts';
import { ownedBy } from './owner.ts';

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
