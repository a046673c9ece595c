import { counter, gauge, type Observe } from '../../telemetry/metric.ts';
import type { PageWatch } from './page-cache.ts';

/** Counts what becomes of the pages that are worth keeping. */
export const countPages = (): { readonly watch: Required<PageWatch>; readonly observe: Observe } => {
  const asked = { kept: 0, made: 0 };
  let [held, heldBytes] = [0, 0];
  return {
    watch: {
      onPage: (outcome) => {
        asked[outcome] += 1;
      },
      onHeld: (pages, bytes) => {
        [held, heldBytes] = [pages, bytes];
      },
    },
    observe: () => [
      counter('flightdata_page_cache_hits_total', 'Pages of flights that were given from memory', asked.kept),
      counter('flightdata_page_cache_misses_total', 'Pages of flights that had to be made', asked.made),
      gauge('flightdata_page_cache_pages', 'Pages of flights in memory', held),
      gauge('flightdata_page_cache_bytes', 'Memory that they take, their packed forms included', heldBytes),
    ],
  };
};
