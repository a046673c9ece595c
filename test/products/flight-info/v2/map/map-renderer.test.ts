import { afterAll, expect, test } from 'vitest';
import { renderFlightPage } from '#products/flight-info/v2/map/render-flight-page.ts';
import { buildFlightMap } from '#products/flight-info/v2/map/flight-map.ts';
import { cacheMapPages } from '#products/flight-info/v2/map/map-page-cache.ts';
import type { FlightMapSource } from '#products/flight-info/v2/map/map-source.ts';
import { openMapRenderer } from '#products/flight-info/v2/map/map-renderer.ts';
import { atlantic, atMs, channel, diverted, pacific } from './sample-flights.ts';

const now = atMs('2027-03-01T13:30Z');
const drawer = openMapRenderer();
afterAll(() => drawer.stop());

const text = async (source: FlightMapSource): Promise<string> =>
  Buffer.from(await drawer.render(source, now)).toString();

test('a rendering thread returns the page of each request, byte for byte', async () => {
  const flights = [atlantic, pacific, channel, diverted];
  expect(await Promise.all(flights.map(text))).toEqual(
    flights.map((source) => renderFlightPage(buildFlightMap(source, now))),
  );
});

test('a rendering thread survives a flight that cannot be rendered, and reports the reason', async () => {
  const [failed, drawn] = await Promise.allSettled([text({ ...channel, departsOn: 'one day' }), text(channel)]);
  expect(failed).toEqual({ status: 'rejected', reason: new RangeError("invalid date: 'one day'") });
  expect(drawn).toMatchObject({ status: 'fulfilled' });
});

test('a rendering thread queues up to 32 flights, and rejects others temporarily', async () => {
  const all = await Promise.allSettled(Array.from({ length: 34 }, () => text(channel)));
  const late = {
    status: 'rejected',
    reason: expect.objectContaining({ kind: 'unavailable', headers: { 'Retry-After': '5' } }),
  };
  expect(all.map(({ status }) => status).filter((status) => status === 'fulfilled')).toHaveLength(32);
  expect(all.slice(32)).toEqual([late, late]);
  expect(await text(channel)).toContain('ZX 304');
});

// A page that is drawn without end would block the event loop, and this test, if it were not drawn in a thread.
test('a rendering thread does not block the event loop, and rejects the current page when it is stopped', async () => {
  const endless = `import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { for (;;); })`;
  const busy = openMapRenderer(new URL(`data:text/javascript,${encodeURIComponent(endless)}`));
  const under = Promise.allSettled([busy.render(atlantic, now), busy.render(pacific, now)]);
  await busy.stop();
  // The exit code is 0 for a thread that had not started, and 1 for one that was busy.
  const cause = expect.stringMatching(/^exit code [01]$/);
  const reason = expect.objectContaining({ message: 'the map rendering thread ended unexpectedly', cause });
  const failed = { status: 'rejected', reason };
  expect(await under).toEqual([failed, failed]);
});

test('a rendering thread starts again after a stop', async () => {
  expect(await text(channel)).toContain('ZX 304');
  await drawer.stop();
  expect(await text(channel)).toContain('ZX 304');
});

test('a rendering thread rejects all waiting requests when the thread fails', async () => {
  const dying = openMapRenderer(new URL(`data:text/javascript,throw new RangeError('out of ink')`));
  const cause = new RangeError('out of ink');
  const failed = { status: 'rejected', reason: new Error('the map rendering thread ended unexpectedly', { cause }) };
  const draw = () => dying.render(channel, now);
  expect(await Promise.allSettled([draw(), draw()])).toEqual([failed, failed]);
  expect(await Promise.allSettled([draw()])).toEqual([failed]);
});

/** Pages with the number of earlier renderings; `fails` selects those that fail. */
const counting = (fails: (count: number) => boolean = () => false) => {
  let drawn = 0;
  const draw = cacheMapPages(() => {
    drawn += 1;
    return fails(drawn) ? Promise.reject(new Error(`no page ${drawn}`)) : Promise.resolve(Uint8Array.of(drawn));
  });
  return async (source: FlightMapSource, at: number): Promise<number | undefined> => (await draw(source, at))[0];
};

test('a cached page is shared by all requests within the same half minute', async () => {
  const draw = counting();
  expect(await Promise.all([draw(atlantic, now), draw({ ...atlantic }, now + 1)])).toEqual([1, 1]);
  expect(await draw(atlantic, now + 29_999)).toBe(1);
  expect(await draw(atlantic, now + 30_000)).toBe(2);
});

test('a cached page is not returned for another flight, or for the same one with newer facts', async () => {
  const draw = counting();
  const later = { ...atlantic, updatedAt: (atlantic.updatedAt + 1) as typeof atlantic.updatedAt };
  const rescheduled = { ...atlantic, scheduledIn: channel.scheduledIn };
  const pages = [atlantic, channel, later, rescheduled, atlantic].map((source) => draw(source, now));
  expect(await Promise.all(pages)).toEqual([1, 2, 3, 4, 1]);
});

test('a cached page is rendered again after a failure', async () => {
  const draw = counting((count) => count === 1);
  expect(await Promise.allSettled([draw(atlantic, now), draw(atlantic, now)])).toEqual(
    [1, 1].map((count) => ({ status: 'rejected', reason: new Error(`no page ${count}`) })),
  );
  expect(await draw(atlantic, now)).toBe(2);
});

test('a cached page is evicted by 64 later ones', async () => {
  const draw = counting();
  for (let index = 0; index <= 64; index++) await draw({ ...atlantic, designator: `ZX ${index}` }, now);
  expect(await draw({ ...atlantic, designator: 'ZX 1' }, now)).toBe(2);
  expect(await draw({ ...atlantic, designator: 'ZX 0' }, now)).toBe(66);
});
