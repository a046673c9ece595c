import { toList, toJsonObject, type JsonObject } from '#lib/openapi-document.ts';
import { countChecked } from './checker-counts.ts';

export type Page = {
  readonly data: readonly unknown[];
  readonly paging: JsonObject;
};

export const toPage = (body: unknown): Page => {
  const { data, paging } = toJsonObject(body);
  return { data: toList(data), paging: toJsonObject(paging) };
};

const count = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);

export const checkPage = ({ data, paging }: Page, limit: number): readonly string[] => {
  const { totalCount, totalPages, next } = paging;
  const problems: string[] = [];
  const report = (isInvalid: boolean, problem: string): void => void (isInvalid && problems.push(problem));
  report(paging['limit'] !== limit, `paging.limit is ${String(paging['limit'])}, not ${limit}`);
  report(data.length > limit, `${data.length} records in a page of at most ${limit}`);
  report(count(totalCount) < data.length, `${data.length} records of a list of ${String(totalCount)}`);
  const pages = Math.ceil(count(totalCount) / limit);
  report(
    totalPages !== pages,
    `totalPages is ${String(totalPages)}, ${String(totalCount)} records by ${limit} fill ${pages}`,
  );
  report(next !== undefined && data.length === 0, 'an empty page has a next one');
  report(next !== undefined && data.length === totalCount, 'a page with all records has a next one');
  return problems;
};

const cursorName = /^(after|cursor)$/i;

/** Returns the last value of each query parameter with a value, by its name in lower case, without cursors. */
const listQueryValues = (path: string): ReadonlyMap<string, string> =>
  new Map(
    [...new URLSearchParams(path.split('?').slice(1).join('?'))]
      .map(([name, value]) => [name.toLowerCase(), value.trim()] as const)
      .filter(([name, value]) => value !== '' && !cursorName.test(name)),
  );

/** Returns the parameters of a request that the links of its page lose or change; `ignored` is the header of ignored ones. */
export const checkLinks = ({ paging }: Page, path: string, ignored: string | null = null): readonly string[] =>
  ['next', 'previous'].flatMap((link) => {
    const url = paging[link];
    if (typeof url !== 'string') return [];
    countChecked('link');
    const repeated = listQueryValues(url);
    const ignoredNames = (ignored?.match(/[^", ]+/g) ?? []).map((name) => decodeURIComponent(name).toLowerCase());
    return [...listQueryValues(path)]
      .filter(([name]) => !ignoredNames.includes(name))
      .filter(([name, value]) => repeated.get(name) !== value)
      .map(([name, value]) => `paging.${link} does not repeat ${name}=${value}`);
  });

/** Returns path and query of a link, which is absolute. */
export const toRequestPath = (link: unknown): string => {
  const url = new URL(String(link));
  return `${url.pathname}${url.search}`;
};

/** Returns the body of a successful response; throws otherwise. */
type RequestPage = (path: string) => Promise<unknown>;

type RequestedPage = Page & { readonly path?: string };

type ListWalk = { readonly limit: number; readonly pages: readonly RequestedPage[] };

export const walkPages = async (
  requestPage: RequestPage,
  from: string,
  { link, most }: { readonly link: string; readonly most: number },
): Promise<readonly RequestedPage[]> => {
  const pages: RequestedPage[] = [];
  let path: string | undefined = from;
  while (path !== undefined && pages.length < most) {
    const page: RequestedPage = { ...toPage(await requestPage(path)), path };
    pages.push(page);
    path = page.paging[link] === undefined ? undefined : toRequestPath(page.paging[link]);
  }
  return pages;
};

const textsOf = (pages: readonly Page[]): readonly string[] =>
  pages.flatMap(({ data }) => data.map((record) => JSON.stringify(record)));

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Returns errors of a walk over all pages of a list with distinct records. */
export const checkWalk = ({ limit, pages }: ListWalk): readonly string[] => {
  countChecked('walk');
  const problems = pages.flatMap((page, index) =>
    [...checkPage(page, limit), ...checkLinks(page, page.path ?? '')].map((problem) => `page ${index + 1}: ${problem}`),
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

export const withParameter = (path: string, name: string, value: string | number): string =>
  `${path}${path.includes('?') ? '&' : '?'}${name}=${value}`;

type ListOptions = {
  /** The request path without `Limit`. */
  readonly path: string;
  readonly limits: readonly number[];
  /** A limit larger than the list. */
  readonly whole: number;
  /** Whether pages have a `previous` link. */
  readonly hasPrevious: boolean;
};

/** Returns errors of a list that is walked with several limits and, where pages have a `previous` link, backward. */
export const checkList = async (requestPage: RequestPage, { path, limits, whole, hasPrevious }: ListOptions) => {
  const at = async (limit: number, most: number): Promise<ListWalk> => ({
    limit,
    pages: await walkPages(requestPage, withParameter(path, 'Limit', limit), { link: 'next', most }),
  });
  const reference = await at(whole, 2);
  const records = textsOf(reference.pages);
  const problems = [...checkWalk(reference)];
  if (reference.pages.length !== 1) problems.push(`${reference.pages.length} pages in place of one`);
  for (const limit of limits) {
    // Limited, because wrong links could form a loop.
    const walk = await at(limit, Math.ceil(records.length / limit) + 2);
    const report = (problem: string): void => void problems.push(`Limit=${limit}: ${problem}`);
    checkWalk(walk).forEach(report);
    if (!isSame(textsOf(walk.pages), records)) report('other records, or in another order, than in one page');
    if (hasPrevious) (await checkBackwardWalk(requestPage, walk)).forEach(report);
  }
  return problems;
};

const checkBackwardWalk = async (requestPage: RequestPage, { pages }: ListWalk): Promise<readonly string[]> => {
  const last = pages.at(-1);
  if (pages.length < 2 || !last) return [];
  countChecked('backward walk');
  if (!('previous' in last.paging)) return ['the last page has no previous one'];
  const most = pages.length + 1;
  const back = await walkPages(requestPage, toRequestPath(last.paging['previous']), { link: 'previous', most });
  const forth = pages.slice(0, -1).map(({ data }) => data);
  return isSame(back.map(({ data }) => data).toReversed(), forth)
    ? []
    : ['the way back has other pages than the way there'];
};
