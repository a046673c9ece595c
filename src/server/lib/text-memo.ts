import { canHoldKey } from './key-form.ts';

/**
 * Keeps results by text: the last one or two times `maxEntries` different texts. Longer texts are computed each time, and so are those that can
 * hold a key: memory keeps no secret that a client sent in a URL.
 */
export type TextMemoOptions = { readonly maxEntries?: number; readonly maxCharacters?: number };

/**
 * Returns a pure function of a text that keeps its results. Clients repeat few URLs: what is read from one is computed once.
 *
 * @example const countNames = memoizeText((query) => query.split('&').length)
 */
export const memoizeText = <Result>(
  compute: (text: string) => Result,
  { maxEntries = 1024, maxCharacters = 512 }: TextMemoOptions = {},
): ((text: string) => Result) => {
  let [young, old] = [new Map<string, { readonly result: Result }>(), new Map<string, { readonly result: Result }>()];
  return (text) => {
    const known = young.get(text);
    if (known) return known.result;
    const older = old.get(text);
    if (!older && (text.length > maxCharacters || canHoldKey(text))) return compute(text);
    const kept = older ?? { result: compute(text) };
    if (young.size >= maxEntries) [young, old] = [new Map(), young];
    young.set(text, kept);
    return kept.result;
  };
};
