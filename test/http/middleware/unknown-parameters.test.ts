import fc from 'fast-check';
import { expect, test } from 'vitest';
import { serve } from '../tiny-service.ts';

const { send } = serve();

const summarize = async (query: string, key = 'good'): Promise<unknown> => {
  const response = await send(`/flight-instances?${query}`, { key });
  const { errors } = Object(await response.json());
  return [response.status, response.headers.get('ignored-parameters'), errors];
};

const ignored = (header: string | null) => [200, header, undefined];
const rejected = (errors: object) => [400, null, errors];
const useInstead = (name: string, here: string) =>
  rejected({ [name]: [`is not a parameter of this operation: send ${here}`] });

test.each<readonly [query: string, expected: readonly unknown[]]>([
  ['', ignored(null)],
  ['Limit=5&carriercode=BA&CODETYPE[]=iata&version=v3', ignored(null)],
  ['utm_source=x', ignored('"utm_source"')],
  ['b=1&a=2&b=3', ignored('"b", "a"')],
  ['foo[]=1&foo[0]=2', ignored('"foo%5B%5D", "foo%5B0%5D"')],
  ['x', ignored(null)],
  ['x=', ignored(null)],
  ['x=%20+', ignored(null)],
  ['=1&&Limit=5', ignored(null)],
  ['__proto__=1&constructor=2', ignored('"__proto__", "constructor"')],
  ['%C3%A9t%C3%A9=1', ignored('"%C3%A9t%C3%A9"')],
  ['a%0D%0ASet-Cookie:%20b=1', ignored('"a%0D%0ASet-Cookie%3A%20b"')],
  ['a%22%5C%2C=1', ignored('"a%22%5C%2C"')],
  ['%FF=1', ignored('"%25FF"')],
  [`${'n'.repeat(10_000)}=1`, ignored(`"${'n'.repeat(64)}%E2%80%A6"`)],
  [`${'%F0%9F%9B%AB'.repeat(100)}=1`, ignored(`"${'%F0%9F%9B%AB'.repeat(32)}%E2%80%A6"`)],
  [`n${'%F0%9F%9B%AB'.repeat(100)}=1`, ignored(`"n${'%F0%9F%9B%AB'.repeat(31)}%EF%BF%BD%E2%80%A6"`)],
  ['Limitt=5', useInstead('Limitt', 'Limit')],
  ['Lmiit=5', useInstead('Lmiit', 'Limit')],
  ['CarirerCod=BA', useInstead('CarirerCod', 'CarrierCode')],
  ['CariCod=BA', ignored('"CariCod"')],
  ['carrier_code=BA', useInstead('carrier_code', 'CarrierCode')],
  ['carrier-code[]=BA', useInstead('carrier-code[]', 'CarrierCode')],
  ['Carrier.Code=BA', useInstead('Carrier.Code', 'CarrierCode')],
  ['li=5&ver=1', ignored('"li", "ver"')],
  ['Limitt=', ignored(null)],
  [
    'Limitt=5&utm_source=x&Limit=0',
    rejected({
      Limitt: ['is not a parameter of this operation: send Limit'],
      Limit: ['must be at least 1, not 0'],
    }),
  ],
  ['utm_source=x&Limit=0', rejected({ Limit: ['must be at least 1, not 0'] })],
])('the query %j', async (query, expected) => {
  expect(await summarize(query)).toEqual(expected);
});

test('lists 20 ignored names and the number of the others', async () => {
  const names = Array.from({ length: 25 }, (_, index) => `name${index}`);
  const listed = names.slice(0, 20).map((name) => `"${name}"`);
  expect(await summarize(names.map((name) => `${name}=1`).join('&'))).toEqual(ignored(`${listed.join(', ')};more=5`));
  const strict = Object.fromEntries(names.slice(0, 20).map((name) => [name, ['is not a parameter of this operation']]));
  expect(await summarize(names.map((name) => `${name}=1`).join('&'), 'strict')).toEqual(
    rejected({ ...strict, '': ['The query has 5 more names that are not parameters'] }),
  );
});

test.each<readonly [query: string, expected: readonly unknown[]]>([
  ['Limit=5&CarrierCode=BA', ignored(null)],
  ['utm_source=', ignored(null)],
  ['utm_source=x', rejected({ utm_source: ['is not a parameter of this operation'] })],
  ['Limitt=5', useInstead('Limitt', 'Limit')],
  [`${'n'.repeat(10_000)}=1`, rejected({ [`${'n'.repeat(64)}…`]: ['is not a parameter of this operation'] })],
])('with a strict key, the query %j', async (query, expected) => {
  expect(await summarize(query, 'strict')).toEqual(expected);
});

test('links repeat the query without ignored parameters, and the log has it as sent', async () => {
  const { send: sendLogged, lines } = serve();
  const response = await sendLogged('/flight-instances?_=1&limit=5&utm=x&VERSION=v3');
  const { requestUrl } = Object(await response.json());
  expect(requestUrl).toBe('http://api.test/flight-instances?limit=5&VERSION=v3');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ query: '_=1&limit=5&utm=x&VERSION=v3' });
});

test('a public operation names ignored parameters, also of a request with a strict key', async () => {
  const response = await send('/flights/health?probe=1', { key: 'strict' });
  expect([response.status, response.headers.get('ignored-parameters')]).toEqual([200, '"probe"']);
});

test('a rejected request has no list of ignored parameters', async () => {
  const response = await send('/flight-instances?utm_source=x', { key: null });
  expect([response.status, response.headers.get('ignored-parameters')]).toEqual([401, null]);
});

test('any name results in a header of the documented form, or in advice', async () => {
  const form = /^"[A-Za-z0-9_.!~*'()%-]+"(, "[A-Za-z0-9_.!~*'()%-]+")*(;more=[1-9]\d*)?$/;
  const name = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }).map(encodeURIComponent),
    fc.string({
      unit: fc.constantFrom('%', '0', 'd', 'A', '"', '\\', ',', ';', '+', '[', ']', 'é', ' '),
      minLength: 1,
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 30 }), async (names) => {
      const response = await send(`/flight-instances?${names.map((one) => `${one}=1`).join('&')}`);
      const header = response.headers.get('ignored-parameters');
      expect([200, 400]).toContain(response.status);
      expect(header ?? '"none"').toMatch(form);
      expect(header?.length ?? 0).toBeLessThanOrEqual(20_000);
    }),
  );
});
