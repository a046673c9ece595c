import { beforeAll, describe, expect, test } from 'vitest';
import { addDays, formatDate, localDate } from '#domain/time/dates.ts';
import { toList, type OpenApiOperation } from '#lib/openapi-document.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { listParameters, type Parameter } from '../random/parameter-values.ts';
import type { SendRequest } from '../responses/check-response.ts';
import { checkList, checkPage, toPage, withParameter } from '../responses/envelope.ts';
import { countChecked } from '../responses/checker-counts.ts';
import { EntityTags } from '../responses/entity-tags.ts';
import type { KnownService } from '../services/known-service.ts';
import { listFilters, toQuery, withFilters, type ListFilter } from '../services/list-filters.ts';
import { hasPreviousPages, isList, servedOperations, type ServedDocument } from '../services/served-documents.ts';

export const lists = servedOperations.filter(([, served, operation]) => isList(served, operation));

const get = { method: 'GET', headers: { 'subscription-key': TEST_KEY } };

type ListLocation = { readonly served: ServedDocument; readonly operation: OpenApiOperation };

/** Gets pages from a service; throws if it rejects a request. */
const requestPages =
  (send: SendRequest) =>
  async (path: string): Promise<unknown> => {
    const response = await send(path, get);
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };

const WHOLE = 1000;

/** Walks a list in about three pages of at least some records; returns its records and its errors. */
const walkFiltered = async (
  send: SendRequest,
  { served, operation }: ListLocation,
  { path, least }: { readonly path: string; readonly least: number },
): Promise<{ readonly records: readonly unknown[]; readonly errors: readonly string[] }> => {
  const requestPage = requestPages(send);
  const { data } = toPage(await requestPage(withParameter(path, 'Limit', WHOLE)));
  const limits = [Math.max(least, Math.ceil(data.length / 3))];
  const hasPrevious = hasPreviousPages(served, operation);
  return { records: data, errors: await checkList(requestPage, { path, limits, whole: WHOLE, hasPrevious }) };
};

export const checkWalks = async (send: SendRequest, at: ListLocation, path: string): Promise<readonly string[]> =>
  (await walkFiltered(send, at, { path, least: 2 })).errors;

export const filtersOf = ({ served, operation }: ListLocation): readonly ListFilter[] =>
  listFilters[`${served.name} ${operation.path}`] ?? [];

/** Walks a list with some filters: every page obeys them, and every link repeats them. */
export const checkFilters = async (
  send: SendRequest,
  at: ListLocation & { readonly path: string },
  filters: readonly ListFilter[],
): Promise<{ readonly records: readonly unknown[]; readonly errors: readonly string[] }> => {
  const query = filters.map(([text]) => text);
  const { records, errors } = await walkFiltered(send, at, { path: withFilters(at.path, ...query), least: 1 });
  if (records.length > 1) countChecked('filter');
  const disobeying = records.filter((record) => filters.some(([, obeys]) => !obeys(record)));
  return {
    records,
    errors: [...errors, ...disobeying.map((one) => `not ${query.join('&')}: ${JSON.stringify(one).slice(0, 200)}`)],
  };
};

/** Returns errors of the first page when no limit is requested: it has the default one. */
export const checkDefaultLimit = async (
  send: SendRequest,
  { served, operation }: ListLocation,
  path: string,
): Promise<readonly string[]> => {
  const limit = parametersOf({ served, operation }).find(({ name }) => name === 'Limit');
  countChecked('default limit');
  return checkPage(toPage(await requestPages(send)(path)), Number(limit?.schema['default']));
};

/** Returns the parameters with ranges of dates, how many days a range may have, and the filter that each requires. */
const listDateRanges = (at: ListLocation): readonly (readonly [name: string, days: number, required: string])[] => {
  const dates = parametersOf(at).filter(({ name }) => /Date(Time)?$/.test(name));
  const descriptions = new Map(dates.map(({ name, description }) => [name, description.replaceAll(/\s+/g, ' ')]));
  const readDays = (text = ''): string | undefined => /range can cover (\d+)/.exec(text)?.[1];
  const [first] = [...descriptions.values()].flatMap((text) => readDays(text) ?? []);
  return [...descriptions].flatMap(([name, text]) => {
    const [, other = ''] = /those of `(\w+)`/.exec(text) ?? [];
    const days = readDays(text) ?? readDays(descriptions.get(other)) ?? first;
    const [, required] = /Requires `(\w+)`/.exec(text) ?? [];
    return days === undefined ? [] : [[name, Number(days), required === undefined ? '' : `${required}=JFK&`] as const];
  });
};

const DAY = localDate('2026-06-01');

/** Returns errors of the longest range of dates, which is accepted, and of the next longer one. */
export const checkDateRanges = async (
  send: SendRequest,
  at: ListLocation & { readonly path: string },
): Promise<readonly string[]> => {
  const errors: string[] = [];
  for (const [name, days, required] of listDateRanges(at))
    for (const [length, expected] of [
      [days, '200 []'],
      [days + 1, `400 ["${name}"]`],
    ] as const) {
      countChecked('date range');
      const range = `${required}${name}=${formatDate(DAY)}/${formatDate(addDays(DAY, length - 1))}`;
      const response = await send(withFilters(at.path, range), get);
      const body: { readonly errors?: object } = await response.json();
      const actual = `${response.status} ${JSON.stringify(Object.keys(body.errors ?? {}))}`;
      if (actual !== expected) errors.push(`${length} days of ${name}: ${actual}, not ${expected}`);
    }
  return errors;
};

