import type { Command } from 'commander';
import type { Config } from '#config.ts';
import { addImportMasterData } from './master-data.ts';
import { addImportMct } from './mct.ts';
import { addImportScheduleMessages } from './schedule-messages.ts';
import { addImportSources } from './sources.ts';
import { addImportSsim } from './ssim.ts';
import { addImportStatus } from './status.ts';

/** Adds `flightdata import`. */
export const addImport = (program: Command, config: () => Config): void => {
  const command = program
    .command('import')
    .description('load schedules, statuses, minimum connecting times or master data');
  addImportSsim(command, config);
  addImportScheduleMessages(command, config);
  addImportMct(command, config);
  addImportStatus(command, config);
  addImportMasterData(command, config);
  addImportSources(command, config);
};
