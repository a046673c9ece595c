import { beforeAll, describe, expect, test } from 'vitest';
import { toList, toJsonObject, type OpenApiOperation } from '../../../src/lib/openapi-document.ts';
import { TEST_KEY } from '../../support/tiny-world.ts';
import { checkList, toPage, withParameter } from '../responses/envelope.ts';
import { checkResponse, type SendRequest } from '../responses/check-response.ts';
import type { KnownService } from '../services/known-service.ts';
import {
  withFault,
  removeMember,
  renameFirstMember,
  withBody,
  withHeaders,
  withPaging,
  withRecord,
  withRecords,
  withStatus,
  withUnknownEnumValue,
  withText,
  type ResponseFault,
} from './response-faults.ts';
import { checkPlantedFault } from './tally.ts';
import type { ExpectedResponse, TestRequest } from '../random/valid-requests.ts';
import { isCursor, toParameter } from '../random/parameter-values.ts';
import {
  isList,
  hasPreviousPages,
  findRecordSchema,
  servedOperations,
  type ServedDocument,
} from '../services/served-documents.ts';

/** The name of a fault, the fault, and what is said of it. */
type Planted = readonly [name: string, fault: ResponseFault, says: RegExp];

const number = (value: unknown): number => Number(value);

/** Faults that each answer shows by itself. */
const ofAnswers: readonly Planted[] = [
  ['a header is dropped', withHeaders({ 'api-version': null }), /missing header API-Version/],
  ['another header is dropped', withHeaders({ 'x-request-id': null }), /missing header X-Request-Id/],
  ['a header has another form', withHeaders({ 'api-version': '2.0' }), /header API-Version: .*pattern/],
  ['a header comes that nobody named', withHeaders({ 'x-powered-by': 'luck' }), /undeclared header x-powered-by/],
  ['a browser is invited', withHeaders({ 'access-control-allow-origin': '*' }), /undeclared header access-control/],
  ['another media type', withHeaders({ 'content-type': 'text/json' }), /undeclared media type 'text\/json'/],
  ['a fault of the service', withStatus(500), /answered 500|a fault of the service: 500/],
  ['a status that is not declared', withStatus(203), /undeclared status 203/],
  ['a refusal', withStatus(400), /by the rules it is refused not at all/],
  ['no body', withText(() => ''), /not JSON/],
  ['half a body', withText((text) => text.slice(0, text.length / 2)), /not JSON/],
  ['an extra property', withRecord((record) => ({ ...record, surprise: 1 })), /surprise/],
  ['an extra property of the page', withBody((body) => ({ ...body, surprise: 1 })), /surprise/],
  ['a property under another name', withRecord(renameFirstMember), /Renamed/],
  ['a record that is null', withRecord(() => null), /must be object/],
  ['a page without paging', withBody((body) => removeMember(body, 'paging')), /required property 'paging'/],
  [
    'a count as text',
    withPaging((paging) => ({ ...paging, totalCount: String(paging['totalCount']) })),
    /must be integer/,
  ],
  ['another limit', withPaging((paging) => ({ ...paging, limit: number(paging['limit']) + 1 })), /asked for were 2/],
  [
    'a wrong number of pages',
    withPaging((paging) => ({ ...paging, totalPages: number(paging['totalPages']) + 1 })),
    /fill/,
  ],
  ['a link that is no address', withPaging((paging) => ({ ...paging, next: 'next page' })), /format "uri"/],
  ['too many records', withRecords((records) => [...records, ...records]), /records in a page of at most 2/],
];

/** Faults that only the whole list shows. */
const ofWalks: readonly Planted[] = [
  [
    'the first page has no next one',
    withPaging((paging, path) => (!isWhole(path) && !isLater(path) ? removeMember(paging, 'next') : paging)),
    /records are found on the way/,
  ],
  ['one record more is counted', withPaging((paging) => counted(paging, 1)), /totalCount is/],
  ['one record less is counted', withPaging((paging) => counted(paging, -1)), /records/],
  [
    'the count changes on the way',
    withPaging((paging, path) => (isLater(path) ? counted(paging, 1) : paging)),
    /totalCount changes/,
  ],
  [
    'a page repeats a record',
    withRecords((records, path) => (!isWhole(path) ? [records[0], ...records.slice(0, -1)] : records)),
    /come again/,
  ],
  [
    'a page leaves a record out',
    withRecords((records, path) => (isLater(path) ? records.slice(1) : records)),
    /records are found/,
  ],
  [
    'a page has another order',
    withRecords((records, path) => (!isWhole(path) ? records.toReversed() : records)),
    /another order/,
  ],
  [
    'a link leads back to its own page',
    withPaging((paging, path) => (isLater(path) ? { ...paging, next: `http://service.test${path}` } : paging)),
    /come again/,
  ],
  [
    'the last page has a next one',
    withPaging((paging, path) => ({ ...paging, next: paging['next'] ?? `http://service.test${path}` })),
    /has a next one/,
  ],
  [
    'the first page has a previous one',
    withPaging((paging, path) => (isLater(path) ? paging : { ...paging, previous: `http://service.test${path}` })),
    /has a previous one/,
  ],
];

