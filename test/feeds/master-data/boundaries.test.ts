import { expect, test } from 'vitest';
import { readZoneBoundaries } from '#feeds/master-data/boundaries/zone-boundaries.ts';
import { isZone } from '#domain/time/zones.ts';

const { date, listZones } = await readZoneBoundaries();

test.each([
  // [where, latitude, longitude, zones]
  ['Chihuahua', 28.703, -105.965, ['America/Chihuahua']],
  ['Ciudad Juárez, which left the time of Chihuahua in 2022', 31.636, -106.429, ['America/Ciudad_Juarez']],
  ['El Paso, 15 km from there', 31.807, -106.378, ['America/Denver']],
  ['Balmaceda, in the Chilean region that kept summer time in 2025', -45.916, -71.69, ['America/Coyhaique']],
  ['Fernando de Noronha', -3.855, -32.423, ['America/Noronha']],
  ['Buka', -5.422, 154.673, ['Pacific/Bougainville']],
  ['Nuuk', 64.191, -51.678, ['America/Nuuk']],
  ['Ürümqi, which keeps two times', 43.907, 87.474, ['Asia/Shanghai', 'Asia/Urumqi']],
  ['Fiji, west of the antimeridian', -17.755, 177.443, ['Pacific/Fiji']],
  ['Fiji, east of the antimeridian', -16.79, -179.34, ['Pacific/Fiji']],
  ['the same place with another longitude', -16.79, 180.66, ['Pacific/Fiji']],
  ['the antimeridian in Chukotka', 68, 180, ['Asia/Anadyr']],
  ['the South Pole', -90, 0, ['Antarctica/McMurdo']],
  ['the North Pole', 90, 0, []],
  ['the open Atlantic', 32.5, -36, []],
])('the zones at a position: %s', (_, latitude, longitude, zones) => {
  expect(listZones({ latitude, longitude })).toEqual(zones);
});

test('the boundaries have a day, and only zones that the runtime knows', () => {
  expect(date).toMatch(/^20\d\d-\d\d-\d\d$/);
  const names = new Set<string>();
  for (let latitude = -89; latitude < 90; latitude++)
    for (let longitude = -180; longitude < 180; longitude++)
      for (const zone of listZones({ latitude, longitude })) names.add(zone);
  expect(names.size).toBeGreaterThan(300);
  expect([...names].filter((name) => !isZone(name))).toEqual([]);
});
