import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '#contract/run-tool.ts';
import { catalog } from '#generated/catalog.ts';
import { problemKinds } from '#http/response/problem.ts';
import type { CatalogProduct } from '#http/router/version-lifecycle.ts';
import { findMismatches } from './example-mismatches.ts';
import { guides, pages, type Guide } from './guide.ts';

const toId = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(/\s+/g, '-');
const listHeadingIds = ({ text }: Guide) => [...text.matchAll(/^#{2,6} (.+)$/gm)].map(([, title = '']) => toId(title));

test.each(pages)('the page $name starts with its only title', ({ text }) => {
  expect(text.startsWith('# ')).toBe(true);
  expect(text.replaceAll(/^```.*?^```$/gms, '').match(/^# /gm)).toHaveLength(1);
});

/** Returns the links of a page to files, with their targets as paths in the project. */
const listLinks = ({ name, text }: Guide) =>
  [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([\w-]+))?\)/g)].map(([link, target = '', id]) => ({
    link: `${name}: ${link}`,
    file: target === '' ? name : posix.join(posix.dirname(name), target),
    id,
  }));

test('all pages link to existing files and headings', () => {
  const headingIds = new Map(pages.map((page) => [page.name, listHeadingIds(page)]));
  const links = pages.flatMap(listLinks);
  const isBroken = ({ file, id }: (typeof links)[number]): boolean =>
    !existsSync(join(root, file)) || (id !== undefined && headingIds.get(file)?.includes(id) === false);
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(isBroken).map(({ link }) => link)).toEqual([]);
});

test('the index of the documentation links to every page', () => {
  const linked = new Set(
    pages
      .filter(({ name }) => name === 'docs/README.md')
      .flatMap(listLinks)
      .map(({ file }) => file),
  );
  const others = pages.filter(({ name }) => name.startsWith('docs/') && !/^docs\/(?:decisions\/|README)/.test(name));
  expect(others.filter(({ name }) => !linked.has(name)).map(({ name }) => name)).toEqual([]);
});

const getText = (name: string): string => pages.find((page) => page.name === name)?.text ?? '';

test('the lists of products in README.md and architecture.md are complete, with their current versions and paths', () => {
  const [readme, architecture] = [getText('README.md'), getText('docs/explanation/architecture.md')];
  const getCurrent = ({ versions }: CatalogProduct): string => versions.find((one) => !one.sunsetOn)?.version ?? '';
  const unlisted = catalog.filter((product) => !readme.includes(`| ${product.title} | ${getCurrent(product)} |`));
  expect(unlisted.map(({ title }) => title)).toEqual([]);
  const keys = /keys create --name acme --products (\S+)/.exec(readme)?.[1]?.split(',') ?? [];
  expect(keys.toSorted()).toEqual(catalog.filter(({ isIngest }) => !isIngest).map(({ product }) => product));
  const paths = catalog.flatMap(({ title, versions }) =>
    versions.flatMap(({ operations }) => operations.map(({ path }) => ({ title, start: `/${path.split('/')[1]}` }))),
  );
  const isListed = ({ title, start }: (typeof paths)[number]): boolean =>
    architecture.split('\n').some((row) => row.startsWith('|') && row.includes(`\`${start}`) && row.includes(title));
  expect(paths.filter((path) => !isListed(path))).toEqual([]);
});

test('the pages of the portal link only to each other, to images and to https URLs', () => {
  const published = new Set(guides.map(({ name }) => name));
  const others = guides
    .flatMap(listLinks)
    .filter(({ file }) => !published.has(file) && !file.startsWith('docs/images/'));
  expect(others.map(({ link }) => link)).toEqual([]);
});

const errors = guides.find(({ name }) => name.endsWith('/errors.md'))?.text ?? '';
const sections = new Map(
  [...errors.matchAll(/^## (.*)\n([^]*?)(?=^## |$(?![^]))/gm)].map(([, kind = '', text = '']) => [kind, text.trim()]),
);

test('the guides have a section for every problem type and no other', () => {
  expect([...sections.keys()].toSorted()).toEqual(Object.keys(problemKinds).toSorted());
});

test.each(Object.entries(problemKinds))(
  'the guides document the status of %s and what to do in one paragraph',
  (kind, one) => {
    const section = sections.get(kind) ?? '';
    expect([section.startsWith(`${one.status}. `), section.includes('\n\n')]).toEqual([true, false]);
    expect(section.length).toBeGreaterThan(150);
  },
);

const real = { id: 'a', days: ['monday', 'friday'], legs: [{ from: 'LHR' }, { from: 'JFK' }], none: [], next: null };

test.each([
  ['the first of its records', { legs: [{ from: 'SYD' }] }, []],
  ['a member that does not exist', { name: 'a' }, ['$.name is shown and is not there']],
  ['a member of another type', { id: 1 }, ['$.id is shown as number and is string']],
  ['null for a value', { id: null }, ['$.id is shown as null and is string']],
  ['a record with an unknown member', { legs: [{ to: 'LHR' }] }, ['$.legs[0].to is shown and is not there']],
  ['records for an empty list', { none: [{ from: 'LHR' }] }, ['$.none is shown with items and has none']],
  ['only some of the values', { days: ['monday'] }, ['$.days is shown with 1 of 2 values']],
])('compares a documented response that contains %s', (_, shown, mismatches) => {
  expect(findMismatches(shown, real)).toEqual(mismatches);
});