/** The list in one page, which is what the walks are held against. */
const isWhole = (path: string): boolean => path.includes('Limit=1000');

/** Filters that find several records of a list, but not all, by document and path. */
const filters: Readonly<Record<string, readonly [name: string, value: string]>> = {
  'connections/v1 /flight-connections': ['Leg1CarrierCode', 'ZX'],
  'flight-info/v1 /flight-instances': ['IataCarrierCode', 'XX'],
  'flight-info/v2 /flight-instances': ['CarrierCode', 'XX'],
  'flight-info-alerts/v1 /flight-info-alerts/endpoints/{endpointId}/deliveries': ['Outcome', 'retry'],
  'master-data/v1 /carriers': ['CodeType', 'IATA'],
  'master-data/v1 /equipment': ['Category', 'LandPlane'],
  'master-data/v1 /locations': ['Type', 'Airport'],
  'schedules/v1 /flights': ['IataCarrierCode', 'XX'],
};

const isLater = (path: string): boolean => /[?&](After|cursor)=/i.test(path);

const counted = (paging: object, more: number): Readonly<Record<string, unknown>> => {
  const { totalCount, limit } = toJsonObject(paging);
  const total = number(totalCount) + more;
  return { ...paging, totalCount: total, totalPages: Math.ceil(total / number(limit)) };
};

const get = (path: string, expected: ExpectedResponse = { status: 200 }): TestRequest => ({
  method: 'GET',
  path,
  headers: { 'subscription-key': TEST_KEY },
  body: undefined,
  given: Object.fromEntries([...new URLSearchParams(path.split('?')[1])].map(([name, value]) => [name, [value]])),
  expected,
});

const bodyOf = async (ask: SendRequest, { path, headers }: TestRequest): Promise<unknown> =>
  (await ask(path, { method: 'GET', headers: { ...headers } })).json();

const lists = servedOperations.filter(([, served, operation]) => isList(served, operation));

/** Whether a list can be asked for a part of it; its version and its pages are none. */
const isFiltered = ({ contract }: ServedDocument, { parameters }: OpenApiOperation): boolean =>
  parameters
    .map((one) => toParameter(contract.document, one))
    .some((one) => one.in === 'query' && !['version', 'Limit'].includes(one.name) && !isCursor(one));

