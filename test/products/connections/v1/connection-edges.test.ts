import { expect, test } from 'vitest';
import { buildFlownLeg } from '../../../jobs/connections/flown-leg.ts';
import { sharedService } from '../../../support/shared-service.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { serveEdges } from './edge-world.ts';

const { write } = createTemporaryFolder();
const world = sharedService(() => serveEdges(write));

test('a flight with stops arrives when its last leg arrives, whose variation decides alone', async () => {
  // By the zone, OPO-LIS would arrive at 08:50 UTC, before it departs at 09:00; by the filed variation it arrives at 09:50.
  await world.serveFlights(
    buildFlownLeg('101 CDG 0600 OPO 0730'),
    buildFlownLeg('101 OPO 1000 LIS 0950', { 12: '02', 66: '+0000' }),
    buildFlownLeg('102 LIS 1300 JFK 1600'),
  );
  const { data } = await world.search('ArrivalAirport=JFK&DepartureDate=2026-06-02');
  expect(data.map(({ DepartureAirport, leg1 }) => [DepartureAirport, leg1.elapsedTime, leg1.connectionTime])).toEqual([
    ['CDG', 350, 130],
    ['OPO', 50, 130],
  ]);
});
