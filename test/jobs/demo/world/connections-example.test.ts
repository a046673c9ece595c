import { expect, test } from 'vitest';
import { buildConnectingRecords } from '../../../../src/domain/connections/flights/connecting-records.ts';
import { createConnectionMasterData } from '../../../../src/domain/connections/flights/connection-master-data.ts';
import { ConnectionSetBuilder } from '../../../../src/domain/connections/set/connection-set-builder.ts';
import { readConnectionSet } from '../../../../src/domain/connections/set/connection-set.ts';
import { createConnectionSearch } from '../../../../src/domain/connections/search/connection-search.ts';
import { MCT_DEFAULTS } from '../../../../src/domain/connections/mct/mct-record.ts';
import { addDays, formatDate, localDate } from '../../../../src/domain/time/dates.ts';
import { createMasterDataIndex } from '../../../../src/domain/master-data/master-data-index.ts';
import { buildDemoWorld } from '../../../../src/jobs/demo/world/demo-world.ts';
import { buildMinimumConnectingTimes } from '../../../../src/jobs/demo/world/minimum-connecting-times.ts';
import { buildConnectionsExample } from '../../../../src/jobs/demo/world/example-queries.ts';

const days = ['2026-11-21', '2027-07-01', '2027-03-27', '2027-10-02'].slice(
  0,
  Number(process.env['DEMO_WORLD_DAYS'] ?? 1),
);
test.each(days)('the showcase query finds connections on %s', (day) => {
  const today = localDate(day);
  const { locations, schedules } = buildDemoWorld(today);
  const masterData = createConnectionMasterData({
    masterDataIndex: createMasterDataIndex({
      locations: locations.map((location, id) => ({ ...location, id })),
      carriers: [],
      equipment: [],
      inUse: { carriers: new Set(), locations: new Set() },
    }),
    regionOf: () => undefined,
    bodyOf: () => undefined,
  });
  const builder = new ConnectionSetBuilder({
    from: addDays(today, -1),
    days: 3,
    mct: buildMinimumConnectingTimes(today),
    defaults: MCT_DEFAULTS,
    cooperation: { partners: [], alliances: {}, codeshares: [] },
  });
  for (const { itineraries } of schedules)
    for (const itinerary of itineraries)
      for (const record of buildConnectingRecords([itinerary], masterData)) builder.add(record);
  const parameters = new URLSearchParams(buildConnectionsExample(today).query);
  expect([...parameters.keys()]).toEqual(['version', 'DepartureCity', 'ArrivalAirport', 'DepartureDate']);
  expect(parameters.get('DepartureDate')).toBe(formatDate(today));
  const filter = {
    departureCities: parameters.getAll('DepartureCity'),
    arrivalAirports: parameters.getAll('ArrivalAirport'),
    dates: { from: today, to: today },
    maxConnectingMinutes: 360,
  };
  const walk = createConnectionSearch(readConnectionSet(builder.finish()), filter, { limit: 10, count: true });
  while (!walk.advance(1_000_000));
  expect(walk.total()).toBeGreaterThan(5);
});
