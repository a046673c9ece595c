import { escapeHtml, toRootPath } from './html.ts';

/** A page of the portal: `path` is relative to its root, without `.html`. */
export type PortalPage = { readonly path: string; readonly html: string };

/** The parts of a page. `title` is text, the others are HTML; `aside` is below `main`, or beside it on wide screens. */
export type PageParts = {
  readonly path: string;
  readonly title: string;
  readonly main: string;
  readonly aside?: string;
  readonly kind?: 'index' | 'text';
  /** Whether the page exists as Markdown too, at the same address with `.md`. */
  readonly hasTwin?: boolean;
};

/**
 * The Content Security Policy of pages. The server also sends it as a header, with `frame-ancestors`, which a `meta` element cannot
 * set.
 */
export const pagePolicy = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `img-src 'self' data:`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
].join('; ');

/** The logo, inline: an aircraft on its path between two points. */
const logo =
  '<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><path d="M4 25C9 9 23 9 28 25" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-dasharray=".1 4.6"/><circle cx="4" cy="25" r="3"/><circle cx="28" cy="25" r="3"/><path d="M16 7.2 21 15l-5-1.7-5 1.7z"/></svg>';

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#12405f"/><path d="M16 6 25 25l-9-4-9 4z" fill="#fff"/></svg>',
)}`;

/** Renders the common elements of `head`. */
export const renderHead = ({ path, title, policy }: { path: string; title: string; policy: string }): string => {
  const up = toRootPath(path);
  return [
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<title>${escapeHtml(title)}</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="referrer" content="no-referrer">',
    `<link rel="icon" href="${icon}">`,
    `<link rel="stylesheet" href="${up}assets/portal.css">`,
    `<script type="module" src="${up}assets/portal.js"></script>`,
  ].join('\n');
};

/** Renders the bar at the top of every page: home link, navigation and search. */
export const renderBar = (path: string): string => {
  const up = toRootPath(path);
  return `<a class="skip" href="#main">Skip to the text</a>
<header class="bar">
<a class="home" href="${up}">${logo}<span>Flight data</span></a>
<nav aria-label="Portal"><a href="${up}#products">Products</a><a href="${up}#guides">Guides</a><a href="${up}errors">Errors</a></nav>
<div class="search" hidden data-root="${up}"><input type="search" aria-label="Search the documentation" placeholder="Search" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list"><kbd aria-hidden="true">/</kbd><div id="found" class="found" role="listbox" aria-label="Found" hidden></div></div>
</header>`;
};

/** Renders a page. */
export const renderPage = ({ path, title, main, aside, kind = 'text', hasTwin = true }: PageParts): PortalPage => {
  const name = kind === 'index' ? title : `${title} · Flight data`;
  const html = `<!doctype html>
<html lang="en">
<head>
${renderHead({ path, title: name, policy: pagePolicy })}
</head>
<body class="${kind}"${path === '404' ? ' data-missing' : ''}>
${renderBar(path)}
<div class="columns">
<main id="main">
${kind === 'index' ? '' : `<h1>${escapeHtml(title)}</h1>\n`}${main}
</main>
${aside === undefined ? '' : `<aside>${aside}</aside>\n`}</div>
<footer><p>Flight data is open and self-hosted. These pages are generated from its API documents.${hasTwin ? ` <a href="${path.split('/').at(-1)}.md">This page as Markdown</a>` : ''}</p></footer>
</body>
</html>
`;
  return { path, html };
};
