import { describe, expect, test } from 'vitest';
import { cacheMapPages } from '../../../../../src/products/flight-info/v2/map/map-page-cache.ts';
import type { FlightMapSource } from '../../../../../src/products/flight-info/v2/map/map-source.ts';
import { atlantic, atMs, channel } from './sample-flights.ts';

const now = atMs('2027-03-01T13:30Z');

/** Pages with the number of earlier renderings; `fails` selects those that fail. */
const counting = (fails: (count: number) => boolean = () => false) => {
  let drawn = 0;
  const draw = cacheMapPages(() => {
    drawn += 1;
    return fails(drawn) ? Promise.reject(new Error(`no page ${drawn}`)) : Promise.resolve(Uint8Array.of(drawn));
  });
  return async (source: FlightMapSource, at: number): Promise<number | undefined> => (await draw(source, at))[0];
};

describe('a rendered page', () => {
  test('is shared by all requests within the same half minute', async () => {
    const draw = counting();
    expect(await Promise.all([draw(atlantic, now), draw({ ...atlantic }, now + 1)])).toEqual([1, 1]);
    expect(await draw(atlantic, now + 29_999)).toBe(1);
    expect(await draw(atlantic, now + 30_000)).toBe(2);
  });

  test('is not that of another flight, or of the same one with newer facts', async () => {
    const draw = counting();
    const later = { ...atlantic, updatedAt: (atlantic.updatedAt + 1) as typeof atlantic.updatedAt };
    const rescheduled = { ...atlantic, scheduledIn: channel.scheduledIn };
    const pages = [atlantic, channel, later, rescheduled, atlantic].map((source) => draw(source, now));
    expect(await Promise.all(pages)).toEqual([1, 2, 3, 4, 1]);
  });

  test('is rendered again after a failure', async () => {
    const draw = counting((count) => count === 1);
    expect(await Promise.allSettled([draw(atlantic, now), draw(atlantic, now)])).toEqual(
      [1, 1].map((count) => ({ status: 'rejected', reason: new Error(`no page ${count}`) })),
    );
    expect(await draw(atlantic, now)).toBe(2);
  });

  test('is evicted by 64 later ones', async () => {
    const draw = counting();
    for (let index = 0; index <= 64; index++) await draw({ ...atlantic, designator: `ZX ${index}` }, now);
    expect(await draw({ ...atlantic, designator: 'ZX 1' }, now)).toBe(2);
    expect(await draw({ ...atlantic, designator: 'ZX 0' }, now)).toBe(66);
  });
});
