import { expect, test } from 'vitest';
import type { FlightInstance } from '../../../../generated/flight-info/v2/types.gen.ts';
import { localDate } from '../../../../src/domain/time/dates.ts';
import { createMasterDataIndex } from '../../../../src/domain/master-data/master-data-index.ts';
import { computeInstance } from '../../../../src/domain/schedule/instances.ts';
import { buildSegments } from '../../../../src/domain/schedule/segments.ts';
import { createRowRenderer } from '../../../../src/products/flight-info/v2/to-flight-instance.ts';
import { buildFile, buildLeg, readFileText, buildSecondLeg } from '../../../feeds/ssim/build-file.ts';

const masterDataIndex = createMasterDataIndex({
  locations: [],
  carriers: [],
  equipment: [
    { iata: '789', icao: 'B789', name: '', cargoTonnes: 15 },
    { iata: '320', icao: 'A320', name: '', cargoTonnes: 2 },
  ],
  inUse: { carriers: new Set(), locations: new Set() },
});
const keys = { scheduleInstanceKey: '', statusKey: '' };

/** The tonnage of each leg and of the whole of LHR-JFK-LAX. */
const tonnages = async (first: string, second: string): Promise<readonly (number | undefined)[]> => {
  const { itineraries } = await readFileText(buildFile(buildLeg({ 73: first }), buildSecondLeg({ 73: second })));
  return itineraries.flatMap((itinerary) =>
    buildSegments(itinerary).map((segment) => {
      const instance = computeInstance(segment, localDate('2026-06-01'), {
        firstLeg: itinerary.legs[0],
        zoneOf: () => undefined,
      });
      const row: FlightInstance = JSON.parse(createRowRenderer(segment, masterDataIndex)(instance, keys));
      return row.cargoTonnage;
    }),
  );
};

test('a flight with stops has the capacity of its smallest leg, unknown if that of a leg is', async () => {
  expect(await tonnages('789', '320')).toEqual([15, 2, 2]);
  expect(await tonnages('320', '789')).toEqual([2, 15, 2]);
  expect(await tonnages('789', 'ABF')).toEqual([15, undefined, undefined]);
});
