import { expect, test } from 'vitest';
import { buildLocalMinute, localDate } from '../../../../src/domain/time/dates.ts';
import { isPageAffected, type PageChange } from '../../../../src/domain/events/page-changes.ts';
import { describePage } from '../../../../src/products/flight-info/v2/describe-page.ts';

const day = localDate('2026-06-01');
const change: PageChange = { kind: 'row', day, flight: 'x', carrier: 1, departure: 2, arrival: 9999 };

/** Whether a page of arrivals at so many places, 9999 not among them, is made anew after that change. */
const isMadeAnew = (places: number): boolean => {
  const shows = describePage([], {
    query: { DepartureDateTime: '2026-06-01', IncludeDiverted: false, Limit: 10, version: 'v2' },
    filter: {
      departs: { from: buildLocalMinute(day, 0), to: buildLocalMinute(day, 1439) },
      arrivals: Array.from({ length: places }, (_, place) => place),
    },
    content: { status: undefined, withSeats: false, withMap: false },
  });
  return shows === undefined || isPageAffected(shows, change);
};

test('a page for some places rests on these alone, one for very many on all', () => {
  expect([1, 256, 257, 3000].map(isMadeAnew)).toEqual([false, false, true, true]);
});
