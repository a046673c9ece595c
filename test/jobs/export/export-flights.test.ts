import { expect, test } from 'vitest';
import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import { localDate } from '#domain/time/dates.ts';
import { exportFlights } from '#jobs/export/export-flights.ts';
import { buildFile, buildLeg } from '#test/feeds/ssim/build-file.ts';
import { schedule } from '#test/products/flight-info/v2/example-schedule.ts';
import { formatFlight, serveStatuses, xx502 } from '#test/products/flight-info/v2/status-service.ts';
import { untilBlocked } from '#test/support/database.ts';
import { sharedService } from '#test/support/shared-service.ts';
import { publishText } from '#test/support/tiny-world.ts';

const world = sharedService(() => serveStatuses({ text: schedule.replace('YY 5101 ', 'YD 5101 ') }));

/** Exports 1 to 3 June and calls `work` after the flights of the first day. */
const exportWith = async (work: () => Promise<void>): Promise<readonly string[]> => {
  const rows: string[] = [];
  await exportFlights(world.db, {
    from: localDate('2026-06-01'),
    to: localDate('2026-06-03'),
    carriers: undefined,
    baseUrl: '',
    onFlights: async (flights) => {
      if (rows.length === 0) await work();
      rows.push(...flights.map(String));
    },
  });
  return rows;
};

test.each([1, 2, 5])('pages of %i flights have the flights of one page', async (pageSize) => {
  const exportPages = async (size: number | undefined, carriers?: readonly string[]) => {
    const pages: (readonly string[])[] = [];
    await exportFlights(world.db, {
      from: localDate('2026-06-01'),
      to: localDate('2026-06-03'),
      carriers,
      baseUrl: '',
      pageSize: size,
      onFlights: async (flights) => void pages.push(flights.map(String)),
    });
    return pages;
  };
  for (const carriers of [undefined, ['XX', 'YD']]) {
    const pages = await exportPages(pageSize, carriers);
    expect([Math.max(...pages.map((page) => page.length)), pages.flat()]).toEqual([
      pageSize,
      (await exportPages(undefined, carriers)).flat(),
    ]);
  }
});

test('an export has all flights and statuses as of its start, while messages are stored and a load waits for it', async () => {
  const before = await exportWith(async () => {});
  const load: { done?: Promise<unknown> } = {};
  const during = await exportWith(async () => {
    await world.report(xx502('2026-06-03'), ['2026-06-03T09:00:00Z', { departure: { gate: 'A1' } }]);
    load.done = publishText(world.db, buildFile(buildLeg()));
    await untilBlocked(world.db);
    // Requests of clients continue meanwhile.
    await world.getPage('DepartureDateTime=2026-06-03');
  });
  await load.done;
  const after = await exportWith(async () => {});
  const names = after.map((row): string => {
    const flight: FlightInstance = JSON.parse(row);
    return formatFlight(flight);
  });
  expect([before.length, during, names.filter((name) => name.startsWith('XX'))]).toEqual([
    22,
    before,
    ['XX101 LHR-JFK 06-01 11:00', 'XX101 LHR-JFK 06-02 11:00', 'XX101 LHR-JFK 06-03 11:00'],
  ]);
});
