import { intersectMasks, unionMasks, matchPrefix, type KeyIndex, type EntryMask } from './key-index.ts';

/** Letters that have no decomposition, and their usual transcription. */
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

const specialLetterPattern = new RegExp(`[${[...plainLetters.keys()].join('')}]`, 'g');

/** Apostrophes (including the okina) and hyphens, which join parts that users write as two words or one. */
const joiners = `'’‘ʻʼ\`´′‐‑‒–—-`;
const betweenChunks = new RegExp(`[^\\p{L}\\p{N}${joiners}]+`, 'u');
const betweenParts = new RegExp(`[${joiners}]+`);

/** Returns text in lower case without accents: São Paulo is sao paulo, Łódź lodz, Straße strasse. */
export const foldText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(specialLetterPattern, (letter) => plainLetters.get(letter) ?? letter);

/** A word between blanks: its parts, `o` and `hare`, and as one word, `ohare`. */
export type NameChunk = { readonly parts: readonly string[]; readonly joined: string };

/** Splits a name into folded words; those without a letter or digit are dropped. */
const splitName = (name: string): readonly NameChunk[] =>
  foldText(name)
    .split(betweenChunks)
    .map((chunk) => chunk.split(betweenParts).filter((part) => part !== ''))
    .filter((parts) => parts.length > 0)
    .map((parts) => ({ parts, joined: parts.join('') }));

/** Lists all words by which a name can be found. */
export const listWords = (name: string): readonly string[] => [
  ...new Set(splitName(name).flatMap(({ parts, joined }) => (parts.length > 1 ? [...parts, joined] : parts))),
];

/** Returns whether each word of a query is a prefix of a word of the name, as one word or part by part. A query without words matches nothing. */
export const matchesName = (words: readonly string[], query: string): boolean => {
  const hasPrefix = (text: string): boolean => words.some((word) => word.startsWith(text));
  const chunks = splitName(query);
  return chunks.length > 0 && chunks.every(({ parts, joined }) => hasPrefix(joined) || parts.every(hasPrefix));
};

const matchName = (index: KeyIndex, query: string): EntryMask => {
  const chunks = splitName(query).map(({ parts, joined }) => {
    const asOne = matchPrefix(index, joined);
    return parts.length === 1
      ? asOne
      : unionMasks([asOne, intersectMasks(parts.map((part) => matchPrefix(index, part)))]);
  });
  return chunks.length === 0 ? new Uint8Array(index.count) : intersectMasks(chunks);
};

/** Matches entries by any of one or more queries, in an index of entries by their words. */
export const matchNames = (index: KeyIndex, queries: readonly string[]): EntryMask =>
  unionMasks(queries.map((query) => matchName(index, query)));
