/** The URLs of other pages in a response. */
type PageLinks = { readonly next?: string | undefined; readonly previous?: string | undefined };

/** A page of a list. */
export type ListPage<T> = { readonly data: readonly T[]; readonly paging: PageLinks };

/** A list to iterate. Each iteration requests pages again, and only as many as are consumed. */
export type Pages<T, Page> = AsyncIterable<T> & {
  /** Iterates over whole pages, with their counts, instead of records. */
  readonly pages: () => AsyncGenerator<Page, void, undefined>;
} & BackwardPages<Page>;

/** Added to lists whose pages have a `previous` link. */
type BackwardPages<Page> = Page extends { readonly paging: infer Paging }
  ? 'previous' extends keyof Paging
    ? {
        /** Iterates backward from the `paging.previous` of a page; the records of each page keep their order. */
        readonly pagesBack: (previous: string) => AsyncGenerator<Page, void, undefined>;
      }
    : unknown
  : unknown;

export type PageReader<Page> = {
  readonly first: () => Promise<Page>;
  /** Requests the page at a URL from a response. */
  readonly follow: (url: string) => Promise<Page>;
};

/** Creates an iterable list that follows `paging.next`, or `paging.previous` backward. */
export const createPages = <T>({ first, follow }: PageReader<ListPage<T>>): Pages<T, ListPage<T>> => {
  type Page = ListPage<T>;
  const walk = async function* (
    start: () => Promise<Page>,
    to: keyof PageLinks,
  ): AsyncGenerator<Page, void, undefined> {
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
