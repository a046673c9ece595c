import type { createPushEndpointRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import { invalidBody, Problem } from '#http/response/problem.ts';

import { readStreamBounds } from '#store/events/account-events.ts';
import { lockAccount } from '#store/alerts/alert-accounts.ts';
import type { Sql } from '#store/pool/database.ts';
import { countEndpoints, insertEndpoint, MAX_ENDPOINTS } from '#store/deliveries/endpoints.ts';
import { runIdempotently } from '../shared/idempotency.ts';
import { parseEndpointSettings, validateSettings } from './parse-endpoint.ts';
import type { Deps } from '../shared/deps.ts';
import { accountNotFoundProblem, getStream, withOwner } from '../shared/account-access.ts';
import { createSigningKey, getCreatedKey, type CreatedKey } from './signing-key.ts';
import { positionExpiredProblem } from '../shared/problems.ts';
import { rejectBeyondLimit } from '../shared/reject-beyond-limit.ts';

const noSettings = { url: '', description: '', header: undefined, ordering: 'none', active: true } as const;

/** Returns the position after which deliveries start. Throws a Problem if it is beyond the end or was pruned. */
const findStart = async (sql: Sql, stream: number, after: number | undefined): Promise<number> => {
  const { oldest, last } = await readStreamBounds(sql, stream);
  if (after === undefined) return last;
  if (after > last)
    throw new Problem(
      'cursor-invalid',
      `after must be at most ${last}, the last position of the stream, not ${after}.`,
      {
        errors: { after: [`must be at most ${last}, the last position of the stream, not ${after}`] },
      },
    );
  if (after < oldest - 1) throw positionExpiredProblem(oldest);
  return after;
};

/** POST /flight-info-alerts/endpoints: creates an active endpoint; returns the secret of its receiver. */
export const createPushEndpoint = async (c: OperationContext<typeof createPushEndpointRoute>, deps: Deps) => {
  const body = c.req.valid('json');
  const headers = c.req.valid('header');
  const variables = c.var;
  const { accountId, after, signing: algorithm } = body;
  const stream = await getStream(deps.sql, variables, accountId);
  const settings = parseEndpointSettings(noSettings, body);
  const violations = await validateSettings(settings, { before: undefined, guard: deps.guard });
  const signing = algorithm === 'ed25519' ? 'v1a' : 'v1';
  const request = { variables, key: headers['Idempotency-Key'], body };
  const created = await runIdempotently<CreatedKey & { readonly position: number }>(deps, request, async (sql) => {
    await rejectBeyondLimit(sql, 'endpoints', { ...deps, variables });
    if (!(await lockAccount(sql, withOwner(variables, accountId)))) throw accountNotFoundProblem(accountId);
    if (Object.keys(violations).length > 0) throw invalidBody(violations);
    const position = await findStart(sql, stream, after);
    if ((await countEndpoints(sql, accountId)) >= MAX_ENDPOINTS)
      throw new Problem(
        'limit-reached',
        `The account has ${MAX_ENDPOINTS} endpoints, which is the limit. Delete one first.`,
      );
    const key = createSigningKey(signing);
    const now = deps.clock();
    const { secrets } = deps;
    const endpoint = { accountId, settings, signing, key, after: position, now, secrets } as const;
    const { id, keyNumber } = await insertEndpoint(sql, endpoint);
    return { accountId, result: { endpointId: id, keyNumber, position } };
  });
  const receiverKey = await getCreatedKey(deps, variables, { ...created, now: deps.clock() });
  const location = `${variables.baseUrl}/flight-info-alerts/endpoints/${created.endpointId}?version=${variables.version}`;
  return c.json({ ...receiverKey, position: created.position }, 201, {
    Location: location,
    'Cache-Control': 'no-store',
  });
};
