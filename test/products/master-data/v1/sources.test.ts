import { expect, test } from 'vitest';
import type { Source } from '#generated/master-data/v1/types.gen.ts';
import { openSources } from '#domain/status/source-precedence.ts';
import { readLiveRegistry } from '#jobs/sources/live-registry.ts';
import { getJson } from '#test/products/responses.ts';
import { sharedService } from '#test/support/shared-service.ts';
import { serveTinyWorld } from '#test/support/tiny-world.ts';

const world = sharedService(serveTinyWorld);

test('a public feed has its title, its terms, and its attribution with a link', async () => {
  expect(await getJson<Source>(world, '/sources/Avinor?version=v1')).toEqual({
    name: 'avinor',
    title: 'Avinor: 43 airports of Norway',
    licence: 'Free of charge with attribution',
    attribution: { text: 'Flight data from Avinor', link: 'https://avinor.no/' },
  });
});

test('a source of master data has its licence, and its attribution if that is required', async () => {
  expect(await getJson<Source>(world, '/sources/optd-por')).toEqual({
    name: 'optd-por',
    title: 'OpenTravelData: points of reference',
    licence: 'CC BY 4.0',
    attribution: { text: '© OpenTravelData contributors' },
  });
  expect(await getJson<Source>(world, '/sources/ourairports')).toEqual({
    name: 'ourairports',
    title: 'OurAirports',
    licence: 'Public domain (Unlicense)',
  });
});

test('an unknown name returns 404', async () => {
  const response = await world.get('/sources/nowhere');
  expect([response.status, await response.json()]).toMatchObject([
    404,
    { type: '/docs/errors#not-found', detail: 'No source has the name nowhere.' },
  ]);
});

test('the public feeds that statuses name are those of the registry', () => {
  expect(
    readLiveRegistry()
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual([...openSources].toSorted());
});
