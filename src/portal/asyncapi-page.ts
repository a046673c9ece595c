import { resolveReference, toList, toJsonObject, type JsonObject } from '#lib/openapi-document.ts';
import { escapeHtml, toSlug, toText, toRootPath } from './html.ts';
import { renderMarkdown, type PageSection } from './markdown.ts';
import { renderPage, type PortalPage } from './page.ts';
import type { VersionSource } from './read-sources.ts';

const renderText = (value: unknown): string => renderMarkdown(toText(value), (href) => href).html;

/** Returns the name of the schema in `$ref`, alone or as the only item of `allOf`. */
const findSchemaName = (value: unknown): string | undefined => {
  const node = toJsonObject(value);
  const reference = node['$ref'] ?? toJsonObject(toList(node['allOf'])[0])['$ref'];
  return typeof reference === 'string' ? reference.split('/').at(-1) : undefined;
};

const renderSchemaLink = (name: string): string => `<a href="#schema-${toSlug(name)}">${escapeHtml(name)}</a>`;

/** Renders the type of a value: `string, date-time`, `list of Change`, or the name of its schema. */
const renderType = (value: unknown): string => {
  const named = findSchemaName(value);
  if (named !== undefined) return renderSchemaLink(named);
  const schema = toJsonObject(value);
  if (schema['const'] !== undefined) return `always <code>${escapeHtml(JSON.stringify(schema['const']))}</code>`;
  if (schema['type'] === 'array') return `list of ${renderType(schema['items'])}`;
  const type = Array.isArray(schema['type']) ? schema['type'].join(' or ') : toText(schema['type']);
  const more = ['format', 'pattern', 'minimum', 'maximum'].flatMap((name) =>
    schema[name] === undefined
      ? []
      : [
          `${name === 'format' ? '' : `${name} `}<code>${escapeHtml(toText(schema[name]) || JSON.stringify(schema[name]))}</code>`,
        ],
  );
  return [escapeHtml(type), ...more].filter((part) => part !== '').join(', ');
};

const renderValues = (value: unknown): string => {
  const values = toList(toJsonObject(value)['enum']);
  if (values.length === 0) return '';
  return `<p class="values">${values.map((one) => `<code>${escapeHtml(String(one))}</code>`).join(' ')}</p>`;
};

