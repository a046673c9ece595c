import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildKeyIndex } from '#domain/master-data/key-index.ts';
import { matchesName, matchNames, listWords } from '#domain/master-data/name-words.ts';

describe('finds a name by its words', () => {
  test.each([
    ['São Paulo/Congonhas', 'sao congon', true],
    ['São Paulo/Congonhas', 'aulo', false],
    ['Köln Bonn', 'koln', true],
    ['Großenhain', 'grossen', true],
    ['Ørsta–Volda', 'orsta volda', true],
    ['Łódź', 'lodz', true],
    ['Nîmes-Alès-Camargue-Cévennes', 'ales cev', true],
    ['Reykjavík Þingeyri', 'thing', true],
    ['Keflavík', 'keflavik', true],
    ['İzmir', 'izmir', true],
    ['Diyarbakır', 'diyarbakir', true],
    ['Çanakkale', 'canak', true],
    ["Chicago O'Hare", "o'hare", true],
    ['Chicago O’Hare', 'hare', true],
    ['Chicago OHare', "o'hare", true],
    ['Saint-Denis', 'saintdenis', true],
    ['Saint Denis', 'saintdenis', false],
    ['Hawaiʻi', 'hawaii', true],
    ['Paris', 'paris orly', false],
    ['北京首都', '北京', true],
    ['Anywhere', '', false],
    ['Anywhere', "- ' !", false],
  ])('%s by %s: %s', (name, query, isMatch) => {
    expect(matchesName(listWords(name), query)).toBe(isMatch);
  });
});

/** Names and queries of few letters, so that they match often. */
const letters = fc.constantFrom('a', 'B', 'ß', 'ø', 'é', 's', 'o', "'", '-', ' ', '/', '3', 'Ł');
const texts = fc.string({ unit: letters, maxLength: 9 });

/** The same rule by naive means: every way to split a name into words, and the prefixes of these. */
const finds = (name: string, query: string): boolean => {
  const plain = (text: string): string =>
    text.toLowerCase().replaceAll('ß', 'ss').replaceAll('ø', 'o').replaceAll('é', 'e').replaceAll('ł', 'l');
  const apart = plain(name).replaceAll(/['/-]/g, ' ');
  const together = plain(name).replaceAll(/['-]/g, '').replaceAll('/', ' ');
  const begins = (word: string): boolean => ` ${apart} ${together}`.includes(` ${word}`);
  const words = plain(query)
    .split(/[ /]+/)
    .filter((word) => /[a-z0-9]/.test(word));
  const isMatched = (word: string): boolean =>
    begins(word.replaceAll(/['-]/g, '')) || word.split(/['-]/).filter(Boolean).every(begins);
  return words.length > 0 && words.every(isMatched);
};

test('the index and the rule find the same names, whatever the words', () => {
  fc.assert(
    fc.property(
      fc.array(texts, { minLength: 1, maxLength: 12 }),
      fc.array(texts, { minLength: 1, maxLength: 3 }),
      (names, queries) => {
        const index = buildKeyIndex(names, listWords);
        const marked = [...matchNames(index, queries)].map((mark) => mark === 1);
        expect(marked).toEqual(names.map((name) => queries.some((query) => finds(name, query))));
        expect(marked).toEqual(names.map((name) => queries.some((query) => matchesName(listWords(name), query))));
      },
    ),
    { numRuns: 500 },
  );
});
