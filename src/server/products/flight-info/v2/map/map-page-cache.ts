import type { RenderMapPage } from './map-renderer.ts';

/** Lifetime of a page, milliseconds: the aircraft moves about 7 km in this time. */
const CACHE_MS = 30_000;
/** Entries of up to 300 kB each; more than can wait in the renderer, so that no waiting page is evicted. */
const MAX_CACHED = 64;

/**
 * Caches pages for half a minute; concurrent requests for one page share its rendering. The cache key is the whole source:
 * any change of the flight is another page.
 */
export const cacheMapPages = (render: RenderMapPage): RenderMapPage => {
  const pages = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  let currentHalfMinute = 0;
  return (source, now) => {
    const halfMinute = Math.floor(now / CACHE_MS);
    if (halfMinute !== currentHalfMinute) pages.clear();
    currentHalfMinute = halfMinute;
    const key = JSON.stringify(source);
    const cached = pages.get(key);
    if (cached) return cached;
    const page = render(source, now);
    pages.set(key, page);
    page.catch(() => {
      if (pages.get(key) === page) pages.delete(key);
    });
    const [oldest] = pages.keys();
    if (pages.size > MAX_CACHED && oldest !== undefined) pages.delete(oldest);
    return page;
  };
};