/** Two limits beyond the end of the list: the bodies differ in `limit` alone, and have the same length. */
const EQUAL_LENGTH_LIMITS = [WHOLE - 2, WHOLE - 1];

/** Returns errors of the entity tags of different bodies of one length, each requested twice; none where the list has no tags. */
export const checkEntityTags = async (send: SendRequest, path: string): Promise<readonly string[]> => {
  const tags = new EntityTags();
  const errors: string[] = [];
  for (const limit of [...EQUAL_LENGTH_LIMITS, ...EQUAL_LENGTH_LIMITS]) {
    const response = await send(withParameter(path, 'Limit', limit), get);
    const tag = response.headers.get('etag');
    if (tag === null) continue;
    countChecked('entity tag');
    errors.push(...tags.add(tag, await response.arrayBuffer()));
  }
  return errors;
};

const parametersOf = ({ served: { contract }, operation }: ListLocation) => listParameters(contract, operation);

/** Parameters of a list that do not select or extend its records. */
const isFilter = ({ name, in: location }: Parameter): boolean =>
  location === 'query' && !/^(version|Limit|After|cursor|Sort)$/i.test(name);

/** Lists `<name>=<value>` of the enumerated values of a parameter. */
const valuesOf = ({ name, schema, items }: Parameter): readonly string[] =>
  toList((items ?? schema)['enum']).map((value) => `${name}=${String(value)}`);

export const testEveryList = (world: () => KnownService): void => {
  describe.each(lists)('%s', (_, served, operation) => {
    const at = { served, operation };
    const send: SendRequest = (path, init) => world().on(served)(path, init);
    let path = '';
    beforeAll(async () => {
      path = await world().wholeList(served, operation);
    });

    test('returns each record once and in a stable order, with any page size and both ways, and ends', async () => {
      const options = { path, limits: [1, 7, 100], whole: WHOLE, hasPrevious: hasPreviousPages(served, operation) };
      expect(await checkList(requestPages(send), options)).toEqual([]);
      expect(await checkDefaultLimit(send, at, path)).toEqual([]);
      const { data } = toPage(await requestPages(send)(withParameter(path, 'Limit', WHOLE)));
      expect(data.length).toBeGreaterThan(2);
    });

    test('accepts the longest documented range of dates and no longer one', async () => {
      expect(await checkDateRanges(send, { ...at, path })).toEqual([]);
    });

    test('has one entity tag for each body', async () => {
      expect(await checkEntityTags(send, path)).toEqual([]);
    });

    const filters = filtersOf(at);
    test('obeys each filter on every page, and each link repeats it', async () => {
      const responses = new Map<string, string>();
      const walked = new Set<string>();
      const errors: string[] = [];
      for (const filter of filters) {
        const result = await checkFilters(send, { ...at, path }, [filter]);
        errors.push(...result.errors.map((error) => `${filter[0]}: ${error}`));
        responses.set(filter[0], JSON.stringify(result.records));
        if (result.records.length === 0) errors.push(`${filter[0]} matches nothing`);
        for (const name of result.records.length > 1 ? Object.keys(toQuery(filter[0])) : []) walked.add(name);
      }
      expect(errors).toEqual([]);
      const declared = parametersOf(at).filter(isFilter);
      const add = 'add a row to test/contract/services/list-filters.ts';
      const missing = declared.map(({ name }) => name).filter((name) => !walked.has(name));
      expect(missing, `filters that no row walks with two records or more: ${add}`).toEqual([]);
      const whole = JSON.stringify(toPage(await requestPages(send)(withParameter(path, 'Limit', WHOLE))).data);
      const all = [whole, ...responses.values()];
      const ignored = [...responses].filter(([, text]) => all.every((other) => other === text)).map(([query]) => query);
      expect(ignored, 'filters that change no result').toEqual([]);
      const queries = filters.map(([query]) => query);
      const tested = new Set(queries.flatMap((query) => query.split('&')));
      // Only some subscriptions have maps; the others get none.
      const untested = declared.flatMap(valuesOf).filter((value) => !tested.has(value) && value !== 'Content=Map');
      expect(untested, `values that no row has: ${add}`).toEqual([]);
    });

    test('obeys several filters at once', async () => {
      const together: ListFilter[] = [];
      for (const filter of filters) {
        const names = new Set(together.flatMap(([query]) => Object.keys(toQuery(query))));
        if (Object.keys(toQuery(filter[0])).some((name) => names.has(name))) continue;
        const more = [...together, filter];
        const query = withFilters(path, ...more.map(([text]) => text), `Limit=${WHOLE}`);
        const response = await send(query, get);
        if (response.ok && toPage(await response.json()).data.length > 1) together.push(filter);
      }
      expect((await checkFilters(send, { ...at, path }, together)).errors).toEqual([]);
      expect(together.length).toBeGreaterThanOrEqual(Math.min(2, filters.length));
    });
  });

  test('lists are found', () => {
    expect(lists.length).toBeGreaterThan(0);
  });
};
