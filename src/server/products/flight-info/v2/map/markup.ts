/** Text that is HTML or SVG. */
export type Markup = { readonly markup: string };

/** A value in a template: text and numbers are escaped, markup is not, undefined is empty. */
export type Inlay = string | number | Markup | readonly Markup[] | undefined;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeText = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');

const renderInlay = (inlay: Inlay): string => {
  if (inlay === undefined) return '';
  if (typeof inlay === 'string' || typeof inlay === 'number') return escapeText(String(inlay));
  return 'markup' in inlay ? inlay.markup : inlay.map(({ markup }) => markup).join('');
};

/** Builds HTML or SVG from a template; escapes all values except markup. Attributes must be quoted. */
export const markup = (texts: TemplateStringsArray, ...inlays: readonly Inlay[]): Markup => ({
  markup: texts.map((text, index) => text + renderInlay(inlays[index])).join(''),
});

/** Marks constant text of this folder (styles) as markup. Do not call it with external text. */
export const asMarkup = (text: string): Markup => ({ markup: text });
