import { hash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toList, toJsonObject, type JsonObject } from '../lib/openapi-document.ts';
import { runTool } from '../contract/run-tool.ts';
import { withSamples } from './code-samples.ts';
import { escapeHtml, wayUp } from './html.ts';
import { barOf, headOf, pagePolicy } from './page.ts';
import { stageOf, datesOf } from './stages.ts';
import type { VersionSource } from './sources.ts';

/** A reference page and the script that brings it to life, which holds the document. */
export type ReferencePage = { readonly path: string; readonly html: string; readonly script: string };

/** Redoc writes its rules into the page as it goes, and its signs are a font within them. */
const policyOf = (inline: readonly string[]): string =>
  pagePolicy
    .replace(
      `script-src 'self'`,
      `script-src 'self' ${inline.map((one) => `'sha256-${hash('sha256', one, 'base64')}'`).join(' ')}`,
    )
    .replace(`style-src 'self'`, `style-src 'self' 'unsafe-inline'; font-src data:`);

/** What stands above the reference: which version it is, until when it answers, and what comes after it. */
const bannerOf = ({ product, version }: VersionSource): string => {
  const path = `${product.product}/${version.version}`;
  const up = wayUp(path);
  const next =
    version.successor === undefined
      ? ''
      : ` Its successor is <a href="${up}${product.product}/${version.successor}">${escapeHtml(version.successor)}</a>: <a href="${up}${path}/migration">how to move</a>.`;
  const links = [
    `<a href="${up}${product.product}/changes">Changes</a>`,
    `<a href="${up}../openapi/${path}.yaml">OpenAPI document</a>`,
  ];
  return `<div class="banner${version.deprecatedOn === undefined ? '' : ' ending'}"><p><strong>${escapeHtml(product.title)} ${escapeHtml(version.version)}</strong> ${stageOf(version)} <span>${datesOf(version)}.${next}</span></p><p>${links.join(' · ')}</p></div>`;
};

/** The pictures that Redoc would fetch from elsewhere: its maker's mark, in the whole menu and in the folded one. */
const logos = /https:\/\/cdn\.redoc\.ly\/[\w./-]+/g;
const NOTHING = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')}`;

/** A text of Redoc's that fetches nothing from other servers. */
export const withoutLogo = (text: string): string => text.replaceAll(logos, NOTHING);

const TEMPLATE = '<!doctype html><html><head>{{{redocHead}}}</head><body>{{{redocHTML}}}</body></html>';

const between = (text: string, start: string, end: string): string => {
  const from = text.indexOf(start);
  const to = text.lastIndexOf(end);
  if (from < 0 || to < from)
    throw new Error(`the reference has no '${start}' before a '${end}': Redoc writes another page than before`);
  return text.slice(from + start.length, to);
};

/**
 * Takes apart the page that Redoc writes: its rules and its elements go into a page of ours, its script into a file, with the library from
 * beside it and not from its maker's servers.
 */
const adopt = (source: VersionSource, written: string): ReferencePage => {
  const path = `${source.product.product}/${source.version.version}`;
  const up = wayUp(path);
  const head = between(written, '<head>', '</head>').replace(/<link rel="modulepreload"[^>]*>/, '');
  // What is drawn ahead links as if the reference had a server of its own; once alive it has its places after the `#`.
  const body = withoutLogo(between(written, '<body>', '<script type="module">')).replaceAll(' href="/', ' href="#/');
  const code = between(written, '<script type="module">', '</script>');
  const script = code.replace(/from "https:\/\/[^"]*redoc\.standalone\.js"/, `from "${up}assets/redoc.standalone.js"`);
  if (script === code) throw new Error('the reference does not load its library from where it used to');
  const inline = [...body.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = '']) => text);
  const html = `<!doctype html>
<html lang="en">
<head>
${headOf({ path, title: `${source.product.title} ${source.version.version} · Flight data`, policy: policyOf(inline) })}
<script type="module" src="${source.version.version}.reference.js"></script>
${head}
</head>
<body class="reference">
${barOf(path)}
${bannerOf(source)}
<noscript><div class="banner"><p>The operations are shown by a script. Without it, they are in the OpenAPI document.</p></div></noscript>
<div id="main">
${body}
</div>
</body>
</html>
`;
  return { path, html, script };
};

const draw = async (source: VersionSource, work: string): Promise<ReferencePage> => {
  const name = `${source.product.product}-${source.version.version}`;
  // Whichever server shows the page, its calls go there.
  const servers = toList(source.document['servers']).map((server) => ({
    ...toJsonObject(server),
    description: 'The server of this page.',
  }));
  const document: JsonObject = { ...withSamples(source), servers };
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
  const { code, output: said } = await runTool('redocly', args);
  if (code !== 0) throw new Error(said);
  return adopt(source, await readFile(output, 'utf8'));
};

/** A Redoc page for each version. Pages are drawn two at a time: each takes a process of its own. */
export const referencePages = async (versions: readonly VersionSource[]): Promise<readonly ReferencePage[]> => {
  const work = await mkdtemp(join(tmpdir(), 'portal-'));
  try {
    await writeFile(join(work, 'redocly.yaml'), JSON.stringify({ telemetry: 'off' }));
    await writeFile(join(work, 'page.hbs'), TEMPLATE);
    const half = Math.ceil(versions.length / 2);
    const drawn = await Promise.all(
      [versions.slice(0, half), versions.slice(half)].map(async (part) => {
        const pages: ReferencePage[] = [];
        for (const source of part) pages.push(await draw(source, work));
        return pages;
      }),
    );
    return drawn.flat();
  } finally {
    await rm(work, { recursive: true });
  }
};
