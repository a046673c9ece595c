import { afterAll, beforeEach, expect, test } from 'vitest';
import * as sdk from '#generated/flight-info/v1/sdk.gen.ts';
import type { GetFlightInfoHealthData } from '#generated/flight-info/v1/types.gen.ts';
import type { GetFlightInfoHealthResponses } from '#generated/flight-info/v1/types.gen.ts';
import type { ListFlightInstancesData } from '#generated/flight-info/v1/types.gen.ts';
import type { ListFlightInstancesResponses } from '#generated/flight-info/v1/types.gen.ts';
import { createConnection } from '#client/create-flight-data-client.ts';
import type { DeprecationNotice } from '#client/index.ts';
import type { DescribedOperations, Operation } from '#client/operation.ts';
import { createProduct } from '#client/product.ts';
import { serveTinyWorld, TEST_KEY } from '../support/tiny-world.ts';
import { collectAll, getRejection, startSharedService } from './test-service.ts';

type FlightInfoV1 = DescribedOperations<
  typeof sdk,
  {
    listFlightInstances: Operation<ListFlightInstancesData, ListFlightInstancesResponses>;
    getFlightInfoHealth: Operation<GetFlightInfoHealthData, GetFlightInfoHealthResponses>;
  }
>;

const world = await serveTinyWorld();
afterAll(world.drop);
const service = await startSharedService(world.app.fetch);
let notices: DeprecationNotice[] = [];
beforeEach(() => {
  notices = [];
});
const onDeprecation = (notice: DeprecationNotice): unknown => notices.push(notice);

const createV1Client = (): FlightInfoV1 => {
  const connection = createConnection({ baseUrl: service.baseUrl, subscriptionKey: TEST_KEY, onDeprecation });
  const lists = { listFlightInstances: true } as const;
  return createProduct<FlightInfoV1>({ sdk, product: 'flight-info', version: 'v1', lists, keyed: {} }, connection);
};

const query = { DepartureDate: '2024-06-02' };

test('reports each operation of a deprecated version once, with its sunset date and its successor', async () => {
  world.setToday('2024-06-01');
  const flightInfo = createV1Client();
  await collectAll(flightInfo.listFlightInstances({ query }));
  await collectAll(flightInfo.listFlightInstances({ query }));
  await flightInfo.getFlightInfoHealth();
  const notice = { product: 'flight-info', version: 'v1', sunsetAt: new Date('2025-04-14T00:00:00Z') };
  expect(notices).toEqual([
    { ...notice, operation: 'listFlightInstances', successor: `${service.baseUrl}/flight-instances?version=v2` },
    { ...notice, operation: 'getFlightInfoHealth', successor: `${service.baseUrl}/flights/health?version=v2` },
  ]);
});

test('reports nothing before the deprecation, and throws version-removed after the sunset date', async () => {
  world.setToday('2024-04-14');
  await collectAll(createV1Client().listFlightInstances({ query }));
  world.setToday('2025-04-14');
  const error = await getRejection(collectAll(createV1Client().listFlightInstances({ query })));
  expect([notices, error]).toEqual([[], expect.objectContaining({ status: 404, kind: 'version-removed' })]);
});
