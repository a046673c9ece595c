import type { RenderMapPage } from './map-renderer.ts';

/** Milliseconds: a page shows a position, which by then is some 7 km further on. */
const CACHE_MS = 30_000;
/** At up to 300 kB each. More than can be waiting to be drawn, so that none of these is dropped for another. */
const MAX_CACHED = 64;

/**
 * Draws a page once for all who look at one flight within the same half minute, and for those who ask while it is being
 * drawn. Whatever becomes known of the flight, by a message or otherwise, makes it another page.
 */
export const cacheMapPages = (draw: RenderMapPage): RenderMapPage => {
  const kept = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  let keptFor = 0;
  return (source, now) => {
    const halfMinute = Math.floor(now / CACHE_MS);
    if (halfMinute !== keptFor) kept.clear();
    keptFor = halfMinute;
    const name = JSON.stringify(source);
    const known = kept.get(name);
    if (known) return known;
    const page = draw(source, now);
    kept.set(name, page);
    page.catch(() => {
      if (kept.get(name) === page) kept.delete(name);
    });
    const [oldest] = kept.keys();
    if (kept.size > MAX_CACHED && oldest !== undefined) kept.delete(oldest);
    return page;
  };
};
