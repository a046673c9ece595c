import { allOf, anyOf, markBeginnings, type KeyIndex, type Marks } from './key-index.ts';

/** Letters that are no other letter with an accent, and what people without them on the keyboard write. */
const plainLetters: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ı', 'i'],
  ['ħ', 'h'],
  ['ŧ', 't'],
  ['ŋ', 'n'],
  ['ə', 'e'],
  ['ς', 'σ'],
]);

const strangeLetter = new RegExp(`[${[...plainLetters.keys()].join('')}]`, 'g');

/** Apostrophes, the okina among them, and hyphens of all lengths: they join what could as well be two words or one. */
const joiners = `'’‘ʻʼ\`´′‐‑‒–—-`;
const betweenChunks = new RegExp(`[^\\p{L}\\p{N}${joiners}]+`, 'u');
const betweenParts = new RegExp(`[${joiners}]+`);

/** Text in lower case without accents: São Paulo is sao paulo, Łódź lodz, Straße strasse. */
export const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(strangeLetter, (letter) => plainLetters.get(letter) ?? letter);

/** What stands between blanks: its parts, `o` and `hare`, and as one word, `ohare`. */
export type NameChunk = { readonly parts: readonly string[]; readonly joined: string };

/** The chunks of a name, folded; those without a letter or digit are none. */
export const chunksOf = (name: string): readonly NameChunk[] =>
  fold(name)
    .split(betweenChunks)
    .map((chunk) => chunk.split(betweenParts).filter((part) => part !== ''))
    .filter((parts) => parts.length > 0)
    .map((parts) => ({ parts, joined: parts.join('') }));

/** Every word under which a name can be found. */
export const wordsOf = (name: string): readonly string[] => [
  ...new Set(chunksOf(name).flatMap(({ parts, joined }) => (parts.length > 1 ? [...parts, joined] : parts))),
];

/** Whether each chunk of a query begins a word of the name, as one word or part by part. A query without words finds nothing. */
export const isNamed = (words: readonly string[], query: string): boolean => {
  const begins = (text: string): boolean => words.some((word) => word.startsWith(text));
  const chunks = chunksOf(query);
  return chunks.length > 0 && chunks.every(({ parts, joined }) => begins(joined) || parts.every(begins));
};

const markQuery = (index: KeyIndex, query: string): Marks => {
  const chunks = chunksOf(query).map(({ parts, joined }) => {
    const asOne = markBeginnings(index, joined);
    return parts.length === 1 ? asOne : anyOf([asOne, allOf(parts.map((part) => markBeginnings(index, part)))]);
  });
  return chunks.length === 0 ? new Uint8Array(index.count) : allOf(chunks);
};

/** Marks the entries that any of some queries means, in an index of entries by their words. There must be a query at least. */
export const markNamed = (index: KeyIndex, queries: readonly string[]): Marks =>
  anyOf(queries.map((query) => markQuery(index, query)));
