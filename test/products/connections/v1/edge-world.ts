import type { ConnectionPage, Explanation } from '#generated/connections/v1/types.gen.ts';
import { localDate } from '#domain/time/dates.ts';
import type { LoadReport } from '#feeds/load-report.ts';
import { importMct } from '#jobs/import/import-mct.ts';
import { importSsim } from '#jobs/import/import-ssim.ts';
import { importScheduleMessages } from '#jobs/schedule-messages/import-messages.ts';
import { buildFile } from '#test/feeds/ssim/build-file.ts';
import type { createTemporaryFolder } from '#test/support/temporary-folder.ts';
import { serveTinyWorld } from '#test/support/tiny-world.ts';
import { clearSchedules } from '#test/jobs/expand/schedule-events/stored-schedule.ts';
import { getJson } from '#test/products/responses.ts';

/** Serves the tiny world; its files are imported as the commands import them. Today is 1 June 2026. */
export const serveEdges = async (write: ReturnType<typeof createTemporaryFolder>['write']) => {
  const world = await serveTinyWorld();
  const { db } = world;
  const importSchedule = (text: string): Promise<LoadReport> =>
    importSsim({ db, file: write('schedule.ssim', text), today: localDate('2026-06-01'), horizonDays: 5 });
  return {
    ...world,
    importSchedule,
    importTimes: (text: string): Promise<LoadReport> => importMct({ db, file: write('times.mct', text) }),
    importMessages: async (text: string) => {
      const clock = (): Date => new Date('2026-06-01T12:00:00Z');
      return (await importScheduleMessages({ db, file: write('messages.txt', text), clock })).report;
    },
    /** Replaces all schedules by a file of XX with these records, and serves the set of it. */
    serveFlights: async (...records: readonly string[]): Promise<void> => {
      await clearSchedules(db);
      await importSchedule(buildFile(...records));
      await world.buildConnections();
    },
    search: (query: string): Promise<ConnectionPage> => getJson(world, `/flight-connections?${query}`),
    /** Explains `XX 101 + XX 102` on a date. */
    explain: (flights: string, date = '2026-06-02'): Promise<Explanation> => {
      const [one = '', other = ''] = flights.split(' + ');
      const leg = (number: 1 | 2, [carrier, flight]: readonly string[]): string =>
        `Leg${number}CarrierCode=${carrier}&Leg${number}FlightNumber=${flight}`;
      const query = `${leg(1, one.split(' '))}&${leg(2, other.split(' '))}&DepartureDate=${date}`;
      return getJson(world, `/flight-connections/explain?${query}`);
    },
  };
};
