import { expect, test } from 'vitest';
import { createListCursors, cursorGoneProblem, hashQuery, decodeCursor, encodeCursor } from '#http/handler/cursor.ts';
import { Problem } from '#http/response/problem.ts';

const secret = Buffer.alloc(32, 7);
const scope = { product: 'flight-info/v2', queryHash: hashQuery({ from: '2026-04-01', carriers: ['BA'] }) };
const content = { position: Buffer.from('2026-04-01 09:45|key'), totalCount: 31 };
const cursor = encodeCursor(secret, scope, content);

const invalidCursor = new Problem('cursor-invalid', 'After is not a cursor of this query.', {
  errors: { After: ['is not a cursor of this query'] },
});

test('decodes to its content, and needs no escaping in a URL', () => {
  expect(decodeCursor(secret, scope, cursor)).toEqual(content);
  expect(cursor).toMatch(/^[\w-]+$/);
});

test('a position may be empty and a count may be large', () => {
  const sealed = encodeCursor(secret, scope, { position: Buffer.alloc(0), totalCount: 2 ** 48 - 1 });
  expect(decodeCursor(secret, scope, sealed)).toEqual({ position: Buffer.alloc(0), totalCount: 2 ** 48 - 1 });
});

test.each([
  ['for another product', { ...scope, product: 'schedules/v1' }],
  ['for another version', { ...scope, product: 'flight-info/v1' }],
  ['for another query', { ...scope, queryHash: hashQuery({ from: '2026-04-02', carriers: ['BA'] }) }],
  ['where product and query run together', { product: `${scope.product}\0${scope.queryHash}`, queryHash: '' }],
])('rejects a cursor %s', (_behaviour, other) => {
  expect(() => decodeCursor(secret, other, cursor)).toThrow(invalidCursor);
});

test('rejects a cursor under another secret', () => {
  expect(() => decodeCursor(Buffer.alloc(32, 8), scope, cursor)).toThrow(invalidCursor);
});

test('rejects a cursor that was not issued', () => {
  const invented = ['', 'x', '202310030945-1696292740123456789-ab', 'A'.repeat(100_000), cursor.repeat(2)];
  const lengths = Array.from({ length: 60 }, (_, length) => Buffer.alloc(length, 1).toString('base64url'));
  for (const text of [...invented, ...lengths, `${cursor}A`, cursor.slice(0, -1), `${cursor}=`, ` ${cursor}`])
    expect(() => decodeCursor(secret, scope, text), text).toThrow(invalidCursor);
});

test('rejects a cursor whichever of its bits is flipped', () => {
  const bytes = Buffer.from(cursor, 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const forged = Buffer.from(bytes);
    forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => decodeCursor(secret, scope, forged.toString('base64url'))).toThrow(invalidCursor);
  }
});

test('rejects a cursor under the name of its parameter', () => {
  expect(() => decodeCursor(secret, { ...scope, parameter: 'cursor' }, 'x')).toThrow(
    expect.objectContaining({ kind: 'cursor-invalid', errors: { cursor: ['is not a cursor of this query'] } }),
  );
});

test('a cursor whose item no longer exists has another problem', () => {
  const expected = { kind: 'cursor-gone', errors: { After: ['marks an item that is no longer in the list'] } };
  expect(cursorGoneProblem()).toMatchObject(expected);
});

test('queries have the same hash when they differ only in the order of members or in undefined ones', () => {
  expect(hashQuery({ a: 1, b: { c: 2, d: [3] } })).toBe(hashQuery({ b: { d: [3], c: 2, e: undefined }, a: 1 }));
});

test('a query has the hash that cursors of earlier servers contain', () => {
  const filter = { DepartureAirport: ['LHR', 'CDG'], from: '2026-04-01', limit: 5, isDirect: true, none: undefined };
  expect(hashQuery({ ...filter, nested: { b: 1.5, a: 'é"' } })).toBe('yaqFG4n4EEmpmnl-g4SPjf');
});

test.each([
  [{ a: 1 }, { a: '1' }],
  [{ a: ['x', 'y'] }, { a: ['y', 'x'] }],
  [{ a: ['x,y'] }, { a: ['x', 'y'] }],
  [{ a: 1 }, { b: 1 }],
  [{ a: { b: 1 } }, { a: [['b', 1]] }],
  [{}, { a: null }],
])('the queries %o and %o have different hashes', (one, other) => {
  expect(hashQuery(one)).not.toBe(hashQuery(other));
});

test('the URL of a page has the limit and the version of the request, also where these were defaults', () => {
  const request = {
    baseUrl: 'https://flights.test',
    publicPath: '/flights',
    query: 'Airport=LHR',
    maskKeys: (text: string) => text,
    selected: { product: 'flight-info' },
    version: 'v2',
  };
  const cursors = createListCursors(request, { secret, filters: { airport: 'LHR' }, limit: 10 });
  const url = new URL(cursors.buildUrl(content));
  const { After, ...others } = Object.fromEntries(url.searchParams);
  expect(others).toEqual({ Airport: 'LHR', Limit: '10', version: 'v2' });
  expect(cursors.decode(After)).toEqual(content);
});
