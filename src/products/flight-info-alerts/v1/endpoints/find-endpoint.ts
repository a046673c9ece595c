import { Problem } from '../../../../http/response/problem.ts';
import type { RequestContext } from '../../../../http/request/request-context.ts';
import type { Sql } from '../../../../store/pool/database.ts';
import { findEndpoint, lockEndpoint, type PushEndpoint } from '../../../../store/deliveries/endpoints.ts';
import { withOwner } from '../shared/account-access.ts';

/** The one answer to an endpoint that is not there and to one of somebody else. */
export const endpointNotFound = (id: string): Problem => new Problem('not-found', `There is no endpoint ${id}.`);

/** The endpoint that a request names. Throws the Problem that there is none. */
export const getEndpoint = async (sql: Sql, context: RequestContext, id: string): Promise<PushEndpoint> => {
  const endpoint = await findEndpoint(sql, withOwner(context, id));
  if (!endpoint) throw endpointNotFound(id);
  return endpoint;
};

/** The same, as it is once nobody else can change it any more, until the transaction `sql` ends. */
export const getLockedEndpoint = async (sql: Sql, context: RequestContext, id: string): Promise<PushEndpoint> => {
  const endpoint = await lockEndpoint(sql, withOwner(context, id));
  if (!endpoint) throw endpointNotFound(id);
  return endpoint;
};
