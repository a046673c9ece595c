/** Text as it stands in HTML, in an element or in a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The name of a heading in an address, as pages of Markdown commonly have it: `## A first call` is `#a-first-call`. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/<[^>]*>|&\w+;/g, '')
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-');

/** The way up from a page to the portal's root: `errors` is there, `flight-info/v2` one below. Pages link relatively, wherever they lie. */
export const wayUp = (path: string): string => '../'.repeat(path.split('/').length - 1) || './';

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** A date, `YYYY-MM-DD`, as people read it, with what machines read beside it. */
export const timeOf = (date: string): string => {
  const [year = '', month = '', day = ''] = date.split('-');
  return `<time datetime="${escapeHtml(date)}">${Number(day)} ${months[Number(month) - 1] ?? ''} ${year}</time>`;
};

/** A text that a document may leave out: an empty one then. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
