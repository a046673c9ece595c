import { expect, test } from 'vitest';
import { buildLocalMinute, localDate } from '../../../../src/domain/time/dates.ts';
import { isPageAffected, type PageChange } from '../../../../src/domain/cache/page-invalidation.ts';
import { describePage } from '../../../../src/products/flight-info/v2/describe-page.ts';

const day = localDate('2026-06-01');
const change: PageChange = { kind: 'row', day, flight: 'x', carrier: 1, departure: 2, arrival: 9999 };

/** Returns whether that change invalidates a page filtered by this many arrival airports, 9999 not among them. */
const isInvalidated = (airports: number): boolean => {
  const contents = describePage([], {
    query: { DepartureDateTime: '2026-06-01', IncludeDiverted: false, Limit: 10, version: 'v2' },
    filter: {
      departs: { from: buildLocalMinute(day, 0), to: buildLocalMinute(day, 1439) },
      arrivals: Array.from({ length: airports }, (_, airport) => airport),
    },
    content: { status: undefined, withSeats: false, withMap: false },
  });
  return contents === undefined || isPageAffected(contents, change);
};

test('a page for up to 256 airports depends on these only, one for more on all', () => {
  expect([1, 256, 257, 3000].map(isInvalidated)).toEqual([false, false, true, true]);
});
