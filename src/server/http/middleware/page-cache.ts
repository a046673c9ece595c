import type { Context, Next } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { PageCache } from '../cache/page-cache.ts';
import type { CacheHint, Env, ResponseBody } from '../context/env.ts';
import { isFreshEnough, markStale } from './data-as-of.ts';

/** Returns the page of a key after a check for changes failed; throws its error when no stale page may be served. */
const findStalePage = (c: Context<Env>, { cache, key }: { cache: PageCache; key: string }, error: unknown) => {
  const { maxStalenessMs, isOutage } = c.get('staleness');
  if (maxStalenessMs === 0 || !isOutage?.(error)) throw error;
  const stale = cache.findStale(key);
  // The handler can still find a replica.
  if (!stale || !isFreshEnough(c, stale.asOf)) return undefined;
  markStale(c, stale.asOf);
  return stale.body;
};

/** The status of every hit; `representation` sends the body. A new response for each takes a microsecond. */
const found200 = new Response(null);

/** Renders a page that the cache does not have, and stores it. */
const renderPage = async (c: Context<Env>, { cache, key }: { cache: PageCache; key: string }, next: Next) => {
  const snapshot = await cache.startPage(key);
  if (!snapshot) return next();
  const hint: CacheHint = { contents: undefined };
  c.set('cacheHint', hint);
  await next();
  const body = c.get('body');
  if (!hint.contents || !body || c.res.status !== 200 || c.get('dataAsOf')) return;
  c.set('body', cache.store(key, { body, contents: hint.contents }, snapshot) ?? body);
};

const sent = Promise.resolve();

/**
 * Serves pages from a cache, before they are validated. The key holds all that decides the bytes: version, address of the service, and query
 * without ignored parameters. Handlers whose response depends on the subscription leave the cache hint empty.
 *
 * @example app.get('/versions/flight-info/v2/flight-instances', pageCache(new PageCache(options)))
 */
export const pageCache = (cache: PageCache) =>
  createMiddleware<Env>((c, next) => {
    const key = `${c.get('version')} ${c.get('baseUrl')} ${c.get('query')}`;
    const respond = (cached: ResponseBody | undefined): Promise<void> => {
      if (!cached) return renderPage(c, { cache, key }, next);
      c.set('body', cached);
      c.get('headers')['content-type'] = 'application/json';
      c.res = found200;
      return sent;
    };
    const found = cache.find(key);
    return found instanceof Promise
      ? found.catch((error: unknown) => findStalePage(c, { cache, key }, error)).then(respond)
      : respond(found);
  });
