import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { serviceVariables } from '#config.ts';
import { root } from '#contract/run-tool.ts';
import { statusMessageSchema } from '#feeds/status/message-schema.ts';
import { listOperations, resolveReference, toJsonObject, toList, type JsonObject } from '#lib/openapi-document.ts';

const readPage = (path: string): string => readFileSync(join(root, 'docs', path), 'utf8');

/** The words in code font of a text. */
const listCodes = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** The rows of the first table of a page below a text, each with its cells. */
const readRows = (page: string, below: string): string[][] => {
  const tables = page.slice(page.indexOf(below)).split('\n\n');
  const [, , ...rows] = tables.find((block) => block.startsWith('| '))?.split('\n') ?? [];
  return rows.map((row) => row.split('|').slice(1, -1));
};

const status = toJsonObject(z.toJSONSchema(statusMessageSchema, { io: 'input' }));
const flightForms = toList(toJsonObject(toJsonObject(status['$defs'])['Flight'])['anyOf']).map((form) =>
  Object.keys(toJsonObject(toJsonObject(form)['properties'])),
);

/** The names of all members within a schema of the status feed; a flight has a table of its own. */
const listMembers = (schema: unknown): string[] => {
  if (schema === undefined) return [];
  if (Array.isArray(schema)) return schema.flatMap(listMembers);
  const { $ref: reference, properties, items, anyOf } = toJsonObject(schema);
  if (typeof reference === 'string' && !reference.endsWith('/Flight'))
    return listMembers(resolveReference(status, schema));
  const names = Object.entries(toJsonObject(properties)).flatMap(([name, one]) => [name, ...listMembers(one)]);
  return [...names, ...[items, anyOf].flatMap(listMembers)];
};

test('defaults that pages repeat, as in `NAME` (default 1), are those of the configuration', () => {
  const defaults = new Map(serviceVariables.map(({ name, defaultText = '' }) => [name, defaultText]));
  const repeated = globSync(['*.md', 'docs/**/*.md', 'spec/*/*.md'], { cwd: root }).flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/\b([A-Z][A-Z_]+)`? \(default ([^);]+)/g)].flatMap(
      ([, name = '', text = '']) => (defaults.has(name) ? [{ page, name, text: text.replaceAll(',', '') }] : []),
    ),
  );
  expect(repeated.length).toBeGreaterThan(7);
  expect(repeated).toEqual(repeated.map((each) => ({ ...each, text: defaults.get(each.name) })));
});

test('limits that the contract names, as in (100 by default), are those of the configuration', () => {
  const defaults = new Map(serviceVariables.map(({ name, defaultText = '' }) => [name, defaultText]));
  const named = globSync('spec/*/v*/*.yaml', { cwd: root })
    .toSorted()
    .flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/\(([\d,]+) by default\)/g)].map(([, text = '']) => [
        page.split('/').at(-1),
        text.replaceAll(',', ''),
      ]),
    );
  expect(named).toEqual(
    [
      ['endpoints.yaml', 'LIMIT_ENDPOINTS'],
      ['openapi.yaml', 'LIMIT_ACCOUNTS'],
      ['openapi.yaml', 'LIMIT_ALERTS'],
      ['pull.yaml', 'LIMIT_STREAMS'],
    ].map(([page = '', name = '']) => [page, defaults.get(name)]),
  );
});

test('the page of status messages has a row for each member, which names all members in it and no others', () => {
  const rows = readRows(readPage('reference/status-messages.md'), '## Message members');
  const members = Object.entries(toJsonObject(status['properties']));
  expect(rows.map(([name = '']) => listCodes(name)[0])).toEqual(members.map(([name]) => name));
  const all = new Set([...listMembers(status), 'feed', 'true']);
  for (const [index, [name, schema]] of members.entries()) {
    const named = listCodes(rows[index]?.[1] ?? '');
    expect([name, listMembers(schema).filter((one) => !named.includes(one))]).toEqual([name, []]);
    expect([name, named.filter((one) => !all.has(one))]).toEqual([name, []]);
  }
});

test('the page of status messages has the members of each form of a flight', () => {
  const rows = readRows(readPage('reference/status-messages.md'), '## Identify the flight');
  expect(rows.map(([members = '']) => listCodes(members))).toEqual(flightForms);
});

type PagedList = { readonly product: string; readonly members: string[]; readonly parameters: ReadonlySet<string> };

/** The names of the properties of a schema and of its parts. */
const listProperties = (document: JsonObject, schema: unknown): string[] => {
  const { properties, allOf } = toJsonObject(resolveReference(document, schema));
  return [...Object.keys(toJsonObject(properties)), ...toList(allOf).flatMap((part) => listProperties(document, part))];
};

/** The lists with pages of all documents: the members of `paging`, and the parameters that select a page. */
const listPagedLists = (): readonly PagedList[] =>
  globSync('generated/*/*/openapi.json', { cwd: root }).flatMap((file) => {
    const document = toJsonObject(JSON.parse(readFileSync(join(root, file), 'utf8')));
    const resolve = (value: unknown): JsonObject => toJsonObject(resolveReference(document, value));
    return listOperations(document).flatMap(({ operation, parameters }) => {
      const { content } = resolve(toJsonObject(operation['responses'])['200']);
      const page = resolve(toJsonObject(toJsonObject(content)['application/json'])['schema']);
      const paging = toJsonObject(page['properties'])['paging'];
      const selecting = parameters.filter(({ name }) => /^(limit|after|cursor)$/i.test(String(name)));
      const texts = selecting.map(({ name, schema }) => {
        const { default: byDefault, maximum } = resolve(schema);
        const code = `\`${String(name)}\``;
        return typeof maximum === 'number' ? `${code}, ${String(byDefault)} by default, maximum ${maximum}` : code;
      });
      const product = String(toJsonObject(document['info'])['title']);
      return paging ? [{ product, members: listProperties(document, paging), parameters: new Set(texts) }] : [];
    });
  });

