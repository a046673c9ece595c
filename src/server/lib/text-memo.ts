/** Keeps results by text: the last one or two times `maxEntries` different texts. Longer texts are computed each time. */
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
    if (text.length > maxCharacters) return compute(text);
    const kept = old.get(text) ?? { result: compute(text) };
    if (young.size >= maxEntries) [young, old] = [new Map(), young];
    young.set(text, kept);
    return kept.result;
  };
};
