import { toText, escapeHtml } from './html.ts';
import type { ListedGuide } from './index-page.ts';
import { renderPage, type PortalPage } from './page.ts';
import type { PortalSources } from './read-sources.ts';
import { toJsonObject } from '#lib/openapi-document.ts';

/** The base URL of the pages; the server replaces it with its own. */
const PORTAL = 'http://localhost:8080/docs/';

const SUMMARY = 'Schedules, live status, connections, alerts and reference data for flights, over one HTTP API.';

/** Renders `llms.txt` (llmstxt.org): the pages as Markdown, for language models. It is also the Markdown of the index page. */
export const renderLlmsText = ({ versions, catalog }: PortalSources, guides: readonly ListedGuide[]): string => {
  const references = versions.map(
    ({ product, version, document }) =>
      `- [${product.title} ${version.version}](${PORTAL}${product.product}/${version.version}.md): ${toText(toJsonObject(document['info'])['summary'])}`,
  );
  const groups = Map.groupBy(guides, ({ group }) => group)
    .entries()
    .map(([group, own]) => {
      const items = own.map(({ path, title, summary }) => `- [${title}](${PORTAL}${path}.md): ${summary}`);
      return `## ${group}\n\n${items.join('\n')}\n`;
    });
  const changes = catalog.map(({ product, title }) => `- [Changes of ${title}](${PORTAL}${product}/changes.md)`);
  return `# Flight data

> ${SUMMARY}

Requests need the header \`Subscription-Key\`. Errors are problem details (RFC 9457).

## Reference

${references.join('\n')}

${[...groups].join('\n')}
## Optional

${changes.join('\n')}
`;
};

/** Renders the sitemap of these pages. */
export const renderSitemap = (paths: readonly string[]): string => {
  const urls = paths.map((path) => `<url><loc>${escapeHtml(PORTAL + path)}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
};

/** Renders the page for unknown addresses. The server adapts its links to the address. */
export const renderNotFoundPage = ({ catalog }: PortalSources, guides: readonly ListedGuide[]): PortalPage => {
  const products = catalog.map(({ product, title, versions }) => {
    const path = `${product}/${versions.at(-1)?.version ?? ''}`;
    return `<li><a href="./${path}">${escapeHtml(title)}</a></li>`;
  });
  const items = guides.map(({ path, title }) => `<li><a href="./${path}">${escapeHtml(title)}</a></li>`);
  const main = `<p class="lead">No page has this address. Search for it above, or open one of these pages.</p>
<p><a href="./">Start page of the documentation</a></p>
<h2 id="references">Reference</h2>
<ul>${products.join('')}</ul>
<h2 id="guides">Guides</h2>
<ul>${items.join('')}</ul>`;
  return renderPage({ path: '404', title: 'Page not found', main, hasTwin: false });
};
