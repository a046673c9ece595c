import { expect, test } from 'vitest';
import { connectingRecordsOf } from '../../../../src/domain/connections/connecting-records.ts';
import { newConnectionPlaces } from '../../../../src/domain/connections/connection-places.ts';
import { newConnectionSetBuilder } from '../../../../src/domain/connections/connection-set-builder.ts';
import { openConnectionSet } from '../../../../src/domain/connections/connection-set.ts';
import { newConnectionWalk } from '../../../../src/domain/connections/connection-walk.ts';
import { MCT_DEFAULTS } from '../../../../src/domain/connections/mct/mct-record.ts';
import { addDays, formatDate, localDate } from '../../../../src/domain/time/dates.ts';
import { newDirectory } from '../../../../src/domain/master-data/directory.ts';
import { demoWorld } from '../../../../src/jobs/demo/world/demo-world.ts';
import { minimumConnectingTimes } from '../../../../src/jobs/demo/world/minimum-connecting-times.ts';
import { connectionsShowcase } from '../../../../src/jobs/demo/world/showcase.ts';

test.each(['2026-11-21', '2027-03-27', '2027-07-01', '2027-10-02'])(
  'the showcase query finds connections on %s',
  (day) => {
    const today = localDate(day);
    const { locations, schedules } = demoWorld(today);
    const places = newConnectionPlaces({
      directory: newDirectory({
        locations: locations.map((location, id) => ({ ...location, id })),
        carriers: [],
        equipment: [],
        inUse: { carriers: new Set(), locations: new Set() },
      }),
      regionOf: () => undefined,
      bodyOf: () => undefined,
    });
    const builder = newConnectionSetBuilder({
      from: addDays(today, -1),
      days: 3,
      mct: minimumConnectingTimes(today),
      defaults: MCT_DEFAULTS,
      cooperation: { partners: [], alliances: {}, codeshares: [] },
    });
    for (const { itineraries } of schedules)
      for (const itinerary of itineraries)
        for (const record of connectingRecordsOf([itinerary], places)) builder.add(record);
    const asked = new URLSearchParams(connectionsShowcase(today).query);
    expect([...asked.keys()]).toEqual(['version', 'DepartureCity', 'ArrivalAirport', 'DepartureDate']);
    expect(asked.get('DepartureDate')).toBe(formatDate(today));
    const wanted = {
      departureCities: asked.getAll('DepartureCity'),
      arrivalAirports: asked.getAll('ArrivalAirport'),
      dates: { from: today, to: today },
      maxConnectingMinutes: 360,
    };
    const walk = newConnectionWalk(openConnectionSet(builder.finish()), wanted, { limit: 10, count: true });
    while (!walk.advance(1_000_000));
    expect(walk.total()).toBeGreaterThan(5);
  },
);
