/** Names of parameters that existing programs send, as the fact sheet beside the repository lists them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '#contract/run-tool.ts';
import { serveMock } from '../mock/serve-mock.ts';

const shared = join(root, '../shared');
const isPresent = existsSync(join(shared, 'wire-facts.md'));
const facts = isPresent ? readFileSync(join(shared, 'wire-facts.md'), 'utf8').split(/^#{2,3} /m) : [];

const findSection = (title: string): readonly string[] =>
  facts.find((section) => section.startsWith(title))?.split('\n') ?? [];

/** Names in the first column of the first table of a section. */
const namesOfTable = (title: string): readonly string[] =>
  findSection(title)
    .filter((line) => /^\| [A-Za-z]/.test(line) && !/^\| (Name|Param) \|/.test(line))
    .flatMap((line) => (line.split('|')[1] ?? '').split(','))
    .map((name) => name.trim().split(' ')[0] ?? '');

/** Names with several capitals, and the common short ones, in the lines of a section that list parameters. */
const namesOfLines = (title: string, start: RegExp): readonly string[] =>
  findSection(title)
    .filter((line) => start.test(line))
    .flatMap((line) => line.match(/\b(?:[A-Z][a-z]+(?:[A-Z0-9][a-z0-9]+)+|Limit|Content|After|cursor)\b/g) ?? []);

/** Names in the queries of links. */
const namesOfLinks = (text: string): readonly string[] =>
  (text.match(/https?:[^\s"`]+\?[^\s"`]+/g) ?? []).flatMap((link) => {
    const [, query = ''] = link.split('?');
    return query.split('&').map((pair) => pair.split('=')[0] ?? '');
  });

const samples = isPresent
  ? readdirSync(join(shared, 'wire-samples')).map((file) => readFileSync(join(shared, 'wire-samples', file), 'utf8'))
  : [];

const { send } = serveMock();

test.skipIf(!isPresent).for<readonly [path: string, count: number, names: readonly string[]]>([
  [
    '/flight-instances?version=v2',
    17,
    [...namesOfTable('2.1'), ...namesOfLinks(samples.join('\n')), 'FlightIdentities'],
  ],
  ['/flight-instances?version=1.0', 11, namesOfLines('2b', /^- Params/)],
  [`/flight-instances/2027-03-01/${'0'.repeat(64)}?version=v2`, 2, ['Content', 'version']],
  ['/flights?version=v1', 9, namesOfLines('3.', /^- Params/)],
  ['/flight-connections?version=v1', 20, [...namesOfTable('4.'), ...namesOfLines('4.', /^Seen but wrong/)]],
  ['/locations?version=v1', 6, [...namesOfLines('5.', /^- Locations/), 'version']],
  ['/carriers?version=v1', 6, [...namesOfLines('5.', /^- Carriers/), 'version']],
])('%s accepts the names that programs send (needs ../shared/wire-facts.md)', async ([path, count, sent]) => {
  const names = [...new Set(sent)];
  expect(names.length).toBeGreaterThanOrEqual(count);
  for (const name of names) {
    const spellings = [name, name.toLowerCase(), `${name}[]`];
    for (const spelling of name.toLowerCase() === 'version' ? [] : spellings) {
      const headers = { 'Subscription-Key': 'any', Prefer: 'today=2024-06-01' };
      const response = await send(`${path}&${encodeURIComponent(spelling)}=1`, { headers });
      const text = await response.text();
      expect([path, spelling, response.status === 404 ? text : '']).toEqual([path, spelling, '']);
      expect([path, spelling, /is not a parameter|is a property/.exec(text)]).toEqual([path, spelling, null]);
    }
  }
});
