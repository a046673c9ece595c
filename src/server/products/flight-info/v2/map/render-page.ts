import { asMarkup, markup, type Markup } from './markup.ts';
import { pageStyle } from './page-style.ts';

/** Reload interval of the page of a flight in the air, seconds. */
const REFRESH_SECONDS = 60;

/** Renders a whole page in the style of the map. */
export const renderPage = (
  { title, bodyClass, refresh }: { readonly title: string; readonly bodyClass: string; readonly refresh: boolean },
  content: Markup,
): string =>
  markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${refresh ? markup`<meta http-equiv="refresh" content="${REFRESH_SECONDS}">` : undefined}
<style>${asMarkup(pageStyle)}</style>
</head>
<body class="${bodyClass}">
${content}
</body>
</html>
`.markup;

/** Renders a page that explains why there is no map. */
export const renderMessagePage = (title: string, detail: string): string =>
  renderPage(
    { title, bodyClass: 'message', refresh: false },
    markup`<main class="alone"><h1>${title}</h1><p>${detail}</p></main>`,
  );
