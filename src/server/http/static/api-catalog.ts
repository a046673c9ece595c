import type { Handler } from 'hono';
import { z } from 'zod';
import { toUtcDate, type LocalDate } from '#domain/time/dates.ts';
import { createBody, sendBody } from '../context/body.ts';
import type { Env } from '../context/env.ts';
import { splitTarget } from '../router/request-url.ts';
import type { StaticFile } from './static-files.ts';
import { getStage, type CatalogProduct, type CatalogVersion } from '../router/version-lifecycle.ts';

export const API_CATALOG_PATH = '/.well-known/api-catalog';
const MEDIA_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

type CatalogLink = { readonly href: string; readonly type?: string; readonly title?: string };
type LinkContext = { readonly anchor: string } & Readonly<Record<string, string | readonly CatalogLink[]>>;

export type ApiCatalogOptions = {
  readonly catalog: readonly CatalogProduct[];
  /** Scheme, host and any path prefix of the service; by default those of each request. */
  readonly publicUrl?: string | undefined;
  /** The available documents, e.g. `/asyncapi/flight-info-alerts/v1.json`, and recipes, e.g. `/recipes/webhook.json`. */
  readonly files: readonly StaticFile[];
};

/** Paths of the available documents, and the recipes. */
type Published = { readonly documents: ReadonlySet<string>; readonly recipes: readonly ListedRecipe[] };

/** Returns the entry URL of an API: its first operation that needs a key and has no path parameters. */
const formatAnchor = (base: string, { operations, version }: CatalogVersion): string => {
  const first = operations.find(({ path, isPublic, method }) => method === 'get' && !isPublic && !path.includes('{'));
  return `${base}${first?.path ?? '/'}?version=${version}`;
};

/** A recipe that runs on a version: a document of Arazzo. */
type ListedRecipe = { readonly path: string; readonly title: string; readonly sources: readonly string[] };

const recipeHead = z.object({
  info: z.object({ title: z.string() }),
  sourceDescriptions: z.array(z.object({ url: z.string() })),
});

/** Returns the recipes among the files; `sources` are paths of their documents without `.json`. */
const listRecipes = (files: readonly StaticFile[]): readonly ListedRecipe[] =>
  files
    .filter(({ path }) => path.startsWith('/recipes/'))
    .map(({ path, bytes }) => {
      const { info, sourceDescriptions } = recipeHead.parse(JSON.parse(Buffer.from(bytes).toString()));
      const sources = sourceDescriptions.map(({ url }) => new URL(url).pathname.replace(/\.json$/, ''));
      return { path: path.replace(/\.json$/, ''), title: info.title, sources };
    });

const buildContext = (
  base: string,
  { product, version }: { readonly product: CatalogProduct; readonly version: CatalogVersion },
  { today, documents, recipes }: Published & { readonly today: LocalDate },
): LinkContext => {
  const name = `${product.product}/${version.version}`;
  const health = version.operations.find(({ path }) => path.endsWith('/health'));
  const listForms = (path: string): readonly CatalogLink[] =>
    (['yaml', 'json'] as const).map((form) => ({ href: `${base}${path}.${form}`, type: `application/${form}` }));
  const channels = `/asyncapi/${name}`;
  const isEnding = getStage(version, today) === 'deprecated';
  const own = recipes.filter(({ sources }) => sources.includes(`/openapi/${name}`));
  const next = product.versions.find((one) => isEnding && one.version === version.successor);
  return {
    anchor: formatAnchor(base, version),
    'service-desc': [
      ...listForms(`/openapi/${name}`).map((link) => ({ ...link, title: `${product.title} ${version.version}` })),
      ...(documents.has(`${channels}.json`) ? listForms(channels) : []),
    ],
    ...(own.length > 0 && {
      'service-meta': own.flatMap(({ path, title }) => listForms(path).map((link) => ({ ...link, title }))),
    }),
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
  { catalog, ...published }: Published & Pick<ApiCatalogOptions, 'catalog'>,
): readonly LinkContext[] => {
  const contexts = catalog.flatMap((product) =>
    product.versions
      .filter((version) => ['current', 'deprecated'].includes(getStage(version, today)))
      .map((version) => buildContext(base, { product, version }, { today, ...published })),
  );
  return [
    { anchor: `${base}${API_CATALOG_PATH}`, item: contexts.map(({ anchor }) => ({ href: anchor })) },
    ...contexts,
  ];
};

/**
 * Creates the handler of `/.well-known/api-catalog` (RFC 9727): the versions available on the day and their documents, as a linkset (RFC 9264).
 *
 * @example pages.get('/.well-known/api-catalog', apiCatalog({ catalog, files }))
 */
export const apiCatalog = ({ catalog, publicUrl, files }: ApiCatalogOptions): Handler<Env> => {
  const published = { catalog, documents: new Set(files.map(({ path }) => path)), recipes: listRecipes(files) };
  return (c) => {
    const base = publicUrl ?? splitTarget(c.req.url).origin;
    const text = JSON.stringify({ linkset: buildLinkset(toUtcDate(c.get('now')), base, published) });
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
};
