import { expect, test } from 'vitest';
import { renderPage, buildPageUrl } from '#http/handler/paging.ts';

test.each([
  ['http://a.test/f', 'http://a.test/f?After=c1'],
  ['http://a.test/f?', 'http://a.test/f?After=c1'],
  ['http://a.test/f?b=2&a=1', 'http://a.test/f?b=2&a=1&After=c1'],
  [
    'http://a.test/f?DepartureDateTime=2023-10-03/2023-10-04&carriercode=ba,%20lh+x',
    'http://a.test/f?DepartureDateTime=2023-10-03/2023-10-04&carriercode=ba,%20lh+x&After=c1',
  ],
  ['http://a.test/f?After=old&a=1', 'http://a.test/f?a=1&After=c1'],
  ['http://a.test/f?a=1&AFTER=old&after=older&b', 'http://a.test/f?a=1&b&After=c1'],
  ['http://a.test/f?a=1&%41fter=old', 'http://a.test/f?a=1&After=c1'],
  ['http://a.test/f?a=1&&hereafter=2&%zz=3', 'http://a.test/f?a=1&hereafter=2&%25zz=3&After=c1'],
  ['http://a.test/f?a=%&b="<é>', 'http://a.test/f?a=%25&b=%22%3c%c3%a9%3e&After=c1'],
])('the URL of another page of %s is %s', (requestUrl, url) => {
  expect(buildPageUrl(requestUrl, { parameter: 'After', cursor: 'c1' })).toBe(url);
});

test('the URL of another page takes the name of the cursor parameter, and any text as cursor', () => {
  expect(buildPageUrl('http://a.test/f?cursor=1', { parameter: 'cursor', cursor: 'a&b=c' })).toBe(
    'http://a.test/f?cursor=a%26b%3Dc',
  );
});

test.each([
  ['http://a.test/f?a=1', 'http://a.test/f?a=1&Limit=10&version=v2&After=c1'],
  ['http://a.test/f?LIMIT=5&Version=V2&a=1', 'http://a.test/f?LIMIT=5&Version=V2&a=1&After=c1'],
  ['http://a.test/f?limit=&a=1&version', 'http://a.test/f?a=1&Limit=10&version=v2&After=c1'],
])('defaults are in the next page of %s: %s', (requestUrl, next) => {
  expect(buildPageUrl(requestUrl, { parameter: 'After', cursor: 'c1', defaults: { Limit: '10', version: 'v2' } })).toBe(
    next,
  );
});

test('a page contains its rows byte for byte', () => {
  const rows = ['{"a" : 1.0}', '{"b":"é"}'].map((text) => Buffer.from(text));
  expect(renderPage(rows, { limit: 10, totalCount: 31, next: 'http://a.test/f?After=c1' }).toString()).toBe(
    '{"data":[{"a" : 1.0},{"b":"é"}],"paging":{"limit":10,"totalCount":31,"totalPages":4,"next":"http://a.test/f?After=c1"}}',
  );
});

test('a page without rows and next page is complete JSON', () => {
  const expected = { data: [], paging: { limit: 10, totalCount: 0, totalPages: 0 } };
  expect(JSON.parse(renderPage([], { limit: 10, totalCount: 0 }).toString())).toEqual(expected);
});

test.each([
  [10, 10, 1],
  [11, 10, 2],
  [1, 1000, 1],
])('a page of %i rows, %i a page, is one of %i', (totalCount, limit, totalPages) => {
  expect(JSON.parse(renderPage([], { limit, totalCount }).toString())).toMatchObject({ paging: { totalPages } });
});

test('omits a key that was sent in the query by mistake', () => {
  const requestUrl = 'http://a/flights?Carrier=XX&Subscription-Key=s3cret&api_key=s3cret&%54oken=s3cret&Limit=5';
  expect(buildPageUrl(requestUrl, { parameter: 'After', cursor: 'c' })).toBe(
    'http://a/flights?Carrier=XX&Limit=5&After=c',
  );
});
