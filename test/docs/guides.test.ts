import { expect, test } from 'vitest';
import { problemKinds } from '../../src/http/response/problem.ts';
import { findMismatches } from './example-mismatches.ts';
import { guideOrder, guides, type Guide } from './guide.ts';

const toId = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(/\s+/g, '-');
const listHeadingIds = ({ text }: Guide) => [...text.matchAll(/^#{2,6} (.+)$/gm)].map(([, title = '']) => toId(title));

test('the guides are all in order.txt, once', () => {
  expect(guideOrder.toSorted()).toEqual(guides.map(({ name }) => name));
});

test.each(guides)('the guide $name starts with its only title', ({ text }) => {
  expect(text.startsWith('# ')).toBe(true);
  expect(text.replaceAll(/^```.*?^```$/gms, '').match(/^# /gm)).toHaveLength(1);
});

test('the guides link to existing guides and headings', () => {
  const targets = new Map(guides.map((guide) => [guide.name, listHeadingIds(guide)]));
  const brokenLinks = guides.flatMap(({ name, text }) =>
    [...text.matchAll(/\]\(([\w-]+\.md|)(?:#([\w-]+))?\)/g)]
      .filter(([, file, id]) => {
        const ids = targets.get(file || name);
        return ids === undefined || (id !== undefined && !ids.includes(id));
      })
      .map(([link]) => `${name}: ${link}`),
  );
  expect(brokenLinks).toEqual([]);
});

test('the guides link only to guides and https URLs', () => {
  const otherLinks = guides.flatMap(({ name, text }) =>
    [...text.matchAll(/\]\(([^)]*)\)/g)]
      .filter(([, target = '']) => !/^(?:[\w-]+\.md)?(?:#[\w-]+)?$/.test(target) && !target.startsWith('https://'))
      .map(([link]) => `${name}: ${link}`),
  );
  expect(otherLinks).toEqual([]);
});

const errors = guides.find(({ name }) => name === 'errors.md')?.text ?? '';
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
])('a response shown with %s', (_, shown, mismatches) => {
  expect(findMismatches(shown, real)).toEqual(mismatches);
});
