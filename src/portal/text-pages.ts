import { escapeHtml, slugOf, wayUp } from './html.ts';
import { compareVersions, type OperationChanges } from './compare-versions.ts';
import { renderMarkdown, titleOf, type Rendered, type Section } from './markdown.ts';
import { pageOf, type PortalPage } from './page.ts';
import type { GuideSource, PortalSources, VersionSource } from './sources.ts';

/** A page of text and what the search finds on it. */
export type TextPage = {
  readonly page: PortalPage;
  readonly title: string;
  /** Its first paragraph. */
  readonly summary: string;
  readonly sections: readonly Section[];
};

const migration = /^migrating-(.+)-(v\d+)-to-v\d+$/;

/** Where a guide is: the errors at an address that every error leads to, how to leave a version below that version. */
export const pathOf = (name: string): string => {
  const [, product, version] = migration.exec(name) ?? [];
  if (product !== undefined) return `${product}/${version}/migration`;
  return name === 'errors' ? 'errors' : `guides/${name}`;
};

/** Links between files of ours lead to their pages. One that leads nowhere stays as it is, and a test finds it. */
const linkFrom =
  (path: string) =>
  (href: string): string => {
    if (/^(?:https?:|mailto:|#)/.test(href)) return href;
    const up = wayUp(path);
    const [target = '', fragment] = href.split('#');
    const after = fragment === undefined ? '' : `#${fragment}`;
    if (target.startsWith('/docs/')) return `${up}${target.slice('/docs/'.length)}${after}`;
    if (target.startsWith('/')) return `${up}..${target}${after}`;
    const name = /(?:^|\/)([\w-]+)\.md$/.exec(target)?.[1];
    if (name !== undefined && name !== 'CHANGES') return `${up}${pathOf(name)}${after}`;
    const product = /(?:^|\/)([\w-]+)\/CHANGES\.md$/.exec(target)?.[1];
    if (product !== undefined) return `${up}${product}/changes${after}`;
    return href;
  };

const onThisPage = ({ html }: Rendered): string => {
  const headings = [...html.matchAll(/<h2 id="([^"]*)">(.*?)<a class="anchor"/g)];
  if (headings.length < 2) return '';
  const items = headings.map(
    ([, id = '', text = '']) => `<li><a href="#${id}">${text.replaceAll(/<\/?a[^>]*>/g, '')}</a></li>`,
  );
  return `<nav aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`;
};

const summaryOf = (sections: readonly Section[]): string => {
  const [first = ''] = (sections.find(({ text }) => text !== '')?.text ?? '').split(/(?<=[.!?]) /);
  return first;
};

const textPage = (path: string, rendered: Rendered, before = ''): TextPage => {
  const { title, html, sections } = rendered;
  const page = pageOf({ path, title, main: html, aside: before + onThisPage(rendered) });
  return { page, title, summary: summaryOf(sections), sections };
};

const menuOf = (path: string, guides: readonly GuideSource[]): string => {
  const items = guides.map(({ name, text }) => {
    const mark = pathOf(name) === path ? ' aria-current="page"' : '';
    return `<li><a href="${wayUp(path)}${pathOf(name)}"${mark}>${escapeHtml(titleOf(text) || name)}</a></li>`;
  });
  return `<nav aria-label="Guides" class="menu"><h2>Guides</h2><ul>${items.join('')}</ul></nav>`;
};

/** The guides in their order, but for those that are part of a migration page; each lists the others. */
export const guidePages = ({ guides }: PortalSources): readonly TextPage[] =>
  guides
    .filter(({ name }) => !migration.test(name))
    .map(({ name, text }) => {
      const path = pathOf(name);
      return textPage(path, renderMarkdown(text, linkFrom(path)), menuOf(path, guides));
    });

/** What changes for subscribers, a page for each product. */
export const changePages = ({ catalog, changes }: PortalSources): readonly TextPage[] =>
  catalog.map(({ product }) => {
    const path = `${product}/changes`;
    return textPage(path, renderMarkdown(changes.get(product) ?? '', linkFrom(path)));
  });

const code = (text: string): string => escapeHtml(text).replaceAll(/`([^`]*)`/g, '<code>$1</code>');

const listOfChanges = (title: string, changes: OperationChanges['changes']): string =>
  changes.length === 0
    ? ''
    : `<h4>${title}</h4><ul>${changes.map(({ text }) => `<li>${code(text)}</li>`).join('')}</ul>`;

const comparisonOf = ({ operation, changes }: OperationChanges): string =>
  `<section class="compared"><h3 id="${slugOf(`compared ${operation}`)}"><code>${escapeHtml(operation)}</code></h3>
${listOfChanges(
  'Needs a change of yours',
  changes.filter(({ isBreaking }) => isBreaking),
)}
${listOfChanges(
  'New',
  changes.filter(({ isBreaking }) => !isBreaking),
)}</section>`;

const migrationPage = async (
  from: VersionSource,
  to: VersionSource,
  guides: readonly GuideSource[],
): Promise<TextPage> => {
  const { product, version } = from;
  const path = `${product.product}/${version.version}/migration`;
  const name = `migrating-${product.product}-${version.version}-to-${to.version.version}`;
  const guide = guides.find((one) => one.name === name);
  const title = `${product.title}: from ${version.version} to ${to.version.version}`;
  const written = renderMarkdown(guide?.text ?? `# ${title}\n`, linkFrom(path));
  const compared = await compareVersions(from, to);
  const html = `${written.html}
<h2 id="every-change">Every change, by operation<a class="anchor" href="#every-change" aria-label="Link to this heading">#</a></h2>
<p>Found by comparing the two documents, operation by operation. What was renamed is told as what was removed and what is new.</p>
${compared.map(comparisonOf).join('\n')}`;
  const menu = guide === undefined ? '' : menuOf(path, guides);
  return textPage(path, { title: written.title, html, sections: written.sections }, menu);
};

/** How to move to the next version, a page for each version that has one: what the guide says, and what comparing the documents finds. */
export const migrationPages = async ({ versions, guides }: PortalSources): Promise<readonly TextPage[]> => {
  const pages: TextPage[] = [];
  for (const from of versions) {
    const to = versions.find(
      ({ product, version }) => product === from.product && version.version === from.version.successor,
    );
    if (to) pages.push(await migrationPage(from, to, guides));
  }
  return pages;
};
