import { type OpenApiOperation, toList } from '#lib/openapi-document.ts';

/** Returns the anchor of an operation in the reference: Redoc lists it below its first tag, in lower case. */
export const toOperationAnchor = ({ operation }: OpenApiOperation): string =>
  `#/${toSlug(String(toList(operation['tags'])[0]))}/${String(operation['operationId']).toLowerCase()}`;

/** Escapes text for an HTML element or a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Converts a heading to its anchor, as Markdown renderers do: `## A first call` becomes `a-first-call`. */
export const toSlug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/<[^>]*>|&\w+;/g, '')
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-');

/** Returns the relative path from a page to the root of the portal: `./` for `errors`, `../` for `flight-info/v2`. */
export const toRootPath = (path: string): string => '../'.repeat(path.split('/').length - 1) || './';

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

/** Renders a date, `YYYY-MM-DD`, as a `time` element. */
export const renderDate = (date: string): string => {
  const [year = '', month = '', day = ''] = date.split('-');
  return `<time datetime="${escapeHtml(date)}">${Number(day)} ${months[Number(month) - 1] ?? ''} ${year}</time>`;
};

/** Returns a text member of a document; an empty text when it is absent. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value : '');
