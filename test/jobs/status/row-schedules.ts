import { localDate } from '../../../src/domain/time/dates.ts';
import { findStation } from '../../../src/domain/master-data/master-data-index.ts';
import { createLoadReport } from '../../../src/feeds/load-report.ts';
import { publishSchedules } from '../../../src/jobs/expand/publish-schedules.ts';
import { readSourceFile } from '../../../src/feeds/read-source-file.ts';
import { createBtsReader } from '../../../src/jobs/status/ingest/feed-readers.ts';
import { buildSchedulesFromRows } from '../../support/schedules-from-rows.ts';
import type { RealWorld } from './real-world.ts';

/** The days of the file with diversions, and one on which flights of the last day continue. */
export const days = Array.from({ length: 16 }, (_, index) => `2014-01-${String(index + 1).padStart(2, '0')}`);

/** All of them, in the form of a search. */
export const allDays = '2014-01-01/2014-01-16';

/** Publishes the schedules that follow from the rows of that file. */
export const publishSchedulesOfRows = async (world: RealWorld, path: string): Promise<void> => {
  const messages = [];
  for await (const { message } of createBtsReader(world.masterDataIndex())(readSourceFile(path, () => {})))
    if (message) messages.push(message);
  await publishSchedules(world.db, {
    kind: 'ssim',
    source: 'schedules of the rows',
    sha256: '',
    schedules: buildSchedulesFromRows(messages, (iata) => findStation(world.masterDataIndex(), iata)?.zone),
    report: createLoadReport('schedules of the rows'),
    today: localDate('2014-01-01'),
    horizonDays: 30,
  });
  await world.refresh();
};