test('the page of pagination has the members of paging, and the parameters of each product', () => {
  const page = readPage('how-to/pagination.md');
  const lists = listPagedLists();
  const memberOf = new Map(readRows(page, '# Pagination').map(([name = '', text = '']) => [listCodes(name)[0], text]));
  expect(new Set(memberOf.keys())).toEqual(new Set(lists.flatMap(({ members }) => members)));
  const [, limit = ''] = /: the value of (.*?) *$/.exec(memberOf.get('limit') ?? '') ?? [];
  const cursorOf = new Map(
    readRows(page, 'The cursor parameter').flatMap(([products = '', cursor = '']) =>
      products.split(',').map((product) => [product.trim(), cursor.trim()] as const),
    ),
  );
  const previous = / in (\w+) only/.exec(memberOf.get('previous') ?? '')?.[1];
  expect(lists.map(({ product, parameters, members }) => [product, parameters, members.includes('previous')])).toEqual(
    lists.map(({ product }) => [product, new Set([limit, cursorOf.get(product)]), product === previous]),
  );
  expect(new Set(cursorOf.keys())).toEqual(new Set(lists.map(({ product }) => product)));
});

test('the kinds of diversion have the same description in every document and page', () => {
  const pages = 'docs/{explanation/flight-keys-and-times,reference/status-messages}.md';
  const files = globSync(['spec/*/v*/*.yaml', 'src/server/feeds/status/message-schema.ts', pages], { cwd: root });
  const described = files.flatMap((file) => {
    // Without line breaks and the quotes of a string over several lines.
    const text = readFileSync(join(root, file), 'utf8')
      .replaceAll(/' \+\s+'/g, '')
      .replaceAll(/\s+/g, ' ');
    return [...text.matchAll(/`InAirReturn`: .*?`Undefined`: [^.]*\./g)].map(([found]) => found);
  });
  expect([described.length, [...new Set(described)]]).toEqual([
    6,
    [
      '`InAirReturn`: back to the departure airport. `TechnicalStop`: a landing on the way, for example to refuel; the flight continues. ' +
        '`Unplanned`: another airport than planned; the flight can continue later or end there. `Undefined`: the airport is not known.',
    ],
  ]);
});
