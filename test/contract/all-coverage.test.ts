/*
 * Everything that the documents declare, asked of the real service in one file, so that it can be told in the end what was never
 * asked and never answered. `-t flight-info/v2` runs the tests of one document alone.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { overhear } from '../support/overheard.ts';
import { tellAtTheEnd } from '../support/tell-at-the-end.ts';
import { coverageTable, faultsIn } from './coverage-table.ts';
import { openLedger } from './ledger.ts';
import { neverSeen } from './never-seen.ts';
import { servedDocuments } from './served-documents.ts';

const ledger = openLedger(servedDocuments.map(({ contract }) => contract));
let stop = (): void => {};
beforeAll(() => {
  stop = overhear(ledger.note);
});
afterAll(() => stop());

describe('connections/v1', async () => {
  await import('./documents/connections-v1.ts');
});
describe('connections/v1: places and parameters', async () => {
  await import('./documents/connections-v1-coverage.ts');
});
describe('flight-info/v1', async () => {
  await import('./documents/flight-info-v1.ts');
});
describe('flight-info/v1: places and parameters', async () => {
  await import('./documents/flight-info-v1-coverage.ts');
});
describe('flight-info/v2', async () => {
  await import('./documents/flight-info-v2.ts');
});
describe('flight-info/v2: places and parameters', async () => {
  await import('./documents/flight-info-v2-coverage.ts');
});
describe('flight-info-alerts/v1', async () => {
  await import('./documents/flight-info-alerts-v1.ts');
});
describe('flight-info-alerts/v1: places and parameters', async () => {
  await import('./documents/flight-info-alerts-v1-coverage.ts');
});
describe('flight-info-alerts/v1: events', async () => {
  await import('./documents/flight-info-alerts-v1-events.ts');
});
describe('master-data/v1', async () => {
  await import('./documents/master-data-v1.ts');
});
describe('master-data/v1: places and parameters', async () => {
  await import('./documents/master-data-v1-coverage.ts');
});
describe('schedules/v1', async () => {
  await import('./documents/schedules-v1.ts');
});
describe('schedules/v1: places and parameters', async () => {
  await import('./documents/schedules-v1-coverage.ts');
});

describe('all documents of the catalogue', () => {
  test('everything that they declare has been asked, and answered as declared', async () => {
    const accounts = await ledger.accounts();
    tellAtTheEnd(3, 'coverage', coverageTable(accounts, neverSeen));
    expect(faultsIn(accounts, neverSeen)).toEqual([]);
  });
});
