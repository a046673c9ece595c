import { createCounter, createGauge, type Observe } from '../../telemetry/metric.ts';
import type { PageCacheObserver } from './page-cache.ts';

/** Creates the metrics of the page cache and the observer that feeds them. */
export const createPageCacheMetrics = (): {
  readonly observer: Required<PageCacheObserver>;
  readonly observe: Observe;
} => {
  const lookups = { hit: 0, miss: 0 };
  let [pages, bytes] = [0, 0];
  return {
    observer: {
      onLookup: (result) => {
        lookups[result] += 1;
      },
      onSizeChange: (newPages, newBytes) => {
        [pages, bytes] = [newPages, newBytes];
      },
    },
    observe: () => [
      createCounter('flightdata_page_cache_hits_total', 'Pages of flights that were given from memory', lookups.hit),
      createCounter('flightdata_page_cache_misses_total', 'Pages of flights that had to be made', lookups.miss),
      createGauge('flightdata_page_cache_pages', 'Pages of flights in memory', pages),
      createGauge('flightdata_page_cache_bytes', 'Memory that they take, their packed forms included', bytes),
    ],
  };
};
