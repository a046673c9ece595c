import type { Handler } from 'hono';
import { toUtcDate, type LocalDate } from '#domain/time/dates.ts';
import { createBody, sendBody } from '../context/body.ts';
import type { Env } from '../context/env.ts';
import { splitTarget } from '../router/request-url.ts';
import { getStage, type CatalogProduct, type CatalogVersion } from '../router/version-lifecycle.ts';

export const API_CATALOG_PATH = '/.well-known/api-catalog';
const MEDIA_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

type CatalogLink = { readonly href: string; readonly type?: string; readonly title?: string };
type LinkContext = { readonly anchor: string } & Readonly<Record<string, string | readonly CatalogLink[]>>;

export type ApiCatalogOptions = {
  readonly catalog: readonly CatalogProduct[];
  /** Scheme, host and any path prefix of the service; by default those of each request. */
  readonly publicUrl?: string | undefined;
  /** Paths of available documents, e.g. `/asyncapi/flight-info-alerts/v1.json`. */
  readonly documents: ReadonlySet<string>;
};

/** Returns the entry URL of an API: its first operation that needs a key and has no path parameters. */
const formatAnchor = (base: string, { operations, version }: CatalogVersion): string => {
  const first = operations.find(({ path, isPublic, method }) => method === 'get' && !isPublic && !path.includes('{'));
  return `${base}${first?.path ?? '/'}?version=${version}`;
};

const buildContext = (
  base: string,
  { product, version }: { readonly product: CatalogProduct; readonly version: CatalogVersion },
  { today, documents }: { readonly today: LocalDate; readonly documents: ReadonlySet<string> },
): LinkContext => {
  const name = `${product.product}/${version.version}`;
  const health = version.operations.find(({ path }) => path.endsWith('/health'));
  const listForms = (path: string): readonly CatalogLink[] =>
    (['yaml', 'json'] as const).map((form) => ({ href: `${base}${path}.${form}`, type: `application/${form}` }));
  const channels = `/asyncapi/${name}`;
  const isEnding = getStage(version, today) === 'deprecated';
  const next = product.versions.find((one) => isEnding && one.version === version.successor);
  return {
    anchor: formatAnchor(base, version),
    'service-desc': [
      ...listForms(`/openapi/${name}`).map((link) => ({ ...link, title: `${product.title} ${version.version}` })),
      ...(documents.has(`${channels}.json`) ? listForms(channels) : []),
    ],
    'service-doc': [{ href: `${base}/docs/${name}`, type: 'text/html' }],
    ...(health && {
      status: [{ href: `${base}${health.path}?version=${version.version}`, type: 'application/json' }],
    }),
    ...(next && { 'successor-version': [{ href: formatAnchor(base, next) }] }),
  };
};

const buildLinkset = (
  today: LocalDate,
  base: string,
  { catalog, documents }: ApiCatalogOptions,
): readonly LinkContext[] => {
  const contexts = catalog.flatMap((product) =>
    product.versions
      .filter((version) => ['current', 'deprecated'].includes(getStage(version, today)))
      .map((version) => buildContext(base, { product, version }, { today, documents })),
  );
  return [
    { anchor: `${base}${API_CATALOG_PATH}`, item: contexts.map(({ anchor }) => ({ href: anchor })) },
    ...contexts,
  ];
};

/**
 * Creates the handler of `/.well-known/api-catalog` (RFC 9727): the versions available on the day and their documents, as a linkset (RFC 9264).
 *
 * @example pages.get('/.well-known/api-catalog', apiCatalog({ catalog, documents }))
 */
export const apiCatalog =
  (options: ApiCatalogOptions): Handler<Env> =>
  (c) => {
    const base = options.publicUrl ?? splitTarget(c.req.url).origin;
    const text = JSON.stringify({ linkset: buildLinkset(toUtcDate(c.get('now')), base, options) });
    c.set('isConditional', true);
    return sendBody(c, createBody(Buffer.from(text)), {
      headers: {
        'Cache-Control': 'public, no-cache',
        Vary: 'Host',
        'Content-Type': MEDIA_TYPE,
        Link: `<${base}${API_CATALOG_PATH}>; rel="api-catalog"; type="application/linkset+json"`,
      },
    });
  };
