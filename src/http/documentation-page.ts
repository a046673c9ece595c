import type { Page } from './front.ts';
import { kinds } from './problem.ts';

const PATH = '/docs/';

const errorsText = `# Errors

Every error is application/problem+json; its type is one of these, its status the number beside it.

${Object.entries(kinds)
  .map(([kind, { status, title }]) => `- ${kind} (${status}): ${title}`)
  .join('\n')}
`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const pageOf = (text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Documentation</title><pre>${escaped(text)}</pre></html>\n`;

/**
 * What links in answers lead to: `/docs/errors`, the kinds of errors, and `/docs/{product}/{version}`, what subscribers of a
 * product must know; the text as it is. `changes` is by product.
 */
export const documentationPage = (changes: Readonly<Record<string, string>>): Page => ({
  path: PATH,
  answer: async (request) => {
    const { pathname } = new URL(request.url);
    const [, first, product = '', version, ...rest] = pathname.split('/');
    if (`/${first}/` !== PATH || rest.length > 0 || !['GET', 'HEAD'].includes(request.method)) return undefined;
    const text = product === 'errors' && version === undefined ? errorsText : changes[product];
    if (text === undefined) return undefined;
    const page = pageOf(text);
    const headers = {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'",
      'Cache-Control': 'public, max-age=3600',
      'Content-Length': String(Buffer.byteLength(page)),
    };
    return new Response(page, { headers });
  },
});
