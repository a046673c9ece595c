/**
 * Covers everything that the documents declare with the real service, in one file, so that the coverage table at the
 * end is complete. `-t flight-info/v2` runs the tests of one document only.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordExchanges } from '../support/recorded-exchanges.ts';
import { printAtEnd } from '../support/vitest/print-at-end.ts';
import { renderCoverageTable, findCoverageErrors } from './coverage/coverage-table.ts';
import { createExchangeCoverage } from './coverage/exchange-coverage.ts';
import { unobservableReasons } from './coverage/unobserved-values.ts';
import { testEveryList } from './documents/every-list.ts';
import { testBounds } from './documents/every-operation.ts';
import { testJudged } from './responses/judged.ts';
import { serveKnownData, type KnownService } from './services/known-service.ts';
import { servedDocuments } from './services/served-documents.ts';

const coverage = createExchangeCoverage(servedDocuments.map(({ contract }) => contract));
let stop = (): void => {};
beforeAll(() => {
  stop = recordExchanges(coverage.record);
});
afterAll(() => stop());

let known: KnownService;
beforeAll(async () => {
  known = await serveKnownData();
});
afterAll(() => known.drop());

describe('every list', () => {
  testEveryList(() => known);
});
describe('every operation', () => {
  testBounds(() => known);
});

describe('connections/v1', async () => {
  await import('./documents/connections-v1.ts');
});
describe('connections/v1: paths and parameters', async () => {
  await import('./documents/connections-v1-coverage.ts');
});
describe('flight-info/v1', async () => {
  await import('./documents/flight-info-v1.ts');
});
describe('flight-info/v1: paths and parameters', async () => {
  await import('./documents/flight-info-v1-coverage.ts');
});
describe('flight-info/v2', async () => {
  await import('./documents/flight-info-v2.ts');
});
describe('flight-info/v2: paths and parameters', async () => {
  await import('./documents/flight-info-v2-coverage.ts');
});
describe('flight-info-alerts/v1', async () => {
  await import('./documents/flight-info-alerts-v1.ts');
});
describe('flight-info-alerts/v1: paths and parameters', async () => {
  await import('./documents/flight-info-alerts-v1-coverage.ts');
});
describe('flight-info-alerts/v1: events', async () => {
  await import('./documents/flight-info-alerts-v1-events.ts');
});
describe('master-data/v1', async () => {
  await import('./documents/master-data-v1.ts');
});
describe('master-data/v1: paths and parameters', async () => {
  await import('./documents/master-data-v1-coverage.ts');
});
describe('schedules/v1', async () => {
  await import('./documents/schedules-v1.ts');
});
describe('schedules/v1: paths and parameters', async () => {
  await import('./documents/schedules-v1-coverage.ts');
});

testJudged('walk', 'backward walk', 'link', 'filter', 'default limit', 'date range', 'bound', 'Location');

describe('all documents of the catalog', () => {
  test('every declared item was requested, and observed as declared', async () => {
    const results = await coverage.results();
    printAtEnd(3, 'coverage', renderCoverageTable(results, unobservableReasons));
    expect(findCoverageErrors(results, unobservableReasons)).toEqual([]);
  });
});
