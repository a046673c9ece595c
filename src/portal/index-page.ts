import type { CatalogProduct } from '#http/router/version-lifecycle.ts';
import { toJsonObject } from '#lib/openapi-document.ts';
import { buildCodeSamples } from './code-samples/code-samples.ts';
import { highlightCode } from './highlight.ts';
import { escapeHtml, toText } from './html.ts';
import { renderPage, type PortalPage } from './page.ts';
import type { PortalSources, VersionSource } from './read-sources.ts';
import { renderDates, renderStage } from './version-stage.ts';

/** A guide in the list of the index page, below the title of its group. */
export type ListedGuide = {
  readonly path: string;
  readonly group: string;
  readonly title: string;
  readonly summary: string;
};

const renderVersion = ({ product, version, asyncapi }: VersionSource): string => {
  const path = `${product.product}/${version.version}`;
  const links = [
    ...(asyncapi ? [`<a href="./${path}/events">Events</a>`] : []),
    ...(version.successor === undefined
      ? []
      : [`<a href="./${path}/migration">Moving to ${escapeHtml(version.successor)}</a>`]),
    `<a href="../openapi/${path}.yaml">OpenAPI</a>`,
    ...(asyncapi ? [`<a href="../asyncapi/${path}.yaml">AsyncAPI</a>`] : []),
    `<a href="./${path}.postman.json" download>Postman</a>`,
    `<a href="./${path}.bruno.json" download>Bruno</a>`,
  ];
  return `<li><p class="version"><a href="./${path}">${escapeHtml(version.version)}</a> ${renderStage(version)}</p><p class="dates">${renderDates(version)}</p><p class="links">${links.join(' · ')}</p></li>`;
};

const renderProduct = (product: CatalogProduct, versions: readonly VersionSource[]): string => {
  const own = versions.filter((one) => one.product === product).toReversed();
  const summary = toText(toJsonObject(own[0]?.document['info'])['summary']);
  const current = own[0]?.version.version ?? '';
  return `<article><h3><a href="./${product.product}/${current}">${escapeHtml(product.title)}</a></h3>
<p>${escapeHtml(summary)}</p>
<ul>${own.map(renderVersion).join('\n')}</ul>
<p class="links"><a href="./${product.product}/changes">Changes</a></p></article>`;
};

/** Renders the index page: products with their versions, and the guides. */
export const renderIndexPage = ({ catalog, versions }: PortalSources, guides: readonly ListedGuide[]): PortalPage => {
  const groups = Map.groupBy(guides, ({ group }) => group)
    .entries()
    .map(([group, own]) => {
      const items = own.map(
        ({ path, title, summary }) =>
          `<li><a href="./${path}">${escapeHtml(title)}</a><span>${escapeHtml(summary)}</span></li>`,
      );
      return `<h3>${escapeHtml(group)}</h3>\n<ul class="guides">\n${items.join('\n')}\n</ul>`;
    });
  const first = versions.filter(({ product }) => product.product === 'flight-info').at(-1);
  const sample = first && buildCodeSamples(first).find(({ call }) => call.operationId === 'listFlightInstances');
  const call =
    sample === undefined
      ? ''
      : `<div><pre tabindex="0"><code>${highlightCode(sample.code.curl, 'bash')}\n</code></pre><p class="note">Where <code>make run</code> serves the demo world, the key is <code>demo-key</code>.</p></div>`;
  const main = `<div class="hero">
<div><h1>Flight data</h1>
<p class="lead">Schedules, live status, connections, alerts and reference data for flights, over one HTTP API.</p></div>
${call}
</div>
<h2 id="products">Products</h2>
<div class="products">
${catalog.map((product) => renderProduct(product, versions)).join('\n')}
</div>
<h2 id="guides">Guides</h2>
${[...groups].join('\n')}
<h2 id="machines">Machine-readable documents</h2>
<p>The service is generated from these documents and tested against them. The <a href="../.well-known/api-catalog">API catalog</a> (RFC 9727) lists them for programs.</p>`;
  return renderPage({
    path: 'index',
    title: 'Flight data',
    main,
    kind: 'index',
  });
};
