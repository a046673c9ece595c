/** Covers all that the documents declare, in one file for one table. `-t flight-info/v2` runs one document only. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordExchanges } from '../support/recorded-exchanges.ts';
import { printAtEnd } from '../support/vitest/print-at-end.ts';
import { renderCoverageTable, findCoverageErrors } from './coverage/coverage-table.ts';
import { createExchangeCoverage } from './coverage/exchange-coverage.ts';
import { unobservableReasons } from './coverage/unobserved-values.ts';
import { testEveryList } from './documents/every-list.ts';
import { serveCoverageWorld } from './documents/coverage-world.ts';
import { testEveryOperation } from './documents/every-operation.ts';
import { testOwnResponses } from './documents/own-responses.ts';
import { testParameters } from './documents/parameters.ts';
import { testChecked } from './responses/checker-counts.ts';
import { servedDocuments } from './services/served-documents.ts';

const coverage = createExchangeCoverage(servedDocuments.map(({ contract }) => contract));
let stop = (): void => {};
beforeAll(() => {
  stop = recordExchanges(coverage.record);
});
afterAll(() => stop());

const world = await serveCoverageWorld();
afterAll(world.drop);

describe('every list', () => {
  testEveryList(() => world.known);
});
describe('every operation', () => {
  testEveryOperation(() => world);
});
describe('responses of single operations', () => {
  testOwnResponses(() => world);
});
describe('every parameter and value', () => {
  testParameters(() => world.known);
});
describe('flight-info-alerts/v1: parameters and properties', async () => {
  await import('./documents/flight-info-alerts-v1-coverage.ts');
});
describe('flight-info-alerts/v1: events', async () => {
  await import('./documents/flight-info-alerts-v1-events.ts');
});

describe('status-feed/v1: results', async () => {
  await import('./documents/status-feed-v1-coverage.ts');
});

testChecked('walk', 'backward walk', 'link', 'entity tag', 'filter', 'default limit', 'date range');
testChecked('bound', 'rejection', 'Location');

describe('all documents of the catalog', () => {
  test('every response conforms to its document', async () => {
    expect(await coverage.violations()).toEqual([]);
  });

  test('every declared item was requested, and observed as declared', async () => {
    const results = await coverage.results();
    printAtEnd(3, 'coverage', renderCoverageTable(results, unobservableReasons));
    const errors = findCoverageErrors(results, unobservableReasons);
    expect(errors, 'never requested or observed; docs/explanation/contract-tests.md says where to add it').toEqual([]);
  });
});
