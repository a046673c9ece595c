import { resolveReference, toList, toJsonObject, type JsonObject } from '../lib/openapi-document.ts';
import { escapeHtml, slugOf, textOf, wayUp } from './html.ts';
import { renderMarkdown, type Section } from './markdown.ts';
import { pageOf, type PortalPage } from './page.ts';
import type { VersionSource } from './sources.ts';

const prose = (value: unknown): string => renderMarkdown(textOf(value), (href) => href).html;

/** The name of the schema that a value refers to, alone or as the one member of an `allOf`. */
const referredBy = (value: unknown): string | undefined => {
  const node = toJsonObject(value);
  const reference = node['$ref'] ?? toJsonObject(toList(node['allOf'])[0])['$ref'];
  return typeof reference === 'string' ? reference.split('/').at(-1) : undefined;
};

const schemaLink = (name: string): string => `<a href="#schema-${slugOf(name)}">${escapeHtml(name)}</a>`;

/** What a value is, in a few words: `string, date-time`, `list of Change`, or the name of its schema. */
const kindOf = (value: unknown): string => {
  const named = referredBy(value);
  if (named !== undefined) return schemaLink(named);
  const schema = toJsonObject(value);
  if (schema['const'] !== undefined) return `always <code>${escapeHtml(JSON.stringify(schema['const']))}</code>`;
  if (schema['type'] === 'array') return `list of ${kindOf(schema['items'])}`;
  const type = Array.isArray(schema['type']) ? schema['type'].join(' or ') : textOf(schema['type']);
  const more = ['format', 'pattern', 'minimum', 'maximum'].flatMap((name) =>
    schema[name] === undefined
      ? []
      : [
          `${name === 'format' ? '' : `${name} `}<code>${escapeHtml(textOf(schema[name]) || JSON.stringify(schema[name]))}</code>`,
        ],
  );
  return [escapeHtml(type), ...more].filter((part) => part !== '').join(', ');
};

const valuesOf = (value: unknown): string => {
  const values = toList(toJsonObject(value)['enum']);
  if (values.length === 0) return '';
  return `<p class="values">${values.map((one) => `<code>${escapeHtml(String(one))}</code>`).join(' ')}</p>`;
};

