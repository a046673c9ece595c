import { expect, test } from 'vitest';
import fc from 'fast-check';
import { formatDate, localDate, type LocalDate } from '#domain/time/dates.ts';
import { MAP_TOKEN_LIFETIME_MS, openMapToken } from '#products/flight-info/v2/map/map-token.ts';
import { sealMapToken } from '#products/flight-info/v2/map/map-token.ts';

const secret = Buffer.alloc(32, 7);
const now = Date.UTC(2027, 2, 1, 12);
const reference = { departsOn: '2027-03-01', statusOrder: 123_456_789_012_345_678n };
const token = sealMapToken(secret, { ...reference, expiresAt: now + 1 });

test('a map token is decoded to its flight', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: localDate('1970-01-01') - 1000, max: localDate('2999-12-31') }),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      (date, statusOrder) => {
        const departsOn = formatDate(date as LocalDate);
        const sealed = sealMapToken(secret, { departsOn, statusOrder, expiresAt: now + 1 });
        expect(sealed).toMatch(/^[\w-]{47}$/);
        expect(openMapToken(secret, sealed, now)).toEqual({ departsOn, statusOrder });
      },
    ),
  );
});

test('a map token expires at the requested time, by default after half a day', () => {
  expect(openMapToken(secret, token, now)).toEqual(reference);
  expect(openMapToken(secret, token, now + 1)).toBe('expired');
  expect(MAP_TOKEN_LIFETIME_MS).toBe(43_200_000);
});

test('a map token is invalid with any character changed, removed or added', () => {
  for (let index = 0; index < token.length; index++)
    for (const other of ['A', 'B', '_', '=', ' ', '/']) {
      if (token[index] === other) continue;
      expect(openMapToken(secret, token.slice(0, index) + other + token.slice(index + 1), now)).toBeUndefined();
    }
  for (const text of ['', 'x', token.slice(1), `${token}A`, `${token}=`, '\u{1F6EB}'.repeat(30), 'A'.repeat(47)])
    expect(openMapToken(secret, text, now), text).toBeUndefined();
});

test('a map token is invalid with any other secret, expired or not', () => {
  expect(openMapToken(Buffer.alloc(32, 8), token, now)).toBeUndefined();
  expect(openMapToken(Buffer.alloc(32, 8), token, now + 10)).toBeUndefined();
});

test('a map token is not created for a day that the calendar does not have', () => {
  expect(() => sealMapToken(secret, { ...reference, departsOn: '2027-02-29', expiresAt: now })).toThrow(
    new RangeError("departsOn is not a date: '2027-02-29'"),
  );
});
