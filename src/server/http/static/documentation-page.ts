import type { Context } from 'hono';
import { createBody, sendBody } from '../context/body.ts';
import type { Env } from '../context/env.ts';
import { problemKinds } from '../response/problem.ts';

const errorsText = `# Errors

Every error response is application/problem+json. These are the types, with their status codes.

${Object.entries(problemKinds)
  .map(([kind, { status, title }]) => `- ${kind} (${status}): ${title}`)
  .join('\n')}
`;

const startText = `# Documentation

The portal is not built yet. \`make run\` builds it beside the server: reload this page in a minute. \`make portal\` builds it too.
The OpenAPI documents are available: /.well-known/api-catalog lists them.
`;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const renderPage = (text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Documentation</title><pre>${escapeHtml(text)}</pre></html>\n`;

/**
 * Creates the pages that links in responses need until the portal is built, by their path: `/docs/errors`, the kinds of problems, and
 * `/docs/{product}/{version}`, the change log of a product as plain text (`changes`, by product).
 */
export const createDocumentationPages = (changes: Readonly<Record<string, string>>) => {
  const texts = new Map(Object.entries(changes));
  const alone = new Map([
    ['', startText],
    ['errors', errorsText],
  ]);
  const findText = ({ product = '', version }: { readonly product?: string; readonly version?: string }) =>
    (version === undefined ? alone.get(product) : undefined) ?? texts.get(product);
  return (c: Context<Env>): Response | Promise<Response> => {
    const text = findText(c.req.param());
    if (text === undefined) return c.notFound();
    return sendBody(c, createBody(Buffer.from(renderPage(text))), {
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': "default-src 'none'",
        'Cache-Control': 'no-store',
      },
    });
  };
};
