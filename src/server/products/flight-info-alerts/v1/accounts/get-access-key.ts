import type { getAccessKeyRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import type { HubAccess } from '#delivery/hub/hub-access.ts';
import { Problem } from '#http/response/problem.ts';

import type { Deps } from '../shared/deps.ts';
import { getStream } from '../shared/account-access.ts';
import { toTimestamp } from '../shared/to-timestamp.ts';

/** Lifetime of access, equal to event retention: after a longer absence the client must choose a new start anyway. */
const DAYS = 7;

const RETRY_AFTER_SECONDS = 5;

const noHubProblem = (): Problem =>
  new Problem('no-hub', 'No hub is configured. Read events with GET /flight-info-alerts/events, or use webhooks.');

const hubUnavailableProblem = (cause: unknown): Problem =>
  new Problem('unavailable', `The hub is temporarily unavailable. Retry in ${RETRY_AFTER_SECONDS} seconds.`, {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
    cause,
  });

/** GET /flight-info-alerts/accounts/{accountId}/accessKey. */
export const getAccessKey = async (c: OperationContext<typeof getAccessKeyRoute>, { sql, hub }: Deps) => {
  const { accountId } = c.req.valid('param');
  const variables = c.var;
  await getStream(sql, variables, accountId);
  if (!hub) throw noHubProblem();
  variables.endTurn();
  let access: HubAccess;
  try {
    // Hub subjects contain the account in lower case.
    access = await hub({ accountId: accountId.toLowerCase(), group: 'default', days: DAYS });
  } catch (error) {
    throw hubUnavailableProblem(error);
  }
  const { expiresAt, ...rest } = access;
  return c.json({ ...rest, expiresAt: toTimestamp(expiresAt) }, 200, { 'Cache-Control': 'no-store' });
};
