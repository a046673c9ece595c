/** The URLs of other pages, as an answer gives them. */
type Links = { readonly next?: string | undefined; readonly previous?: string | undefined };

/** A page of a list, as its document has it. */
export type AnyPage<T> = { readonly data: readonly T[]; readonly paging: Links };

/** A list to walk. Each walk asks anew, and only as far as it is taken. */
export type Pages<T, Page> = AsyncIterable<T> & {
  /** Whole pages, with their counts, in place of single records. */
  readonly pages: () => AsyncGenerator<Page, void, undefined>;
} & WayBack<Page>;

/** What the lists have whose pages name the one before. */
type WayBack<Page> = Page extends { readonly paging: infer Paging }
  ? 'previous' extends keyof Paging
    ? {
        /** The page at the `paging.previous` of a page, then those before it; the records of each in their own order. */
        readonly pagesBack: (previous: string) => AsyncGenerator<Page, void, undefined>;
      }
    : unknown
  : unknown;

export type PageReader<Page> = {
  readonly first: () => Promise<Page>;
  /** Reads the page at a URL that an answer gave. */
  readonly follow: (url: string) => Promise<Page>;
};

/** Walks a list from its first page on along `paging.next`, or back along `paging.previous`, until there is none. */
export const newPages = <T>({ first, follow }: PageReader<AnyPage<T>>): Pages<T, AnyPage<T>> => {
  type Page = AnyPage<T>;
  const walk = async function* (start: () => Promise<Page>, to: keyof Links): AsyncGenerator<Page, void, undefined> {
    let page = await start();
    yield page;
    for (let url = page.paging[to]; url !== undefined; url = page.paging[to]) {
      page = await follow(url);
      yield page;
    }
  };
  const pages = (): AsyncGenerator<Page, void, undefined> => walk(first, 'next');
  return {
    pages,
    pagesBack: (previous) => walk(() => follow(previous), 'previous'),
    [Symbol.asyncIterator]: async function* () {
      for await (const { data } of pages()) yield* data;
    },
  };
};
