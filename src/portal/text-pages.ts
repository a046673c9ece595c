import { posix } from 'node:path';
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
  /** The page as Markdown, at the same address with `.md`. */
  readonly markdown: string;
};

const migrationName = /^how-to\/migrate-(.+)-(v\d+)-to-v\d+$/;

/** Returns the path of the page of a guide: every problem links to `errors`, and migration guides are below their version. */
export const toGuidePath = (name: string): string => {
  const [, product, version] = migrationName.exec(name) ?? [];
  if (product !== undefined) return `${product}/${version}/migration`;
  return name === 'reference/errors' ? 'errors' : name;
};

/** Converts links of the Markdown file `docs/{name}.md` to links of the page `path`. Unknown targets stay; a test reports them. */
const createLinkConverter =
  (path: string, name = '') =>
  (href: string): string => {
    if (/^(?:https?:|mailto:|#)/.test(href)) return href;
    const up = toRootPath(path);
    const [target = '', fragment] = href.split('#');
    const after = fragment === undefined ? '' : `#${fragment}`;
    if (target.startsWith('/docs/')) return `${up}${target.slice('/docs/'.length)}${after}`;
    if (target.startsWith('/')) return `${up}..${target}${after}`;
    const product = /(?:^|\/)([\w-]+)\/CHANGES\.md$/.exec(target)?.[1];
    if (product !== undefined) return `${up}${product}/changes${after}`;
    const file = posix.join(posix.dirname(name), target);
    if (file.startsWith('images/')) return `${up}${file}`;
    return file.endsWith('.md') ? `${up}${toGuidePath(file.slice(0, -'.md'.length))}${after}` : href;
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

/** Converts the links of a Markdown text. */
const convertMarkdown = (text: string, convert: (href: string) => string): string =>
  text.replaceAll(/\]\(([^)\s]+)\)/g, (_, href: string) => `](${convert(href)})`);

const renderTextPage = (path: string, rendered: RenderedMarkdown, before = ''): Omit<TextPage, 'markdown'> => {
  const { title, html, sections } = rendered;
  const page = renderPage({ path, title, main: html, aside: before + renderContents(rendered) });
  return { page, title, summary: findSummary(sections), sections };
};

const renderMenu = (path: string, guides: readonly GuideSource[]): string => {
  const groups = Map.groupBy(guides, ({ group }) => group)
    .entries()
    .map(([group, own]) => {
      const items = own.map(({ name, text }) => {
        const mark = toGuidePath(name) === path ? ' aria-current="page"' : '';
        return `<li><a href="${toRootPath(path)}${toGuidePath(name)}"${mark}>${escapeHtml(findTitle(text) || name)}</a></li>`;
      });
      return `<h2>${escapeHtml(group)}</h2><ul>${items.join('')}</ul>`;
    });
  return `<nav aria-label="Guides" class="menu">${[...groups].join('')}</nav>`;
};

/** Renders the guides, each with a menu of all; migration guides are part of migration pages. */
export const renderGuides = ({ guides }: PortalSources): readonly TextPage[] =>
  guides
    .filter(({ name }) => !migrationName.test(name))
    .map(({ name, text }) => {
      const path = toGuidePath(name);
      const convert = createLinkConverter(path, name);
      const page = renderTextPage(path, renderMarkdown(text, convert), renderMenu(path, guides));
      return { ...page, markdown: convertMarkdown(text, convert) };
    });

/** Renders the change log of each product. */
export const renderChangePages = ({ catalog, changes }: PortalSources): readonly TextPage[] =>
  catalog.map(({ product }) => {
    const path = `${product}/changes`;
    const [text, convert] = [changes.get(product) ?? '', createLinkConverter(path)];
    return { ...renderTextPage(path, renderMarkdown(text, convert)), markdown: convertMarkdown(text, convert) };
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
  const name = `how-to/migrate-${product.product}-${version.version}-to-${to.version.version}`;
  const guide = guides.find((one) => one.name === name);
  const title = `${product.title}: from ${version.version} to ${to.version.version}`;
  const [text, convert] = [guide?.text ?? `# ${title}\n`, createLinkConverter(path, name)];
  const rendered = renderMarkdown(text, convert);
  const comparison = await compareVersions(from, to);
  const html = `${rendered.html}
<h2 id="every-change">Every change, by operation<a class="anchor" href="#every-change" aria-label="Link to this heading">#</a></h2>
<p>This list compares the two documents, operation by operation. A renamed item appears as removed and as new.</p>
${comparison.map(renderComparison).join('\n')}`;
  const menu = guide === undefined ? '' : renderMenu(path, guides);
  const lists = comparison.map(
    ({ operation, changes }) =>
      `### ${operation}\n\n${changes.map((one) => `- ${one.isBreaking ? 'Breaking: ' : ''}${one.text}\n`).join('')}`,
  );
  const page = renderTextPage(path, { title: rendered.title, html, sections: rendered.sections }, menu);
  const markdown = `${convertMarkdown(text, convert)}\n## Every change, by operation\n\n${lists.join('\n')}`;
  return { ...page, markdown };
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