/** Plants faults in every list of every document. */
export const testListFaults = (world: () => KnownService): void => {
  test('of every list that has filters, one is known that its links can lose', () => {
    const filtered = lists.filter(([, served, operation]) => isFiltered(served, operation));
    const names = filtered.map(([, { name }, { path }]) => `${name} ${path}`);
    expect(Object.keys(filters).toSorted()).toEqual(names.toSorted());
  });

  describe.each(lists)('%s', (_, served, operation) => {
    const ask: SendRequest = (path, init) => world().on(served)(path, init);
    let whole = '';
    let page = get('');
    beforeAll(async () => {
      whole = await world().wholeList(served, operation);
      page = get(withParameter(whole, 'Limit', 2));
    });
    const judge = (question: TestRequest, fault?: ResponseFault): Promise<readonly string[]> =>
      checkResponse(fault ? withFault(ask, fault) : ask, { served, operation }, question);

    test('its own answer is right', async () => {
      expect(await judge(page)).toEqual([]);
    });

    test.each(ofAnswers)('%s, and is found out', async (_, fault, says) => {
      expect(checkPlantedFault(await judge(page, fault), says)).toBe('caught');
    });

    test('a value that is not listed, and is found out', async () => {
      const schema = findRecordSchema(served.contract, operation);
      const { data } = toJsonObject(await bodyOf(ask, page));
      const [record] = toList(data);
      const strange = withUnknownEnumValue(served.contract.document, schema, record);
      // A list without enumerations has none that could be wrong.
      if (strange === undefined) return;
      expect(
        checkPlantedFault(
          await judge(
            page,
            withRecord(() => strange),
          ),
          /allowed values/,
        ),
      ).toBe('caught');
    });

    test('a required property is missing, and is found out', async () => {
      const [required] = toList(toJsonObject(findRecordSchema(served.contract, operation))['required']);
      const found = await judge(
        page,
        withRecord((record) => removeMember(record, String(required))),
      );
      expect(checkPlantedFault(found, new RegExp(`required property '${String(required)}'`))).toBe('caught');
    });

    test('a version tells of another end than it has, and is found out', async () => {
      const isEnding = (await ask(page.path, { method: 'GET', headers: { ...page.headers } })).headers.has(
        'deprecation',
      );
      const faults: readonly ResponseFault[] = isEnding
        ? [
            withHeaders({ deprecation: null }),
            withHeaders({ sunset: null }),
            withHeaders({ sunset: 'Tue, 15 Apr 2025 00:00:00 GMT' }),
          ]
        : [withHeaders({ deprecation: 'true' }), withHeaders({ sunset: 'Mon, 14 Apr 2025 00:00:00 GMT' })];
      for (const fault of faults)
        expect(checkPlantedFault(await judge(page, fault), /header (deprecation|sunset): /)).toBe('caught');
    });

    const isFine: ResponseFault = async () => ask(page.path, { method: 'GET', headers: { ...page.headers } });

    test('what has to be refused is answered, and is found out', async () => {
      const wrong = (path: string, expected: ExpectedResponse): TestRequest => get(path, expected);
      const questions = [
        wrong(withParameter(operation.path, 'version', 'v99'), { status: 404, fault: 'unknown version' }),
        wrong(withParameter(whole, 'Limit', 0), {
          status: 400,
          fault: 'too small',
          parameter: 'Limit',
          isCursor: false,
        }),
        { ...wrong(page.path, { status: 405, fault: 'a method it has not' }), method: 'POST' },
        { ...wrong(page.path, { status: 406, fault: 'a form' }), headers: { ...page.headers, accept: 'text/csv' } },
        { ...wrong(page.path, { status: 401, fault: 'no key' }), headers: {} },
      ];
      for (const question of questions) {
        expect(await judge(question)).toEqual([]);
        expect(checkPlantedFault(await judge(question, isFine), /is answered 200, not 40\d|a 405/)).toBe('caught');
      }
    });

    test('a refusal blames another parameter, and is found out', async () => {
      const question = get(withParameter(whole, 'Limit', 0), {
        status: 400,
        fault: 'too small',
        parameter: 'Limit',
        isCursor: false,
      });
      const elsewhere = withBody((body) => ({ ...body, errors: { Limits: ['must be at least 1'] } }));
      expect(await judge(question, elsewhere)).toEqual([`'too small' of Limit is refused for ["Limits"]`]);
      const anotherTrace = withBody((body) => ({ ...body, traceId: '0'.repeat(32) }));
      expect(checkPlantedFault(await judge(question, anotherTrace), /traceId/)).toBe('caught');
    });

    test('what a right question asks for is refused without a rule, and is found out', async () => {
      const refusal: ResponseFault = () =>
        ask(withParameter(whole, 'Limit', 0), { method: 'GET', headers: { ...page.headers } });
      expect((await judge(page, refusal)).join('\n')).toMatch(
        /answered 400 for \["Limit"\]; by the rules it is refused not at all/,
      );
    });

    test('HEAD says something else than GET, and is found out', async () => {
      const question = { ...page, method: 'HEAD' };
      expect(await judge(question)).toEqual([]);
      const talkative: SendRequest = async (path, init) =>
        init.method === 'HEAD' ? new Response('x') : ask(path, init);
      const found = await checkResponse(talkative, { served, operation }, question);
      expect(found).toEqual(['HEAD has other headers than GET', 'HEAD has a body']);
    });

    /** In about four pages, of two records at least. */
    const walked = async (fault?: ResponseFault): Promise<readonly string[]> => {
      const asked = fault ? withFault(ask, fault) : ask;
      const { totalCount } = toPage(await bodyOf(ask, page)).paging;
      const limits = [Math.max(2, Math.ceil(number(totalCount) / 4))];
      const hasPrevious = hasPreviousPages(served, operation);
      return checkList((path) => bodyOf(asked, get(path)), { path: whole, limits, whole: 1000, hasPrevious });
    };

    test('its own list is right', async () => {
      expect(await walked()).toEqual([]);
    });

    test.each(ofWalks)('%s, and is found out', async (_, fault, says) => {
      expect(checkPlantedFault(await walked(fault), says)).toBe('caught');
    });

    const filter = filters[`${served.name} ${operation.path}`];
    test.each(filter ? [filter] : [])(
      'a link to the next page loses its filter by %s, and is found out',
      async (name, value) => {
        const path = withParameter(whole, name, value);
        const question = { path, limits: [1], whole: 1000, hasPrevious: false };
        const { totalCount } = toPage(await bodyOf(ask, get(withParameter(path, 'Limit', 1)))).paging;
        expect(totalCount).toBeGreaterThan(1);
        expect(await checkList((one) => bodyOf(ask, get(one)), question)).toEqual([]);
        const { next } = toPage(await bodyOf(ask, get(withParameter(whole, 'Limit', 1)))).paging;
        const unfiltered = withPaging((paging, one) => (isWhole(one) || isLater(one) ? paging : { ...paging, next }));
        const asked = withFault(ask, unfiltered);
        expect(
          checkPlantedFault(
            await checkList((one) => bodyOf(asked, get(one)), question),
            /totalCount changes on the way/,
          ),
        ).toBe('caught');
      },
    );

    if (!hasPreviousPages(served, operation)) return;
    test('the way back has other pages, and is found out', async () => {
      const none = withPaging((paging) => removeMember(paging, 'previous'));
      expect(checkPlantedFault(await walked(none), /the last page has no previous one/)).toBe('caught');
      const short = withPaging((paging) => ('next' in paging ? removeMember(paging, 'previous') : paging));
      expect(checkPlantedFault(await walked(short), /the way back has other pages/)).toBe('caught');
    });
  });
};
