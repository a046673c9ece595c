import { describe, expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { findCurrentVersion, getStage, type CatalogProduct } from '#http/router/version-lifecycle.ts';

const v1 = {
  version: 'v1',
  aliases: ['1.0'],
  releasedOn: '2023-01-10',
  deprecatedOn: '2024-04-15',
  sunsetOn: '2025-04-14',
  operations: [],
};
const v2 = { version: 'v2', aliases: [], releasedOn: '2024-04-20', operations: [] };
const product: CatalogProduct = { product: 'flight-info', title: 'Flight Info', versions: [v1, v2] };

// Both sides of each date of a version are tested in lifecycle.test.ts.
test('throws for a version with an invalid date', () => {
  expect(() => getStage({ releasedOn: '2024-02-30' }, localDate('2024-01-01'))).toThrow("invalid date: '2024-02-30'");
});

describe('a request without a version selects', () => {
  test.each([
    ['2023-01-09', undefined, 'nothing before the first release'],
    ['2024-01-01', 'v1', 'the only version released'],
    ['2024-04-16', 'v1', 'the deprecated version until its successor is out'],
    ['2024-04-20', 'v2', 'the successor from its release on'],
    ['2026-01-01', 'v2', 'the current version after the old one is gone'],
  ] as const)('%s: %s, %s', (today, version, _because) => {
    expect(findCurrentVersion(product, localDate(today))?.version).toBe(version);
  });

  test('the newest of two current versions', () => {
    const both = { ...product, versions: [v2, { ...v2, version: 'v3' }] };
    expect(findCurrentVersion(both, localDate('2026-01-01'))?.version).toBe('v3');
  });

  test('nothing when every version is removed', () => {
    expect(findCurrentVersion({ ...product, versions: [v1] }, localDate('2026-01-01'))).toBeUndefined();
  });
});
