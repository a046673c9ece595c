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

/** The name of a fault, the fault, and the message that must report it. */
type Planted = readonly [name: string, fault: ResponseFault, pattern: RegExp];

const number = (value: unknown): number => Number(value);

/** Faults that each response shows by itself. */
const responseFaults: readonly Planted[] = [
  ['a missing API-Version header', withHeaders({ 'api-version': null }), /missing header API-Version/],
  ['a missing X-Request-Id header', withHeaders({ 'x-request-id': null }), /missing header X-Request-Id/],
  ['a header of another format', withHeaders({ 'api-version': '2.0' }), /header API-Version: .*pattern/],
  ['an undeclared header', withHeaders({ 'x-powered-by': 'luck' }), /undeclared header x-powered-by/],
  ['a CORS header', withHeaders({ 'access-control-allow-origin': '*' }), /undeclared header access-control/],
  ['another media type', withHeaders({ 'content-type': 'text/json' }), /undeclared media type 'text\/json'/],
  ['an internal error', withStatus(500), /answered 500|a fault of the service: 500/],
  ['an undeclared status', withStatus(203), /undeclared status 203/],
  ['a rejection', withStatus(400), /by the rules it is refused not at all/],
  ['a missing body', withText(() => ''), /not JSON/],
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
  ['an invalid link', withPaging((paging) => ({ ...paging, next: 'next page' })), /format "uri"/],
  ['too many records', withRecords((records) => [...records, ...records]), /records in a page of at most 2/],
];

/** Faults that only the whole list shows. */
const walkFaults: readonly Planted[] = [
  [
    'the first page has no next link',
    withPaging((paging, path) => (!isWhole(path) && !isLater(path) ? removeMember(paging, 'next') : paging)),
    /records are found on the way/,
  ],
  ['totalCount is one too high', withPaging((paging) => withCount(paging, 1)), /totalCount is/],
  ['totalCount is one too low', withPaging((paging) => withCount(paging, -1)), /records/],
  [
    'totalCount changes between pages',
    withPaging((paging, path) => (isLater(path) ? withCount(paging, 1) : paging)),
    /totalCount changes/,
  ],
  [
    'a page repeats a record',
    withRecords((records, path) => (!isWhole(path) ? [records[0], ...records.slice(0, -1)] : records)),
    /come again/,
  ],
  [
    'a page lacks a record',
    withRecords((records, path) => (isLater(path) ? records.slice(1) : records)),
    /records are found/,
  ],
  [
    'a page has another order',
    withRecords((records, path) => (!isWhole(path) ? records.toReversed() : records)),
    /another order/,
  ],
  [
    'a link points to its own page',
    withPaging((paging, path) => (isLater(path) ? { ...paging, next: `http://service.test${path}` } : paging)),
    /come again/,
  ],
  [
    'the last page has a next link',
    withPaging((paging, path) => ({ ...paging, next: paging['next'] ?? `http://service.test${path}` })),
    /has a next one/,
  ],
  [
    'the first page has a previous link',
    withPaging((paging, path) => (isLater(path) ? paging : { ...paging, previous: `http://service.test${path}` })),
    /has a previous one/,
  ],
];

/** The list in one page, which the walks are compared with. */
const isWhole = (path: string): boolean => path.includes('Limit=1000');

/** Filters that match several records of a list, but not all, by document and path. */
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

const withCount = (paging: object, more: number): Readonly<Record<string, unknown>> => {
  const { totalCount, limit } = toJsonObject(paging);
  const total = number(totalCount) + more;
  return { ...paging, totalCount: total, totalPages: Math.ceil(total / number(limit)) };
};

const get = (path: string, expected: ExpectedResponse = { status: 200 }): TestRequest => ({
  method: 'GET',
  path,
  headers: { 'subscription-key': TEST_KEY },
  body: undefined,
  values: Object.fromEntries([...new URLSearchParams(path.split('?')[1])].map(([name, value]) => [name, [value]])),
  expected,
});

const bodyOf = async (send: SendRequest, { path, headers }: TestRequest): Promise<unknown> =>
  (await send(path, { method: 'GET', headers: { ...headers } })).json();

const lists = servedOperations.filter(([, served, operation]) => isList(served, operation));

/** Returns whether a list has filters; version and page are none. */
const isFiltered = ({ contract }: ServedDocument, { parameters }: OpenApiOperation): boolean =>
  parameters
    .map((one) => toParameter(contract.document, one))
    .some((one) => one.in === 'query' && !['version', 'Limit'].includes(one.name) && !isCursor(one));

