import { toUtcDate, type LocalDate } from '../../domain/time/dates.ts';
import { getStage, type CatalogProduct, type CatalogVersion } from '../router/version-lifecycle.ts';
import type { PublicPage } from '../router/router.ts';
import { evaluateConditions } from '../response/conditional.ts';
import { HttpResponse } from '../response/http-response.ts';

const PATH = '/.well-known/api-catalog';
const MEDIA_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

type Link = { readonly href: string; readonly type?: string; readonly title?: string };
type Context = { readonly anchor: string } & Readonly<Record<string, string | readonly Link[]>>;

export type ApiCatalogOptions = {
  readonly catalog: readonly CatalogProduct[];
  /** Scheme, host and any path prefix of the service; by default what each request itself says. */
  readonly publicUrl?: string | undefined;
  /** Which other documents there are, e.g. `/asyncapi/flight-info-alerts/v1.yaml`. */
  readonly documents: ReadonlySet<string>;
};

/** Where an API begins: its first operation that needs a key and nothing in its path. */
const anchorOf = (base: string, { operations, version }: CatalogVersion): string => {
  const first = operations.find(({ path, isPublic, method }) => method === 'get' && !isPublic && !path.includes('{'));
  return `${base}${first?.path ?? '/'}?version=${version}`;
};

const contextOf = (
  base: string,
  { product, version }: { readonly product: CatalogProduct; readonly version: CatalogVersion },
  { today, documents }: { readonly today: LocalDate; readonly documents: ReadonlySet<string> },
): Context => {
  const name = `${product.product}/${version.version}`;
  const health = version.operations.find(({ path }) => path.endsWith('/health'));
  const channels = `/asyncapi/${name}.yaml`;
  const isEnding = getStage(version, today) === 'deprecated';
  const next = product.versions.find((one) => isEnding && one.version === version.successor);
  return {
    anchor: anchorOf(base, version),
    'service-desc': [
      { href: `${base}/openapi/${name}.yaml`, type: 'application/yaml', title: `${product.title} ${version.version}` },
      ...(documents.has(channels) ? [{ href: `${base}${channels}`, type: 'application/yaml' }] : []),
    ],
    'service-doc': [{ href: `${base}/docs/${name}`, type: 'text/html' }],
    ...(health && {
      status: [{ href: `${base}${health.path}?version=${version.version}`, type: 'application/json' }],
    }),
    ...(next && { 'successor-version': [{ href: anchorOf(base, next) }] }),
  };
};

const linksetOn = (today: LocalDate, base: string, { catalog, documents }: ApiCatalogOptions): readonly Context[] => {
  const contexts = catalog.flatMap((product) =>
    product.versions
      .filter((version) => ['current', 'deprecated'].includes(getStage(version, today)))
      .map((version) => contextOf(base, { product, version }, { today, documents })),
  );
  return [{ anchor: `${base}${PATH}`, item: contexts.map(({ anchor }) => ({ href: anchor })) }, ...contexts];
};

/** Answers `/.well-known/api-catalog` (RFC 9727): the versions that answer on the day, with what describes each, as a linkset (RFC 9264). */
export const createApiCatalogPage = (options: ApiCatalogOptions): PublicPage => ({
  path: '/.well-known/',
  respond: async (request, now) => {
    const { pathname, origin } = new URL(request.url);
    if (pathname !== PATH || !['GET', 'HEAD'].includes(request.method)) return undefined;
    const base = options.publicUrl?.replace(/\/+$/, '') ?? origin;
    const text = JSON.stringify({ linkset: linksetOn(toUtcDate(now), base, options) });
    const bytes = Buffer.from(text);
    const link = `<${base}${PATH}>; rel="api-catalog"; type="application/linkset+json"`;
    const { isNotModified, headers } = evaluateConditions(request.headers, {
      bytes,
      headers: { 'Content-Type': MEDIA_TYPE, 'Content-Length': String(bytes.length), Link: link },
    });
    const always = { 'Cache-Control': 'public, no-cache', Vary: 'Host' };
    return new HttpResponse({
      status: isNotModified ? 304 : 200,
      headers: { ...always, ...headers },
      body: isNotModified ? null : bytes,
    });
  },
});
