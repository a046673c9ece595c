import { expect, test } from 'vitest';
import { encodeZoneRows, rasterizeRings, type Ring } from '#release/zone-rows.ts';
import { decodeZoneBoundaries } from '#feeds/master-data/boundaries/zone-boundaries.ts';

const raster = { rowsPerDegree: 2, stepsPerDegree: 10 };
const buildSquare = (west: number, south: number, size: number): Ring => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
];
const drawZones = (entries: Parameters<typeof rasterizeRings>[0]) =>
  decodeZoneBoundaries(
    encodeZoneRows(rasterizeRings(entries, raster), { ...raster, date: '2026-01-02', source: 'test' }),
  );

test('a position has the zone whose ring is around it, and none in a hole or outside', () => {
  const { date, listZones } = drawZones([
    { zone: 'Europe/Rome', rings: [buildSquare(10, 40, 6), buildSquare(12, 42, 2)] },
  ]);
  expect(date).toBe('2026-01-02');
  const zonesAt = (longitude: number, latitude: number) => listZones({ latitude, longitude });
  const inside = [zonesAt(10.01, 40.1), zonesAt(15.94, 45.9), zonesAt(13, 41.9)];
  expect(inside).toEqual(inside.map(() => ['Europe/Rome']));
  const outside = [zonesAt(13, 43), zonesAt(9.9, 43), zonesAt(16.1, 43), zonesAt(13, 46.3), zonesAt(-13, -43)];
  expect(outside).toEqual(outside.map(() => []));
});

test('a position in two rings has both zones, in alphabetical order', () => {
  const { listZones } = drawZones([
    { zone: 'Asia/Urumqi', rings: [buildSquare(80, 40, 5)] },
    { zone: 'Asia/Shanghai', rings: [buildSquare(80, 40, 5)] },
    { zone: 'Asia/Shanghai', rings: [buildSquare(85, 40, 5)] },
  ]);
  expect(listZones({ latitude: 42, longitude: 84.9 })).toEqual(['Asia/Shanghai', 'Asia/Urumqi']);
  expect(listZones({ latitude: 42, longitude: 85.1 })).toEqual(['Asia/Shanghai']);
});

test('a slanted border is where its edge crosses the middle of the row', () => {
  const triangle: Ring = [
    [0, 0],
    [10, 0],
    [0, 10],
    [0, 0],
  ];
  const { listZones } = drawZones([{ zone: 'Africa/Accra', rings: [triangle] }]);
  // The middle of the row is at 4.25 degrees north, where the edge is at 5.75 degrees east.
  expect(listZones({ latitude: 4.1, longitude: 5.7 })).toEqual(['Africa/Accra']);
  expect(listZones({ latitude: 4.1, longitude: 5.9 })).toEqual([]);
});

test('more than 127 runs of a row and zones of the world keep their places', () => {
  const names = Intl.supportedValuesOf('timeZone').slice(0, 300);
  const { listZones } = drawZones(names.map((zone, index) => ({ zone, rings: [buildSquare(-179 + index, 10, 1)] })));
  const found = names.map((_, index) => listZones({ latitude: 10.3, longitude: -178.5 + index }));
  expect(found).toEqual(names.map((name) => [name]));
});
