import { escapeHtml, toSlug, toRootPath } from './html.ts';
import { compareVersions, type OperationChanges } from './compare-versions.ts';
import { renderMarkdown, findTitle, type RenderedMarkdown, type PageSection } from './markdown.ts';
import { renderPage, type PortalPage } from './page.ts';
import type { GuideSource, PortalSources, VersionSource } from './read-sources.ts';

/** A page of text, and its sections for the search. */
export type TextPage = {
  readonly page: PortalPage;
  readonly title: string;
  /** Its first paragraph. */
  readonly summary: string;
  readonly sections: readonly PageSection[];
};

const migrationName = /^migrating-(.+)-(v\d+)-to-v\d+$/;

/** Returns the path of a guide: `errors` is linked from every problem, and migration guides are below their version. */
export const toGuidePath = (name: string): string => {
  const [, product, version] = migrationName.exec(name) ?? [];
  if (product !== undefined) return `${product}/${version}/migration`;
  return name === 'errors' ? 'errors' : `guides/${name}`;
};

/** Converts links between Markdown files to links between pages. Unknown targets stay; a test reports them. */
const createLinkConverter =
  (path: string) =>
  (href: string): string => {
    if (/^(?:https?:|mailto:|#)/.test(href)) return href;
    const up = toRootPath(path);
    const [target = '', fragment] = href.split('#');
    const after = fragment === undefined ? '' : `#${fragment}`;
    if (target.startsWith('/docs/')) return `${up}${target.slice('/docs/'.length)}${after}`;
    if (target.startsWith('/')) return `${up}..${target}${after}`;
    const name = /(?:^|\/)([\w-]+)\.md$/.exec(target)?.[1];
    if (name !== undefined && name !== 'CHANGES') return `${up}${toGuidePath(name)}${after}`;
    const product = /(?:^|\/)([\w-]+)\/CHANGES\.md$/.exec(target)?.[1];
    if (product !== undefined) return `${up}${product}/changes${after}`;
    return href;
  };

const renderContents = ({ html }: RenderedMarkdown): string => {
  const headings = [...html.matchAll(/<h2 id="([^"]*)">(.*?)<a class="anchor"/g)];
  if (headings.length < 2) return '';
  const items = headings.map(
    ([, id = '', text = '']) => `<li><a href="#${id}">${text.replaceAll(/<\/?a[^>]*>/g, '')}</a></li>`,
  );
  return `<nav aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`;
};

const findSummary = (sections: readonly PageSection[]): string => {
  const [first = ''] = (sections.find(({ text }) => text !== '')?.text ?? '').split(/(?<=[.!?]) /);
  return first;
};

const renderTextPage = (path: string, rendered: RenderedMarkdown, before = ''): TextPage => {
  const { title, html, sections } = rendered;
  const page = renderPage({ path, title, main: html, aside: before + renderContents(rendered) });
  return { page, title, summary: findSummary(sections), sections };
};

const renderMenu = (path: string, guides: readonly GuideSource[]): string => {
  const items = guides.map(({ name, text }) => {
    const mark = toGuidePath(name) === path ? ' aria-current="page"' : '';
    return `<li><a href="${toRootPath(path)}${toGuidePath(name)}"${mark}>${escapeHtml(findTitle(text) || name)}</a></li>`;
  });
  return `<nav aria-label="Guides" class="menu"><h2>Guides</h2><ul>${items.join('')}</ul></nav>`;
};

/** Renders the guides, each with a menu of all; migration guides are part of migration pages. */
export const renderGuides = ({ guides }: PortalSources): readonly TextPage[] =>
  guides
    .filter(({ name }) => !migrationName.test(name))
    .map(({ name, text }) => {
      const path = toGuidePath(name);
      return renderTextPage(path, renderMarkdown(text, createLinkConverter(path)), renderMenu(path, guides));
    });

/** Renders the change log of each product. */
export const renderChangePages = ({ catalog, changes }: PortalSources): readonly TextPage[] =>
  catalog.map(({ product }) => {
    const path = `${product}/changes`;
    return renderTextPage(path, renderMarkdown(changes.get(product) ?? '', createLinkConverter(path)));
  });

const renderInlineCode = (text: string): string => escapeHtml(text).replaceAll(/`([^`]*)`/g, '<code>$1</code>');

const renderChangeList = (title: string, changes: OperationChanges['changes']): string =>
  changes.length === 0
    ? ''
    : `<h4>${title}</h4><ul>${changes.map(({ text }) => `<li>${renderInlineCode(text)}</li>`).join('')}</ul>`;

const renderComparison = ({ operation, changes }: OperationChanges): string =>
  `<section class="compared"><h3 id="${toSlug(`compared ${operation}`)}"><code>${escapeHtml(operation)}</code></h3>
${renderChangeList(
  'Breaking changes',
  changes.filter(({ isBreaking }) => isBreaking),
)}
${renderChangeList(
  'New',
  changes.filter(({ isBreaking }) => !isBreaking),
)}</section>`;

const renderMigrationPage = async (
  from: VersionSource,
  to: VersionSource,
  guides: readonly GuideSource[],
): Promise<TextPage> => {
  const { product, version } = from;
  const path = `${product.product}/${version.version}/migration`;
  const name = `migrating-${product.product}-${version.version}-to-${to.version.version}`;
  const guide = guides.find((one) => one.name === name);
  const title = `${product.title}: from ${version.version} to ${to.version.version}`;
  const rendered = renderMarkdown(guide?.text ?? `# ${title}\n`, createLinkConverter(path));
  const comparison = await compareVersions(from, to);
  const html = `${rendered.html}
<h2 id="every-change">Every change, by operation<a class="anchor" href="#every-change" aria-label="Link to this heading">#</a></h2>
<p>This list compares the two documents, operation by operation. A renamed item appears as removed and as new.</p>
${comparison.map(renderComparison).join('\n')}`;
  const menu = guide === undefined ? '' : renderMenu(path, guides);
  return renderTextPage(path, { title: rendered.title, html, sections: rendered.sections }, menu);
};

/** Renders a migration page for each version with a successor: the guide, and the differences of the documents. */
export const renderMigrationPages = async ({ versions, guides }: PortalSources): Promise<readonly TextPage[]> => {
  const pages: TextPage[] = [];
  for (const from of versions) {
    const to = versions.find(
      ({ product, version }) => product === from.product && version.version === from.version.successor,
    );
    if (to) pages.push(await renderMigrationPage(from, to, guides));
  }
  return pages;
};
