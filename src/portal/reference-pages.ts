import { hash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toList, toJsonObject, type JsonObject } from '#lib/openapi-document.ts';
import { runTool } from '../contract/run-tool.ts';
import { addCodeSamples } from './code-samples/code-samples.ts';
import { escapeHtml, toRootPath } from './html.ts';
import { renderBar, renderHead, pagePolicy } from './page.ts';
import { renderStage, renderDates } from './version-stage.ts';
import type { PortalSources, VersionSource } from './read-sources.ts';

/** A reference page, and its script, which contains the document. */
export type ReferencePage = { readonly path: string; readonly html: string; readonly script: string };

/** Returns the Content Security Policy of a reference: Redoc adds inline styles, and its icons are a font within them. */
const createPolicy = (inline: readonly string[]): string =>
  pagePolicy
    .replace(
      `script-src 'self'`,
      `script-src 'self' ${inline.map((one) => `'sha256-${hash('sha256', one, 'base64')}'`).join(' ')}`,
    )
    .replace(`style-src 'self'`, `style-src 'self' 'unsafe-inline'; font-src data:`);

/** Renders the menu of all products and versions; the current one is marked. */
const renderSwitcher = (source: VersionSource, versions: readonly VersionSource[]): string => {
  const up = toRootPath(`${source.product.product}/${source.version.version}`);
  const items = versions.map((one) => {
    const mark = one === source ? ' aria-current="page"' : '';
    const name = `${one.product.title} ${one.version.version}`;
    return `<li><a href="${up}${one.product.product}/${one.version.version}"${mark}>${escapeHtml(name)}</a> ${renderStage(one.version)}</li>`;
  });
  return `<details class="switcher"><summary>Product and version</summary><ul>${items.join('')}</ul></details>`;
};

/** Renders the banner above the reference: the version, its dates, its successor, and the menu of versions. */
const renderBanner = (source: VersionSource, versions: readonly VersionSource[]): string => {
  const { product, version } = source;
  const path = `${product.product}/${version.version}`;
  const up = toRootPath(path);
  const next =
    version.successor === undefined
      ? ''
      : ` Its successor is <a href="${up}${product.product}/${version.successor}">${escapeHtml(version.successor)}</a>: <a href="${up}${path}/migration">how to move</a>.`;
  const links = [
    `<a href="${up}${product.product}/changes">Changes</a>`,
    `OpenAPI document: <a href="${up}../openapi/${path}.yaml">YAML</a>, <a href="${up}../openapi/${path}.json">JSON</a>`,
    `<a href="${version.version}.md">Markdown</a>`,
  ];
  return `<div class="banner${version.deprecatedOn === undefined ? '' : ' ending'}"><p><strong>${escapeHtml(product.title)} ${escapeHtml(version.version)}</strong> ${renderStage(version)} <span>${renderDates(version)}.${next}</span></p><p>${links.join(' · ')}</p>${renderSwitcher(source, versions)}</div>`;
};

/** Images that Redoc loads from its own servers: the logo in the menu, expanded and collapsed. */
const logos = /https:\/\/cdn\.redoc\.ly\/[\w./-]+/g;
const EMPTY_IMAGE = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')}`;

/** Replaces the images that Redoc loads from its own servers. */
export const removeLogo = (text: string): string => text.replaceAll(logos, EMPTY_IMAGE);

const TEMPLATE = '<!doctype html><html><head>{{{redocHead}}}</head><body>{{{redocHTML}}}</body></html>';

const extractBetween = (text: string, start: string, end: string): string => {
  const from = text.indexOf(start);
  const to = text.lastIndexOf(end);
  if (from < 0 || to < from)
    throw new Error(`the reference has no '${start}' before a '${end}': Redoc writes another page than before`);
  return text.slice(from + start.length, to);
};

/**
 * Converts the page that Redoc writes: its styles and elements go into a page of the portal, its script into a file that loads the local
 * copy of the library.
 */
const convertPage = (source: VersionSource, redocPage: string, versions: readonly VersionSource[]): ReferencePage => {
  const path = `${source.product.product}/${source.version.version}`;
  const up = toRootPath(path);
  const head = extractBetween(redocPage, '<head>', '</head>').replace(/<link rel="modulepreload"[^>]*>/, '');
  // Prerendered links assume that the reference is at the root of a server; its script expects positions after `#`.
  const body = removeLogo(extractBetween(redocPage, '<body>', '<script type="module">')).replaceAll(
    ' href="/',
    ' href="#/',
  );
  const code = extractBetween(redocPage, '<script type="module">', '</script>');
  const script = code.replace(/from "https:\/\/[^"]*redoc\.standalone\.js"/, `from "${up}assets/redoc.standalone.js"`);
  if (script === code) throw new Error('the reference does not load its library from where it used to');
  const inline = [...body.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = '']) => text);
  const html = `<!doctype html>
<html lang="en">
<head>
${renderHead({ path, title: `${source.product.title} ${source.version.version} · Flight data`, policy: createPolicy(inline) })}
<script type="module" src="${source.version.version}.reference.js"></script>
${head}
</head>
<body class="reference">
${renderBar(path)}
${renderBanner(source, versions)}
<noscript><div class="banner"><p>The operations are shown by a script. Without it, they are in the OpenAPI document.</p></div></noscript>
<div id="main">
${body}
</div>
</body>
</html>
`;
  return { path, html, script };
};

const renderReference = async (
  source: VersionSource,
  versions: readonly VersionSource[],
  work: string,
): Promise<ReferencePage> => {
  const name = `${source.product.product}-${source.version.version}`;
  // Example requests go to the server of the page; the URL is replaced when the page is served.
  const servers = toList(source.document['servers']).map((server) => ({
    ...toJsonObject(server),
    description: 'The server of this page.',
  }));
  const document: JsonObject = { ...addCodeSamples(source), servers };
  const [input, output] = [join(work, `${name}.json`), join(work, `${name}.html`)];
  await writeFile(input, JSON.stringify(document));
  const args = [
    'build-docs',
    input,
    '--config',
    join(work, 'redocly.yaml'),
    '-t',
    join(work, 'page.hbs'),
    '-o',
    output,
  ];
  const { code, output: toolOutput } = await runTool('redocly', args);
  if (code !== 0) throw new Error(toolOutput);
  return convertPage(source, await readFile(output, 'utf8'), versions);
};

/** Renders a Redoc page for each version, in two processes at a time. */
export const renderReferencePages = async ({ versions }: PortalSources): Promise<readonly ReferencePage[]> => {
  const work = await mkdtemp(join(tmpdir(), 'portal-'));
  try {
    await writeFile(join(work, 'redocly.yaml'), JSON.stringify({ telemetry: 'off' }));
    await writeFile(join(work, 'page.hbs'), TEMPLATE);
    const half = Math.ceil(versions.length / 2);
    const rendered = await Promise.all(
      [versions.slice(0, half), versions.slice(half)].map(async (part) => {
        const pages: ReferencePage[] = [];
        for (const source of part) pages.push(await renderReference(source, versions, work));
        return pages;
      }),
    );
    return rendered.flat();
  } finally {
    await rm(work, { recursive: true });
  }
};
