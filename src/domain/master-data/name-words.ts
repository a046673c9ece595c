import { intersectMasks, unionMasks, matchPrefix, type KeyIndex, type EntryMask } from './key-index.ts';

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

const specialLetterPattern = new RegExp(`[${[...plainLetters.keys()].join('')}]`, 'g');

/** Apostrophes, the okina among them, and hyphens of all lengths: they join what could as well be two words or one. */
const joiners = `'’‘ʻʼ\`´′‐‑‒–—-`;
const betweenChunks = new RegExp(`[^\\p{L}\\p{N}${joiners}]+`, 'u');
const betweenParts = new RegExp(`[${joiners}]+`);

/** Text in lower case without accents: São Paulo is sao paulo, Łódź lodz, Straße strasse. */
export const foldText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(specialLetterPattern, (letter) => plainLetters.get(letter) ?? letter);

/** What stands between blanks: its parts, `o` and `hare`, and as one word, `ohare`. */
export type NameChunk = { readonly parts: readonly string[]; readonly joined: string };

/** The chunks of a name, folded; those without a letter or digit are none. */
export const splitName = (name: string): readonly NameChunk[] =>
  foldText(name)
    .split(betweenChunks)
    .map((chunk) => chunk.split(betweenParts).filter((part) => part !== ''))
    .filter((parts) => parts.length > 0)
    .map((parts) => ({ parts, joined: parts.join('') }));

/** Every word under which a name can be found. */
export const listWords = (name: string): readonly string[] => [
  ...new Set(splitName(name).flatMap(({ parts, joined }) => (parts.length > 1 ? [...parts, joined] : parts))),
];

/** Whether each chunk of a query begins a word of the name, as one word or part by part. A query without words finds nothing. */
export const matchesName = (words: readonly string[], query: string): boolean => {
  const begins = (text: string): boolean => words.some((word) => word.startsWith(text));
  const chunks = splitName(query);
  return chunks.length > 0 && chunks.every(({ parts, joined }) => begins(joined) || parts.every(begins));
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

/** Marks the entries that any of some queries means, in an index of entries by their words. There must be a query at least. */
export const matchNames = (index: KeyIndex, queries: readonly string[]): EntryMask =>
  unionMasks(queries.map((query) => matchName(index, query)));
