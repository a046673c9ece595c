import {
  getStatusFeedHealthRoute,
  storeAidxRoute,
  storeMovementTelegramsRoute,
  storeStatusMessagesRoute,
} from '#generated/status-feed/v1/routes.gen.ts';
import { createApi, type ProductApi } from '#http/handler/create-api.ts';
import type { Deps } from './deps.ts';
import { createStatusFeedHealth } from './get-status-feed-health.ts';
import { storeBody } from './store-feed.ts';

/** The operations of Status Feed v1. */
export const statusFeedV1 = (deps: Deps): ProductApi => {
  const api = createApi({ reads: 'primary' });
  api.openapi(storeStatusMessagesRoute, async (c) => {
    const key = c.req.valid('header')['Idempotency-Key'];
    return c.json(await storeBody(c.var, 'status', { ...deps, key }), 200);
  });
  api.openapi(storeMovementTelegramsRoute, async (c) => {
    const key = c.req.valid('header')['Idempotency-Key'];
    return c.json(await storeBody(c.var, 'mvt', { ...deps, key }), 200);
  });
  api.openapi(storeAidxRoute, async (c) => {
    const key = c.req.valid('header')['Idempotency-Key'];
    return c.json(await storeBody(c.var, 'aidx', { ...deps, key }), 200);
  });
  api.openapi(getStatusFeedHealthRoute, createStatusFeedHealth(deps));
  return api;
};
