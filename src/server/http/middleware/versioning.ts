import type { Context } from 'hono';
import { setHeaders } from '../context/body.ts';
import type { Env, Staleness } from '../context/env.ts';
import type { RouteMatch, VersionOnDay } from '../router/select-operation.ts';
import type { Step } from './in-order.ts';

/** Headers that proxies add to a request. */
const forwardingHeaders = ['X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'Forwarded'] as const;

const LOOK_INTERVAL_MS = 1000;

/** Returns the links of a deprecated version: the same path in its successor, and the page about its end. */
const formatVersionLinks = ({ entry, path }: RouteMatch, { version, stage }: VersionOnDay, base: string) => {
  if (stage === 'current') return undefined;
  const { version: name, successor } = version;
  const links = [`<${base}/docs/${entry.product.product}/${name}>; rel="deprecation"; type="text/html"`];
  if (successor !== undefined && entry.operations.has(successor))
    links.unshift(`<${base}${path}?version=${successor}>; rel="successor-version"`);
  return links.join(', ');
};

/** Sets `API-Version`, and on a deprecated version `Deprecation`, `Sunset` and its links. */
export const setVersionHeaders = (
  c: Context<Env>,
  { match, version }: { readonly match: RouteMatch; readonly version: VersionOnDay },
  publicUrl = '',
): void => {
  c.set('version', version.version.version);
  const headers = c.get('headers');
  setHeaders(headers, version.headers);
  const links = formatVersionLinks(match, version, publicUrl);
  if (links !== undefined) headers['link'] = c.get('maskKeys')(links);
};

export type VersioningOptions = {
  /** Scheme, host and any path prefix under which clients reach the service, without a slash at the end. */
  readonly publicUrl: string | undefined;
  readonly staleness: Staleness;
  /** Called once, with the header of the first request that came through a proxy although there is no `publicUrl`. */
  readonly onProxyNoticed?: ((header: string) => void) | undefined;
};

/**
 * Sets what the selected version and operation determine: variables and version headers.
 *
 * @example pipeline.before(() => true, versioning({ publicUrl: 'https://api.example.com', staleness }))
 */
export const versioning = ({ publicUrl, staleness, onProxyNoticed }: VersioningOptions): Step => {
  // While links repeat the host of the request, which a proxy may not check. One request a second is looked at.
  let nextLookAt = publicUrl === undefined && onProxyNoticed ? 0 : Infinity;
  return (c) => {
    const { target, result } = c.get('selected');
    if (!result || 'problem' in result) throw new Error(`no operation is selected for ${c.req.path}`);
    const { match, operation } = result;
    setVersionHeaders(c, result, publicUrl);
    const now = c.get('now').getTime();
    if (now >= nextLookAt) {
      const header = forwardingHeaders.find((name) => c.req.raw.headers.has(name));
      if (header !== undefined) onProxyNoticed?.(header);
      nextLookAt = header === undefined ? now + LOOK_INTERVAL_MS : Infinity;
    }
    c.set('operation', operation);
    c.set('staleness', staleness);
    c.set('publicPath', match.path);
    c.set('baseUrl', publicUrl ?? target.origin);
    c.set('query', target.query);
  };
};
