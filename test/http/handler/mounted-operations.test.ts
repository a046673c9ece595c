import { createRoute } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import { createApi } from '#http/handler/create-api.ts';
import { assertOperationsBound, listMountedOperations } from '#http/handler/mounted-operations.ts';
import type { CatalogProduct } from '#http/router/version-lifecycle.ts';

const listThings = {
  operationId: 'listThings',
  method: 'get',
  path: '/things',
  isPublic: false,
  parameters: [],
} as const;
const checkThing = {
  operationId: 'checkThing',
  method: 'post',
  path: '/things/{thingId}/check',
  isPublic: false,
  parameters: [],
} as const;
const catalog: readonly CatalogProduct[] = [
  {
    product: 'things',
    title: 'Things',
    versions: [{ version: 'v1', aliases: [], releasedOn: '2024-01-01', operations: [listThings, checkThing] }],
  },
];

const responses = { 204: { description: 'Nothing.' } };
const listRoute = createRoute({ method: 'get', path: '/things', operationId: 'listThings', responses });
const checkRoute = createRoute({ method: 'post', path: '/things/{id}/check', operationId: 'checkThing', responses });
const otherRoute = createRoute({ method: 'put', path: '/others/{id}', operationId: 'replaceOther', responses });

const bind = (...routes: readonly (typeof listRoute | typeof checkRoute | typeof otherRoute)[]) => {
  const api = createApi({ reads: 'memory', cached: [listRoute], unlocked: [checkRoute] });
  for (const route of routes) api.openapi(route, (c) => c.body(null, 204));
  return { 'things/v1': api };
};

test('names an operation without a handler', () => {
  expect(() => assertOperationsBound(catalog, bind(listRoute))).toThrow(
    'checkThing (POST /things/{thingId}/check) of things/v1 has no handler: bind it in its index.ts',
  );
  expect(() => assertOperationsBound(catalog, {})).toThrow(
    'listThings (GET /things) of things/v1 has no handler: bind it in its index.ts',
  );
});

test('names a handler without an operation', () => {
  expect(() => assertOperationsBound(catalog, bind(listRoute, checkRoute, otherRoute))).toThrow(
    'things/v1 handles PUT /others/{}, which its document does not have',
  );
});

test('lists the operations with their mounted paths and traits', () => {
  const versions = bind(listRoute, checkRoute);
  assertOperationsBound(catalog, versions);
  expect(listMountedOperations(catalog, versions)).toEqual([
    {
      operation: listThings,
      method: 'GET',
      path: '/versions/things/v1/things',
      reads: 'memory',
      isCached: true,
      isUnlocked: false,
    },
    {
      operation: checkThing,
      method: 'POST',
      path: '/versions/things/v1/things/:thingId/check',
      reads: 'memory',
      isCached: false,
      isUnlocked: true,
    },
  ]);
});