const renderProperties = (schema: JsonObject): string => {
  const required = new Set(toList(schema['required']));
  const rows = Object.entries(toJsonObject(schema['properties'])).map(
    ([name, member]) =>
      `<tr><th scope="row"><code>${escapeHtml(name)}</code>${required.has(name) ? '' : ' <small>optional</small>'}</th><td>${renderType(member)}</td><td>${renderText(toJsonObject(member)['description'])}${renderValues(member)}</td></tr>`,
  );
  if (rows.length === 0) return '';
  return `<div class="scroll" tabindex="0"><table class="members"><thead><tr><th>Name</th><th>Kind</th><th>Meaning</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
};

const renderExample = (value: unknown): string => {
  const { name, summary, payload } = toJsonObject(value);
  return `<details><summary>${escapeHtml(toText(summary) || toText(name))}</summary><pre tabindex="0"><code>${escapeHtml(JSON.stringify(payload, undefined, 2))}\n</code></pre></details>`;
};

const renderMessage = (document: JsonObject, [key, value]: readonly [string, unknown]): string => {
  const message = toJsonObject(resolveReference(document, value));
  const payload = findSchemaName(message['payload']);
  const headers = toJsonObject(resolveReference(document, message['headers']));
  return `<section><h3 id="message-${toSlug(key)}">${escapeHtml(toText(message['title']) || key)}</h3>
<p>${escapeHtml(toText(message['summary']))}${payload === undefined ? '' : ` Its body is a ${renderSchemaLink(payload)}.`}</p>
${renderText(message['description'])}
<h4>Headers</h4>
${renderProperties(headers)}
<h4>Examples</h4>
${toList(message['examples']).map(renderExample).join('\n')}
</section>`;
};

const renderChannel = (document: JsonObject, [key, value]: readonly [string, unknown]): string => {
  const channel = toJsonObject(value);
  const parameters = Object.entries(toJsonObject(channel['parameters'])).map(
    ([name, one]) =>
      `<tr><th scope="row"><code>${escapeHtml(name)}</code></th><td>${renderText(toJsonObject(one)['description'])}${renderValues(one)}</td></tr>`,
  );
  return `<section><h3 id="channel-${toSlug(key)}">${escapeHtml(toText(channel['title']) || key)}</h3>
<p><code class="address">${escapeHtml(toText(channel['address']))}</code></p>
<p>${escapeHtml(toText(channel['summary']))}</p>
${renderText(channel['description'])}
<div class="scroll" tabindex="0"><table class="members"><thead><tr><th>Part</th><th>Meaning</th></tr></thead><tbody>${parameters.join('\n')}</tbody></table></div>
</section>`;
};

const renderOperation = ([key, value]: readonly [string, unknown]): string => {
  const operation = toJsonObject(value);
  return `<section><h3 id="operation-${toSlug(key)}">${escapeHtml(toText(operation['title']) || key)}</h3>
<p>${escapeHtml(toText(operation['summary']))}</p>
${renderText(operation['description'])}
</section>`;
};

const renderSchema = ([name, value]: readonly [string, unknown]): string => {
  const schema = toJsonObject(value);
  const alternatives = [...toList(schema['oneOf']), ...toList(schema['anyOf'])].map(renderType).join(' or ');
  const kind = alternatives === '' ? renderType(schema) : alternatives;
  return `<section><h3 id="schema-${toSlug(name)}">${escapeHtml(name)}</h3>
<p class="kind">${kind}</p>
${renderText(schema['description'])}${renderValues(schema)}
${renderProperties(schema)}
</section>`;
};

/** The page of the events of a version, and its sections for the search. */
export type EventsPage = {
  readonly page: PortalPage;
  readonly sections: readonly PageSection[];
  readonly markdown: string;
};

/** Renders an AsyncAPI document: channels, operations, messages with examples, and schemas. Undefined without one. */
export const renderEventsPage = ({ product, version, asyncapi }: VersionSource): EventsPage | undefined => {
  if (!asyncapi) return undefined;
  const path = `${product.product}/${version.version}/events`;
  const up = toRootPath(path);
  const { info, channels, operations, components, servers } = asyncapi;
  const { messages, schemas } = toJsonObject(components);
  const parts = [
    { title: 'Channels', html: Object.entries(toJsonObject(channels)).map((one) => renderChannel(asyncapi, one)) },
    { title: 'Operations', html: Object.entries(toJsonObject(operations)).map(renderOperation) },
    { title: 'Messages', html: Object.entries(toJsonObject(messages)).map((one) => renderMessage(asyncapi, one)) },
    { title: 'Schemas', html: Object.entries(toJsonObject(schemas)).map(renderSchema) },
  ];
  const serverRows = Object.values(toJsonObject(servers)).map((one) => {
    const server = toJsonObject(one);
    return `<li><code>${escapeHtml(toText(server['protocol']))}</code>: ${escapeHtml(toText(server['description']))}</li>`;
  });
  const main = `<p><a href="${up}../asyncapi/${product.product}/${version.version}.yaml">AsyncAPI document</a> · <a href="${up}${product.product}/${version.version}">${escapeHtml(product.title)} over HTTP</a></p>
${renderText(toJsonObject(info)['description'])}
<ul>${serverRows.join('')}</ul>
${parts.map(({ title, html }) => `<h2 id="${toSlug(title)}">${title}</h2>\n${html.join('\n')}`).join('\n')}`;
  const toc = parts.map(({ title }) => `<li><a href="#${toSlug(title)}">${title}</a></li>`).join('');
  const sections = [
    ...Object.entries(toJsonObject(messages)).map(([key, one]) => ({ id: `message-${toSlug(key)}`, one })),
    ...Object.entries(toJsonObject(schemas)).map(([key, one]) => ({
      id: `schema-${toSlug(key)}`,
      one: { title: key, ...toJsonObject(one) },
    })),
  ].map(({ id, one }) => ({
    id,
    title: toText(toJsonObject(one)['title']) || id,
    text: `${toText(toJsonObject(one)['summary'])} ${toText(toJsonObject(one)['description'])}`.trim(),
  }));
  const title = toText(toJsonObject(info)['title']) || 'Events';
  const aside = `<nav aria-label="On this page"><h2>On this page</h2><ul>${toc}</ul></nav>`;
  const texts = sections.map((section) => `## ${section.title}\n\n${section.text}\n`);
  const markdown = `# ${title}\n\n${toText(toJsonObject(info)['description'])}\n${texts.join('\n')}`;
  return { page: renderPage({ path, title, main, aside }), sections, markdown };
};
