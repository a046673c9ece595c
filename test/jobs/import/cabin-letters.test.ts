import { expect, test } from 'vitest';
import type { SchedulePage } from '#generated/schedules/v1/types.gen.ts';
import { importMasterData } from '#jobs/import/import-master-data.ts';
import { getJson } from '#test/products/responses.ts';
import { schedule } from '#test/products/schedules/v1/example-schedule.ts';
import { sharedService } from '#test/support/shared-service.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';
import { publishText, serveTinyWorld } from '#test/support/tiny-world.ts';
import { required } from './required-files.ts';

const world = sharedService(serveTinyWorld);
const { folder, write } = createTemporaryFolder();

test('a carrier that files economy plus under a letter of its own has these seats in schedules', async () => {
  const carrier = 'c^^^^XXA^XX^Example Airways^^P^9^LHR';
  const files = {
    ...required,
    'optd_airlines.csv': [...required['optd_airlines.csv'], carrier],
    'cabin_letters.csv': ['carrier,letter,cabin', 'XX,W,economyPlus', 'XX,Q,economy', 'XX,S,roof', 'Q9,S,economyPlus'],
  };
  for (const [name, lines] of Object.entries(files)) write(name, `${lines.join('\n')}\n`);
  const report = await importMasterData({ sql: world.db, dir: folder, log: () => {}, isForced: true });
  const remarks = report.entries.filter(({ reason }) => reason.startsWith('cabin-letter'));
  expect(remarks.map(({ severity, line, value }) => [severity, line, value])).toEqual([
    ['quarantined', 3, 'XX Q economy'],
    ['quarantined', 4, 'XX S roof'],
    ['notice', undefined, 'Q9'],
  ]);
  await publishText(world.db, schedule, { horizonDays: 1 });
  await world.refresh();
  const { data } = await getJson<SchedulePage>(world, '/flights?FlightNumber=101&IataCarrierCode=XX&Content=Seats');
  const cabins = { firstClass: 0, businessClass: 30, premiumEconomyClass: 0, economyPlusClass: 21, economyClass: 178 };
  expect(data.map(({ premiumContent }) => premiumContent)).toEqual([
    { seatingCapacity: { ...cabins, totalSeats: 229 } },
  ]);
});
