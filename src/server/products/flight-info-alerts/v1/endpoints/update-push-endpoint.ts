import type { updatePushEndpointRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import { isDeepStrictEqual } from 'node:util';
import { computeJsonEntityTag } from '#http/response/conditional.ts';
import { invalidBody } from '#http/response/problem.ts';

import { updateEndpoint, type EndpointSettings, type PushEndpoint } from '#store/deliveries/endpoints.ts';
import { parseEndpointSettings, validateSettings } from './parse-endpoint.ts';
import type { Deps } from '../shared/deps.ts';
import { getEndpoint, getLockedEndpoint } from './find-endpoint.ts';
import { rejectOutdated } from '../shared/problems.ts';
import { toEndpoint } from './to-endpoint.ts';

const toSettings = ({ url, description, header, ordering, active }: PushEndpoint): EndpointSettings => ({
  url,
  description,
  header,
  ordering,
  active,
});

/** PATCH /flight-info-alerts/endpoints/{endpointId}: changes only the members in the body. */
export const updatePushEndpoint = async (
  c: OperationContext<typeof updatePushEndpointRoute>,
  { sql, secrets, clock, guard }: Deps,
) => {
  const { endpointId } = c.req.valid('param');
  const body = c.req.valid('json');
  const headers = c.req.valid('header');
  const variables = c.var;
  const known = toSettings(await getEndpoint({ sql, secrets }, variables, endpointId));
  const violations = await validateSettings(parseEndpointSettings(known, body), { before: known, guard });
  if (Object.keys(violations).length > 0) throw invalidBody(violations);
  const after = await sql.begin(async (transaction) => {
    const before = await getLockedEndpoint({ sql: transaction, secrets }, variables, endpointId);
    const now = clock();
    rejectOutdated(headers['If-Match'], toEndpoint(before, now), 'endpoint');
    const settings = parseEndpointSettings(toSettings(before), body);
    // `active: true` and a new URL both end the back-off: delivery is tried immediately.
    const isRevived = body.active === true || settings.url !== before.url;
    const isEnabled = body.active === true && before.disabledFor !== undefined;
    const isUnchanged = !isEnabled && isDeepStrictEqual(settings, toSettings(before));
    const updatedAt = isUnchanged ? before.updatedAt : now;
    if (!isUnchanged || isRevived)
      await updateEndpoint(transaction, endpointId, {
        settings,
        enables: isEnabled,
        resetsHealth: isRevived,
        updatedAt,
        secrets,
      });
    const disabled = isEnabled ? { disabledFor: undefined, disabledAt: undefined } : {};
    return toEndpoint({ ...before, ...settings, ...disabled, updatedAt }, now);
  });
  return c.json(after, 200, { ETag: computeJsonEntityTag(after) });
};
