import type { rotatePushSecretRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import { Problem } from '#http/response/problem.ts';

import { MAX_KEYS, replaceEndpointKey } from '#store/deliveries/endpoints.ts';
import { runIdempotently } from '../shared/idempotency.ts';
import type { Deps } from '../shared/deps.ts';
import { getEndpoint, getLockedEndpoint } from './find-endpoint.ts';
import { createSigningKey, getCreatedKey, type CreatedKey } from './signing-key.ts';
import { listActiveKeys } from './to-endpoint.ts';
import { toTimestamp } from '../shared/to-timestamp.ts';

const HOUR_MS = 3_600_000;

/** POST /flight-info-alerts/endpoints/{endpointId}/secret/rotate: a new key; the old one also signs for `overlapHours`. */
export const rotatePushSecret = async (c: OperationContext<typeof rotatePushSecretRoute>, deps: Deps) => {
  const { endpointId } = c.req.valid('param');
  const body = c.req.valid('json');
  const headers = c.req.valid('header');
  const variables = c.var;
  await getEndpoint(deps, variables, endpointId);
  const request = { variables, key: headers['Idempotency-Key'], body };
  const created = await runIdempotently<CreatedKey>(deps, request, async (sql) => {
    const endpoint = await getLockedEndpoint({ sql, secrets: deps.secrets }, variables, endpointId);
    const now = deps.clock();
    const keys = listActiveKeys(endpoint, now);
    const isOverlapping = body.overlapHours > 0;
    if (isOverlapping && keys.length >= MAX_KEYS) {
      const ends = keys.flatMap(({ endsAt }) => (endsAt ? [endsAt.getTime()] : []));
      throw new Problem(
        'limit-reached',
        `The endpoint signs with ${keys.length} keys, which is the limit. The first of them ends at ${toTimestamp(new Date(Math.min(...ends)))} UTC.`,
      );
    }
    const endAt = new Date(now.getTime() + body.overlapHours * HOUR_MS);
    const keyNumber = await replaceEndpointKey(sql, endpointId, {
      key: createSigningKey(endpoint.signing),
      endAt,
      now,
      secrets: deps.secrets,
    });
    return { accountId: endpoint.accountId, result: { endpointId, keyNumber } };
  });
  const receiverKey = await getCreatedKey(deps, variables, { ...created, now: deps.clock() });
  return c.json(receiverKey, 200, { 'Cache-Control': 'no-store' });
};