/** Plants faults in every list of every document. */
export const testListFaults = (world: () => KnownService): void => {
  test('every list with filters has a filter that its links can lose', () => {
    const filtered = lists.filter(([, served, operation]) => isFiltered(served, operation));
    const names = filtered.map(([, { name }, { path }]) => `${name} ${path}`);
    expect(Object.keys(filters).toSorted()).toEqual(names.toSorted());
  });

  describe.each(lists)('%s', (_, served, operation) => {
    const send: SendRequest = (path, init) => world().on(served)(path, init);
    let whole = '';
    let page = get('');
    beforeAll(async () => {
      whole = await world().wholeList(served, operation);
      page = get(withParameter(whole, 'Limit', 2));
    });
    const judge = (request: TestRequest, fault?: ResponseFault): Promise<readonly string[]> =>
      checkResponse(fault ? withFault(send, fault) : send, { served, operation }, request);

    test('its own response is valid', async () => {
      expect(await judge(page)).toEqual([]);
    });

    test.each(responseFaults)('detects %s', async (_, fault, pattern) => {
      expect(checkPlantedFault(await judge(page, fault), pattern)).toBe('caught');
    });

    test('detects a value that is not enumerated', async () => {
      const schema = findRecordSchema(served.contract, operation);
      const { data } = toJsonObject(await bodyOf(send, page));
      const [record] = toList(data);
      const strange = withUnknownEnumValue(served.contract.document, schema, record);
      // A list without enumerations.
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

    test('detects a missing required property', async () => {
      const [required] = toList(toJsonObject(findRecordSchema(served.contract, operation))['required']);
      const errors = await judge(
        page,
        withRecord((record) => removeMember(record, String(required))),
      );
      expect(checkPlantedFault(errors, new RegExp(`required property '${String(required)}'`))).toBe('caught');
    });

    test('detects deprecation headers of another date', async () => {
      const isEnding = (await send(page.path, { method: 'GET', headers: { ...page.headers } })).headers.has(
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

    const acceptsAll: ResponseFault = async () => send(page.path, { method: 'GET', headers: { ...page.headers } });

    test('detects a missing rejection', async () => {
      const invalid = (path: string, expected: ExpectedResponse): TestRequest => get(path, expected);
      const requests = [
        invalid(withParameter(operation.path, 'version', 'v99'), { status: 404, fault: 'unknown version' }),
        invalid(withParameter(whole, 'Limit', 0), {
          status: 400,
          fault: 'too small',
          parameter: 'Limit',
          isCursor: false,
        }),
        { ...invalid(page.path, { status: 405, fault: 'a method it has not' }), method: 'POST' },
        { ...invalid(page.path, { status: 406, fault: 'a form' }), headers: { ...page.headers, accept: 'text/csv' } },
        { ...invalid(page.path, { status: 401, fault: 'no key' }), headers: {} },
      ];
      for (const request of requests) {
        expect(await judge(request)).toEqual([]);
        expect(checkPlantedFault(await judge(request, acceptsAll), /is answered 200, not 40\d|a 405/)).toBe('caught');
      }
    });

    test('detects a rejection that names another parameter', async () => {
      const request = get(withParameter(whole, 'Limit', 0), {
        status: 400,
        fault: 'too small',
        parameter: 'Limit',
        isCursor: false,
      });
      const otherParameter = withBody((body) => ({ ...body, errors: { Limits: ['must be at least 1'] } }));
      expect(await judge(request, otherParameter)).toEqual([`'too small' of Limit is refused for ["Limits"]`]);
      const anotherTrace = withBody((body) => ({ ...body, traceId: '0'.repeat(32) }));
      expect(checkPlantedFault(await judge(request, anotherTrace), /traceId/)).toBe('caught');
    });

    test('detects a rejection of a valid request without a rule', async () => {
      const rejection: ResponseFault = () =>
        send(withParameter(whole, 'Limit', 0), { method: 'GET', headers: { ...page.headers } });
      expect((await judge(page, rejection)).join('\n')).toMatch(
        /answered 400 for \["Limit"\]; by the rules it is refused not at all/,
      );
    });

    test('detects a HEAD response that differs from GET', async () => {
      const request = { ...page, method: 'HEAD' };
      expect(await judge(request)).toEqual([]);
      const talkative: SendRequest = async (path, init) =>
        init.method === 'HEAD' ? new Response('x') : send(path, init);
      const errors = await checkResponse(talkative, { served, operation }, request);
      expect(errors).toEqual(['HEAD has other headers than GET', 'HEAD has a body']);
    });

    /** Walks the list in about four pages of at least two records. */
    const checkWalks = async (fault?: ResponseFault): Promise<readonly string[]> => {
      const sendFaulty = fault ? withFault(send, fault) : send;
      const { totalCount } = toPage(await bodyOf(send, page)).paging;
      const limits = [Math.max(2, Math.ceil(number(totalCount) / 4))];
      const hasPrevious = hasPreviousPages(served, operation);
      return checkList((path) => bodyOf(sendFaulty, get(path)), { path: whole, limits, whole: 1000, hasPrevious });
    };

    test('its own list is valid', async () => {
      expect(await checkWalks()).toEqual([]);
    });

    test.each(walkFaults)('detects that %s', async (_, fault, pattern) => {
      expect(checkPlantedFault(await checkWalks(fault), pattern)).toBe('caught');
    });

    const filter = filters[`${served.name} ${operation.path}`];
    test.each(filter ? [filter] : [])(
      'detects a link to the next page without its filter by %s',
      async (name, value) => {
        const path = withParameter(whole, name, value);
        const request = { path, limits: [1], whole: 1000, hasPrevious: false };
        const { totalCount } = toPage(await bodyOf(send, get(withParameter(path, 'Limit', 1)))).paging;
        expect(totalCount).toBeGreaterThan(1);
        expect(await checkList((one) => bodyOf(send, get(one)), request)).toEqual([]);
        const { next } = toPage(await bodyOf(send, get(withParameter(whole, 'Limit', 1)))).paging;
        const unfiltered = withPaging((paging, one) => (isWhole(one) || isLater(one) ? paging : { ...paging, next }));
        const sendFaulty = withFault(send, unfiltered);
        expect(
          checkPlantedFault(
            await checkList((one) => bodyOf(sendFaulty, get(one)), request),
            /totalCount changes on the way/,
          ),
        ).toBe('caught');
      },
    );

    if (!hasPreviousPages(served, operation)) return;
    test('detects other pages on the way back', async () => {
      const none = withPaging((paging) => removeMember(paging, 'previous'));
      expect(checkPlantedFault(await checkWalks(none), /the last page has no previous one/)).toBe('caught');
      const short = withPaging((paging) => ('next' in paging ? removeMember(paging, 'previous') : paging));
      expect(checkPlantedFault(await checkWalks(short), /the way back has other pages/)).toBe('caught');
    });
  });
};
