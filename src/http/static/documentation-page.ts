import type { PublicPage } from '../router/router.ts';
import { HttpResponse } from '../response/http-response.ts';
import { problemKinds } from '../response/problem.ts';

const PATH = '/docs/';

const errorsText = `# Errors

Every error response is application/problem+json. These are the types, with their status codes.

${Object.entries(problemKinds)
  .map(([kind, { status, title }]) => `- ${kind} (${status}): ${title}`)
  .join('\n')}
`;

const startText = `# Documentation

The portal is not built. Build it with \`make portal\` and restart the server.
The OpenAPI documents are available: /.well-known/api-catalog lists them.
`;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const renderPage = (text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Documentation</title><pre>${escapeHtml(text)}</pre></html>\n`;

/** Where programs and browsers start; relative, because a prefix can precede the path. */
const redirects: ReadonlyMap<string, string> = new Map([
  ['/', 'docs/'],
  ['/docs', 'docs/'],
  ['/llms.txt', 'docs/llms.txt'],
  ['/sitemap.xml', 'docs/sitemap.xml'],
]);

const redirectTo = (location: string): HttpResponse =>
  new HttpResponse({ status: 302, headers: { Location: location, 'Content-Length': '0' } });

/**
 * Creates the pages that links in responses need where no portal was built: `/docs/errors`, the kinds of problems, and
 * `/docs/{product}/{version}`, the change log of a product as plain text (`changes`, by product). `/`, `/docs`, `/llms.txt` and
 * `/sitemap.xml` redirect to their files below `/docs/`.
 */
export const createDocumentationPage = (changes: Readonly<Record<string, string>>): PublicPage => {
  const texts = new Map(Object.entries(changes));
  const alone = new Map([
    ['', startText],
    ['errors', errorsText],
  ]);
  return {
    path: PATH,
    respond: async (request) => {
      const { pathname } = new URL(request.url);
      const [, first, product = '', version, ...rest] = pathname.split('/');
      if (!['GET', 'HEAD'].includes(request.method)) return undefined;
      const location = redirects.get(pathname);
      if (location !== undefined) return redirectTo(location);
      if (`/${first}/` !== PATH || rest.length > 0) return undefined;
      const text = (version === undefined ? alone.get(product) : undefined) ?? texts.get(product);
      if (text === undefined) return undefined;
      const page = renderPage(text);
      const headers = {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': "default-src 'none'",
        'Cache-Control': 'public, max-age=3600',
        'Content-Length': String(Buffer.byteLength(page)),
      };
      return new HttpResponse({ status: 200, headers, body: Buffer.from(page) });
    },
  };
};
