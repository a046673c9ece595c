import { toJsonObject, type JsonObject } from '#lib/openapi-document.ts';
import type { SendRequest } from '../responses/check-response.ts';
import { removeMember, withHeaders, withPaging, withRecord, withRecords, withBody } from './response-faults.ts';
import type { Planted } from './response-faults.ts';

const number = (value: unknown): number => Number(value);

const withCount = (paging: object, more: number): Readonly<Record<string, unknown>> => {
  const { totalCount, limit } = toJsonObject(paging);
  const total = number(totalCount) + more;
  return { ...paging, totalCount: total, totalPages: Math.ceil(total / number(limit)) };
};

const isLater = (path: string): boolean => /[?&](After|cursor)=/i.test(path);

/** The list in one page, which the walks are compared with. */
const isWhole = (path: string): boolean => path.includes('Limit=1000');

/** Changes the paging of the first page, or of the later ones. */
const withFirstPaging = (change: (paging: JsonObject, path: string) => JsonObject) =>
  withPaging((paging, path) => (isLater(path) ? paging : change(paging, path)));
const withLaterPaging = (change: (paging: JsonObject, path: string) => JsonObject) =>
  withPaging((paging, path) => (isLater(path) ? change(paging, path) : paging));

const withoutNext = (paging: JsonObject, path: string) => (isWhole(path) ? paging : removeMember(paging, 'next'));
const repeatFirst = (all: readonly unknown[], path: string) => (isWhole(path) ? all : [all[0], ...all.slice(0, -1)]);

/** Removes a part of a link of a page. */
const withoutInLink = (link: string, pattern: RegExp, replacement = '') =>
  withPaging((one) => (link in one ? { ...one, [link]: String(one[link]).replace(pattern, replacement) } : one));

const ownLink = (path: string): string => `http://service.test${path}`;
const withOwnPrevious = (paging: JsonObject, path: string) => ({ ...paging, previous: ownLink(path) });

/** Faults that a page shows by itself; its limit is 2. */
export const pageFaults: readonly Planted[] = [
  ['an extra property of a record', withRecord((record) => ({ ...record, surprise: 1 })), /surprise/],
  ['a record that is null', withRecord(() => null), /must be object/],
  ['a page without paging', withBody((body) => removeMember(body, 'paging')), /required property 'paging'/],
  ['a count as text', withPaging((one) => ({ ...one, totalCount: String(one['totalCount']) })), /must be integer/],
  ['another limit', withPaging((one) => ({ ...one, limit: number(one['limit']) + 1 })), /not 2/],
  ['another number of pages', withPaging((one) => ({ ...one, totalPages: number(one['totalPages']) + 1 })), /fill/],
  ['an invalid link', withPaging((paging) => ({ ...paging, next: 'next page' })), /format "uri"/],
  ['too many records', withRecords((records) => [...records, ...records]), /records in a page of at most 2/],
  ['a link without the limit', withoutInLink('next', /Limit=2/), /does not repeat limit=2/],
];

/** Faults that only the whole list shows. */
export const walkFaults: readonly Planted[] = [
  ['no next link on the first page', withFirstPaging(withoutNext), /records are found on the way/],
  ['a totalCount that is one too high', withPaging((paging) => withCount(paging, 1)), /totalCount is/],
  ['a totalCount that is one too low', withPaging((paging) => withCount(paging, -1)), /records/],
  ['a totalCount that changes', withLaterPaging((one) => withCount(one, 1)), /totalCount changes/],
  ['a repeated record', withRecords(repeatFirst), /come again/],
  ['a lost record', withRecords((all, path) => (isLater(path) ? all.slice(1) : all)), /records are found/],
  ['another order', withRecords((all, path) => (!isWhole(path) ? all.toReversed() : all)), /another order/],
  ['a link to its own page', withLaterPaging((one, path) => ({ ...one, next: ownLink(path) })), /come again/],
  ['a next link on the last page', withPaging((one, path) => ({ next: ownLink(path), ...one })), /has a next one/],
  ['a previous link on the first page', withFirstPaging(withOwnPrevious), /has a previous one/],
];

const withoutPrevious = (one: JsonObject) => ('next' in one ? removeMember(one, 'previous') : one);

/** Faults of lists with pages in both directions. */
export const backwardFaults: readonly Planted[] = [
  ['no previous link', withPaging((one) => removeMember(one, 'previous')), /the last page has no previous one/],
  ['a way back that ends early', withPaging(withoutPrevious), /the way back has other pages/],
  ['a previous link without the limit', withoutInLink('previous', /Limit=\d+/), /previous does not repeat limit/],
];

/** Simulates a service that changes a parameter of the requests, e.g. ignores a filter. */
export const withoutParameter =
  (send: SendRequest, names: readonly string[], when: (path: string) => boolean = () => true): SendRequest =>
  (path, init) => {
    const [address = '', query = ''] = path.split('?');
    const rest = query.split('&').filter((part) => !names.includes(part.split('=')[0] ?? ''));
    return send(when(path) ? `${address}?${rest.join('&')}` : path, init);
  };

/** Faults of a filter: links lose it. */
export const linkWithout = (name: string): Planted => [
  `links without ${name}`,
  withoutInLink('next', new RegExp(`([?&])${name}=[^&]*`), '$1'),
  // Where the service needs the parameter, the next page is rejected.
  new RegExp(`next does not repeat ${name.toLowerCase()}|: 400 `),
];

let sentTags = 0;

/** Faults of the entity tags of a list. */
export const entityTagFaults: readonly Planted[] = [
  [
    'one tag for all bodies of a length',
    async (response) => withHeaders({ etag: `"${(await response.clone().arrayBuffer()).byteLength}"` })(response, ''),
    /is that of another body/,
  ],
  [
    'another tag for each response',
    (response) => withHeaders({ etag: `"${(sentTags += 1)}"` })(response, ''),
    /the one that the same body has had/,
  ],
];

/** Deprecation headers of another date, or of a version that is not deprecated. */
export const lifecycleFaults = (isEnding: boolean): readonly Planted[] =>
  isEnding
    ? [
        ['a missing Deprecation header', withHeaders({ deprecation: null }), /header deprecation: /],
        ['a missing Sunset header', withHeaders({ sunset: null }), /header sunset: /],
        ['another Sunset header', withHeaders({ sunset: 'Tue, 15 Apr 2025 00:00:00 GMT' }), /header sunset: /],
      ]
    : [
        ['a Deprecation header', withHeaders({ deprecation: 'true' }), /header deprecation/],
        ['a Sunset header', withHeaders({ sunset: 'Mon, 14 Apr 2025 00:00:00 GMT' }), /header sunset/],
      ];
