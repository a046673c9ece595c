import { Marked } from 'marked';
import { highlightCode } from './highlight.ts';
import { escapeHtml, toSlug } from './html.ts';

/** The plain text under one heading, for the search. The part before the first heading has an empty `id`. */
export type PageSection = { readonly id: string; readonly title: string; readonly text: string };

/** `html` has no title; the page renders it. */
export type RenderedMarkdown = {
  readonly title: string;
  readonly html: string;
  readonly sections: readonly PageSection[];
};

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** Returns the text of HTML; inline elements leave no space. */
const toPlainText = (html: string): string =>
  html
    .replaceAll(/<\/?(?:a|code|em|strong|del)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

const headingPattern = /<h([2-6]) id="([^"]*)">(.*?)<a class="anchor".*?<\/h\1>/g;

const listSections = (title: string, html: string): readonly PageSection[] => {
  const headings = [...html.matchAll(headingPattern)];
  const startOf = (index: number): number => headings[index]?.index ?? html.length;
  const first: PageSection = { id: '', title, text: toPlainText(html.slice(0, startOf(0))) };
  const rest = headings.map(([whole, , id = '', heading = ''], index) => ({
    id,
    title: toPlainText(heading),
    text: toPlainText(html.slice(startOf(index) + whole.length, startOf(index + 1))),
  }));
  return [first, ...rest];
};

/** Returns the first heading of level 1 as plain text. */
export const findTitle = (text: string): string => (/^# (.+)$/m.exec(text)?.[1] ?? '').replaceAll('`', '');

/**
 * Renders Markdown as HTML, with anchors at headings and scroll containers around tables. `convertLink` maps the address of a link or an
 * image to the portal.
 */
export const renderMarkdown = (text: string, convertLink: (href: string) => string): RenderedMarkdown => {
  const title = findTitle(text);
  const seen = new Map<string, number>();
  const createId = (heading: string): string => {
    const slug = toSlug(heading);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
  const marked = new Marked({
    tokenizer: {
      // A paragraph that starts with a status, `404. The path does not exist`, is not a list item.
      list: (source) => (/^\d{3}[.)]\s/.test(source) ? undefined : false),
    },
    renderer: {
      heading({ tokens, depth, text: source }) {
        if (depth === 1) return '';
        const inner = this.parser.parseInline(tokens);
        const id = createId(source);
        return `<h${depth} id="${id}">${inner}<a class="anchor" href="#${id}" aria-label="Link to this heading">#</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escapeHtml(convertLink(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text: alt }) {
        return `<img src="${escapeHtml(convertLink(href))}" alt="${escapeHtml(alt)}">`;
      },
      code({ text: code, lang }) {
        const kind = lang === undefined || lang === '' ? '' : ` class="language-${escapeHtml(lang)}"`;
        return `<pre tabindex="0"><code${kind}>${highlightCode(code, lang ?? '')}\n</code></pre>\n`;
      },
      html({ text: raw }) {
        return escapeHtml(raw);
      },
    },
    hooks: {
      postprocess: (html) =>
        html.replaceAll('<table>', '<div class="scroll" tabindex="0"><table>').replaceAll('</table>', '</table></div>'),
    },
  });
  const html = marked.parse(text, { async: false });
  return { title, html, sections: listSections(title, html) };
};