const membersOf = (schema: JsonObject): string => {
  const required = new Set(toList(schema['required']));
  const rows = Object.entries(toJsonObject(schema['properties'])).map(
    ([name, member]) =>
      `<tr><th scope="row"><code>${escapeHtml(name)}</code>${required.has(name) ? '' : ' <small>optional</small>'}</th><td>${kindOf(member)}</td><td>${prose(toJsonObject(member)['description'])}${valuesOf(member)}</td></tr>`,
  );
  if (rows.length === 0) return '';
  return `<div class="scroll" tabindex="0"><table class="members"><thead><tr><th>Name</th><th>Kind</th><th>Meaning</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
};

const exampleOf = (value: unknown): string => {
  const { name, summary, payload } = toJsonObject(value);
  return `<details><summary>${escapeHtml(textOf(summary) || textOf(name))}</summary><pre tabindex="0"><code>${escapeHtml(JSON.stringify(payload, undefined, 2))}\n</code></pre></details>`;
};

const messageOf = (document: JsonObject, [key, value]: readonly [string, unknown]): string => {
  const message = toJsonObject(resolveReference(document, value));
  const payload = referredBy(message['payload']);
  const headers = toJsonObject(resolveReference(document, message['headers']));
  return `<section><h3 id="message-${slugOf(key)}">${escapeHtml(textOf(message['title']) || key)}</h3>
<p>${escapeHtml(textOf(message['summary']))}${payload === undefined ? '' : ` Its body is a ${schemaLink(payload)}.`}</p>
${prose(message['description'])}
<h4>Headers</h4>
${membersOf(headers)}
<h4>Examples</h4>
${toList(message['examples']).map(exampleOf).join('\n')}
</section>`;
};

const channelOf = (document: JsonObject, [key, value]: readonly [string, unknown]): string => {
  const channel = toJsonObject(value);
  const parameters = Object.entries(toJsonObject(channel['parameters'])).map(
    ([name, one]) =>
      `<tr><th scope="row"><code>${escapeHtml(name)}</code></th><td>${prose(toJsonObject(one)['description'])}${valuesOf(one)}</td></tr>`,
  );
  return `<section><h3 id="channel-${slugOf(key)}">${escapeHtml(textOf(channel['title']) || key)}</h3>
<p><code class="address">${escapeHtml(textOf(channel['address']))}</code></p>
<p>${escapeHtml(textOf(channel['summary']))}</p>
${prose(channel['description'])}
<div class="scroll" tabindex="0"><table class="members"><thead><tr><th>Part</th><th>Meaning</th></tr></thead><tbody>${parameters.join('\n')}</tbody></table></div>
</section>`;
};

const operationOf = ([key, value]: readonly [string, unknown]): string => {
  const operation = toJsonObject(value);
  return `<section><h3 id="operation-${slugOf(key)}">${escapeHtml(textOf(operation['title']) || key)}</h3>
<p>${escapeHtml(textOf(operation['summary']))}</p>
${prose(operation['description'])}
</section>`;
};

const schemaOf = ([name, value]: readonly [string, unknown]): string => {
  const schema = toJsonObject(value);
  const alternatives = [...toList(schema['oneOf']), ...toList(schema['anyOf'])].map(kindOf).join(' or ');
  const kind = alternatives === '' ? kindOf(schema) : alternatives;
  return `<section><h3 id="schema-${slugOf(name)}">${escapeHtml(name)}</h3>
<p class="kind">${kind}</p>
${prose(schema['description'])}${valuesOf(schema)}
${membersOf(schema)}
</section>`;
};

/** The page of the events of a version, and what the search finds there. */
export type EventsPage = { readonly page: PortalPage; readonly sections: readonly Section[] };

/** The page of an AsyncAPI document: its channels, messages with examples, and schemas, as plain HTML. Undefined where there is none. */
export const eventsPage = ({ product, version, asyncapi }: VersionSource): EventsPage | undefined => {
  if (!asyncapi) return undefined;
  const path = `${product.product}/${version.version}/events`;
  const up = wayUp(path);
  const { info, channels, operations, components, servers } = asyncapi;
  const { messages, schemas } = toJsonObject(components);
  const parts = [
    { title: 'Channels', html: Object.entries(toJsonObject(channels)).map((one) => channelOf(asyncapi, one)) },
    { title: 'Operations', html: Object.entries(toJsonObject(operations)).map(operationOf) },
    { title: 'Messages', html: Object.entries(toJsonObject(messages)).map((one) => messageOf(asyncapi, one)) },
    { title: 'Schemas', html: Object.entries(toJsonObject(schemas)).map(schemaOf) },
  ];
  const serverRows = Object.values(toJsonObject(servers)).map((one) => {
    const server = toJsonObject(one);
    return `<li><code>${escapeHtml(textOf(server['protocol']))}</code>: ${escapeHtml(textOf(server['description']))}</li>`;
  });
  const main = `<p><a href="${up}../asyncapi/${product.product}/${version.version}.yaml">AsyncAPI document</a> · <a href="${up}${product.product}/${version.version}">${escapeHtml(product.title)} over HTTP</a></p>
${prose(toJsonObject(info)['description'])}
<ul>${serverRows.join('')}</ul>
${parts.map(({ title, html }) => `<h2 id="${slugOf(title)}">${title}</h2>\n${html.join('\n')}`).join('\n')}`;
  const toc = parts.map(({ title }) => `<li><a href="#${slugOf(title)}">${title}</a></li>`).join('');
  const sections = [
    ...Object.entries(toJsonObject(messages)).map(([key, one]) => ({ id: `message-${slugOf(key)}`, one })),
    ...Object.entries(toJsonObject(schemas)).map(([key, one]) => ({
      id: `schema-${slugOf(key)}`,
      one: { title: key, ...toJsonObject(one) },
    })),
  ].map(({ id, one }) => ({
    id,
    title: textOf(toJsonObject(one)['title']) || id,
    text: `${textOf(toJsonObject(one)['summary'])} ${textOf(toJsonObject(one)['description'])}`.trim(),
  }));
  const title = textOf(toJsonObject(info)['title']) || 'Events';
  const aside = `<nav aria-label="On this page"><h2>On this page</h2><ul>${toc}</ul></nav>`;
  return { page: pageOf({ path, title, main, aside }), sections };
};
