/** An interner: equal texts get the same number, from 0. */
export type Interner = { readonly idOf: (text: string) => number; readonly texts: () => readonly string[] };

/** Creates an empty interner. */
export const createInterner = (): Interner => {
  const ids = new Map<string, number>();
  const texts: string[] = [];
  return {
    idOf: (text) => {
      const known = ids.get(text);
      if (known !== undefined) return known;
      ids.set(text, texts.length);
      texts.push(text);
      return texts.length - 1;
    },
    texts: () => texts,
  };
};
