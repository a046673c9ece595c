import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { printAtEnd } from '../support/vitest/print-at-end.ts';
import { serveKnownData, type KnownService } from './services/known-service.ts';
import { testBodyFaults } from './planted/body-faults.ts';
import { testListFaults } from './planted/list-faults.ts';
import { testOperationFaults } from './planted/operation-faults.ts';
import { tally } from './planted/tally.ts';

let world: KnownService;
beforeAll(async () => {
  world = await serveKnownData();
});
afterAll(async () => {
  printAtEnd(2, 'planted', `planted faults caught: ${tally.caught} of ${tally.planted}`);
  await world.drop();
});

describe('in every operation', () => {
  testOperationFaults(() => world);
});
describe('in lists', () => {
  testListFaults(() => world);
});
describe('in bodies', () => {
  testBodyFaults(() => world);
});

test('there were many, and all were detected', () => {
  expect(tally.caught).toBe(tally.planted);
  expect(tally.planted).toBeGreaterThan(1000);
});
