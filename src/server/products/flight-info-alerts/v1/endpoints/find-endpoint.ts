import { Problem } from '#http/response/problem.ts';
import type { RequestVariables } from '#http/context/env.ts';
import type { SecretBox } from '#lib/secret-box.ts';
import type { Sql } from '#store/pool/database.ts';
import { findEndpoint, type PushEndpoint } from '#store/deliveries/endpoints.ts';
import { withOwner } from '../shared/account-access.ts';

/** The same response for an endpoint that does not exist and for one of another subscription. */
export const endpointNotFoundProblem = (id: string): Problem =>
  new Problem('not-found', `The endpoint ${id} does not exist.`);

/** A query function, and what decrypts the secrets of endpoints. */
export type EndpointAccess = { readonly sql: Sql; readonly secrets: SecretBox };

/** Returns the endpoint of a request. Throws Problem `not-found` if there is none. */
export const getEndpoint = async (
  { sql, secrets, isLocked = false }: EndpointAccess & { readonly isLocked?: boolean },
  variables: RequestVariables,
  id: string,
): Promise<PushEndpoint> => {
  const endpoint = await findEndpoint(sql, { ...withOwner(variables, id), isLocked }, secrets);
  if (!endpoint) throw endpointNotFoundProblem(id);
  return endpoint;
};

/** Returns the endpoint like `getEndpoint`, locked until the transaction `sql` ends. */
export const getLockedEndpoint: typeof getEndpoint = (access, variables, id) =>
  getEndpoint({ ...access, isLocked: true }, variables, id);
