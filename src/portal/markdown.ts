import { Marked } from 'marked';
import { escapeHtml, slugOf } from './html.ts';

/** A part of a text under one heading, for the search: plain words. The part before the first heading has no id. */
export type Section = { readonly id: string; readonly title: string; readonly text: string };

/** `html` is without the title, which the page shows itself. */
export type Rendered = { readonly title: string; readonly html: string; readonly sections: readonly Section[] };

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** The words of a piece of HTML; what stands within a line leaves no gap. */
const wordsOf = (html: string): string =>
  html
    .replaceAll(/<\/?(?:a|code|em|strong|del)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

const headingAt = /<h([2-6]) id="([^"]*)">(.*?)<a class="anchor".*?<\/h\1>/g;

const sectionsOf = (title: string, html: string): readonly Section[] => {
  const headings = [...html.matchAll(headingAt)];
  const startOf = (index: number): number => headings[index]?.index ?? html.length;
  const first: Section = { id: '', title, text: wordsOf(html.slice(0, startOf(0))) };
  const rest = headings.map(([whole, , id = '', heading = ''], index) => ({
    id,
    title: wordsOf(heading),
    text: wordsOf(html.slice(startOf(index) + whole.length, startOf(index + 1))),
  }));
  return [first, ...rest];
};

/** The title of a Markdown text: its first heading of the first order, in plain words. */
export const titleOf = (text: string): string => (/^# (.+)$/m.exec(text)?.[1] ?? '').replaceAll('`', '');

/**
 * A Markdown text of ours as HTML: headings with anchors, wide tables and code that scroll by themselves. `linkTo` turns the address
 * of a link into that of the portal.
 */
export const renderMarkdown = (text: string, linkTo: (href: string) => string): Rendered => {
  const title = titleOf(text);
  const seen = new Map<string, number>();
  const idOf = (heading: string): string => {
    const slug = slugOf(heading);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
  const marked = new Marked({
    tokenizer: {
      // A paragraph that begins with a status, `404. There is nothing at this path`, is not the 404th of a list.
      list: (source) => (/^\d{3}[.)]\s/.test(source) ? undefined : false),
    },
    renderer: {
      heading({ tokens, depth, text: source }) {
        if (depth === 1) return '';
        const inner = this.parser.parseInline(tokens);
        const id = idOf(source);
        return `<h${depth} id="${id}">${inner}<a class="anchor" href="#${id}" aria-label="Link to this heading">#</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escapeHtml(linkTo(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      code({ text: code, lang }) {
        const kind = lang === undefined || lang === '' ? '' : ` class="language-${escapeHtml(lang)}"`;
        return `<pre tabindex="0"><code${kind}>${escapeHtml(code)}\n</code></pre>\n`;
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
  return { title, html, sections: sectionsOf(title, html) };
};
