/** Text that is HTML or SVG already. */
export type Markup = { readonly markup: string };

/** What may stand in a template: text and numbers are escaped, markup is not, undefined is nothing. */
export type Inlay = string | number | Markup | readonly Markup[] | undefined;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeText = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');

const writeInlay = (inlay: Inlay): string => {
  if (inlay === undefined) return '';
  if (typeof inlay === 'string' || typeof inlay === 'number') return escapeText(String(inlay));
  return 'markup' in inlay ? inlay.markup : inlay.map(({ markup }) => markup).join('');
};

/** A template of HTML or SVG in which everything put in is escaped unless it is markup itself; attributes must be quoted. */
export const markup = (texts: TemplateStringsArray, ...inlays: readonly Inlay[]): Markup => ({
  markup: texts.map((text, index) => text + writeInlay(inlays[index])).join(''),
});

/** Text written by hand in this folder: styles. Never anything from outside. */
export const asMarkup = (text: string): Markup => ({ markup: text });
