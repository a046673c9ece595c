import { toList, toJsonObject, type JsonObject } from '../../../src/lib/openapi-document.ts';

/** A page of a list, as it came. */
export type Page = {
  readonly data: readonly unknown[];
  readonly paging: JsonObject;
};

export const toPage = (body: unknown): Page => {
  const { data, paging } = toJsonObject(body);
  return { data: toList(data), paging: toJsonObject(paging) };
};

const count = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);

/** What is wrong with a page by itself; `limit` is the one that was asked for. */
export const checkPage = ({ data, paging }: Page, limit: number): readonly string[] => {
  const { totalCount, totalPages, next } = paging;
  const problems: string[] = [];
  const say = (isWrong: boolean, problem: string): void => void (isWrong && problems.push(problem));
  say(paging['limit'] !== limit, `paging.limit is ${String(paging['limit'])}, asked for were ${limit}`);
  say(data.length > limit, `${data.length} records in a page of at most ${limit}`);
  say(count(totalCount) < data.length, `${data.length} records of a list of ${String(totalCount)}`);
  const pages = Math.ceil(count(totalCount) / limit);
  say(
    totalPages !== pages,
    `totalPages is ${String(totalPages)}, ${String(totalCount)} records by ${limit} fill ${pages}`,
  );
  say(next !== undefined && data.length === 0, 'an empty page has a next one');
  say(next !== undefined && data.length === totalCount, 'a page with all records has a next one');
  return problems;
};

/** Where a link leads, as a path of the service that is asked; links name scheme and host, since they are followed as they are. */
export const toRequestPath = (link: unknown): string => {
  const url = new URL(String(link));
  return `${url.pathname}${url.search}`;
};

/** Answers the body of a question that succeeds; throws where it does not. */
export type RequestPage = (path: string) => Promise<unknown>;

export type ListWalk = { readonly limit: number; readonly pages: readonly Page[] };

/** The pages of a list from one on, as far as one kind of link leads, or `most` of them. */
export const walkPages = async (
  ask: RequestPage,
  from: string,
  { link, most }: { readonly link: string; readonly most: number },
): Promise<readonly Page[]> => {
  const pages: Page[] = [];
  let path: string | undefined = from;
  while (path !== undefined && pages.length < most) {
    const page = toPage(await ask(path));
    pages.push(page);
    path = page.paging[link] === undefined ? undefined : toRequestPath(page.paging[link]);
  }
  return pages;
};

const textsOf = (pages: readonly Page[]): readonly string[] =>
  pages.flatMap(({ data }) => data.map((record) => JSON.stringify(record)));

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What is wrong with a walk from the first page of a list to the last, none of whose records is like another. */
export const checkWalk = ({ limit, pages }: ListWalk): readonly string[] => {
  const problems = pages.flatMap((page, index) =>
    checkPage(page, limit).map((problem) => `page ${index + 1}: ${problem}`),
  );
  const records = textsOf(pages);
  const repeated = records.length - new Set(records).size;
  if (repeated > 0) problems.push(`${repeated} records come again`);
  const [first] = pages;
  const total = first?.paging['totalCount'];
  if (pages.some(({ paging }) => paging['totalCount'] !== total)) problems.push('totalCount changes on the way');
  if (records.length !== total)
    problems.push(`${records.length} records are found on the way, totalCount is ${String(total)}`);
  if (first && 'previous' in first.paging) problems.push('the first page has a previous one');
  return problems;
};

/** A question of a list with one more parameter. */
export const withParameter = (path: string, name: string, value: string | number): string =>
  `${path}${path.includes('?') ? '&' : '?'}${name}=${value}`;

export type ListOptions = {
  /** Without a limit. */
  readonly path: string;
  readonly limits: readonly number[];
  /** Larger than the list. */
  readonly whole: number;
  /** Whether the pages of the list lead back. */
  readonly hasPrevious: boolean;
};

/** What is wrong with a list, walked in pages of several sizes and, where its pages lead back, backwards too. */
export const checkList = async (
  ask: RequestPage,
  { path, limits, whole, hasPrevious }: ListOptions,
): Promise<readonly string[]> => {
  const at = async (limit: number, most: number): Promise<ListWalk> => ({
    limit,
    pages: await walkPages(ask, withParameter(path, 'Limit', limit), { link: 'next', most }),
  });
  const reference = await at(whole, 2);
  const records = textsOf(reference.pages);
  const problems = [...checkWalk(reference)];
  if (reference.pages.length !== 1) problems.push(`${reference.pages.length} pages in place of one`);
  for (const limit of limits) {
    // A link that leads nowhere new would be followed for ever.
    const walk = await at(limit, Math.ceil(records.length / limit) + 2);
    const say = (problem: string): void => void problems.push(`Limit=${limit}: ${problem}`);
    checkWalk(walk).forEach(say);
    if (!isSame(textsOf(walk.pages), records)) say('other records, or in another order, than in one page');
    if (hasPrevious) (await backProblems(ask, walk)).forEach(say);
  }
  return problems;
};

/** What is wrong with the way back from the last page of a walk. */
const backProblems = async (ask: RequestPage, { pages }: ListWalk): Promise<readonly string[]> => {
  const last = pages.at(-1);
  if (pages.length < 2 || !last) return [];
  if (!('previous' in last.paging)) return ['the last page has no previous one'];
  const most = pages.length + 1;
  const back = await walkPages(ask, toRequestPath(last.paging['previous']), { link: 'previous', most });
  const forth = pages.slice(0, -1).map(({ data }) => data);
  return isSame(back.map(({ data }) => data).toReversed(), forth)
    ? []
    : ['the way back has other pages than the way there'];
};
