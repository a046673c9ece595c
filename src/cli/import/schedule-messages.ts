import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import { FeedError } from '../../feeds/feed-error.ts';
import { formatLoadReport } from '../../feeds/load-report.ts';
import { startMasterDataCache } from '../../jobs/cache/master-data-cache.ts';
import { readMasterDataIndex } from '../../jobs/cache/read-master-data-index.ts';
import {
  importScheduleMessages,
  ingestScheduleStream,
  type ScheduleAcknowledgement,
} from '../../jobs/schedule-messages/import-messages.ts';
import type { ScheduleMessageOutcome } from '../../jobs/schedule-messages/ingest-messages.ts';
import { assertSpoolDirectory, importSpooledFiles } from '../../jobs/schedule-messages/spool-directory.ts';
import type { Database } from '../../store/pool/database.ts';
import { createClock } from '../shared/clock.ts';
import { exitCodes, importExitCodeHelp, mergeExitCodes } from '../shared/exit-codes.ts';
import { runLoad, warnAboutDemoData } from '../shared/load-result.ts';
import { withStore } from '../shared/open-store.ts';
import { waitForStopSignal } from '../shared/stop-signal.ts';
import { writeLine } from './write-line.ts';

type Options = { readonly json?: boolean; readonly watch?: string };

/** How often a spool directory is read, milliseconds: events follow within a second of the message. */
const SPOOL_PERIOD_MS = 250;

const countKind = (outcomes: readonly ScheduleMessageOutcome[], kind: ScheduleMessageOutcome['kind']): number =>
  outcomes.filter((outcome) => outcome.kind === kind).length;

/** Writes each remark and reply on its own line, then the position up to which the stream is stored. */
const writeAcknowledgement = async ({ line, outcomes }: ScheduleAcknowledgement): Promise<void> => {
  for (const { entries, reply, line: ofMessage } of outcomes) {
    for (const remark of entries) await writeLine({ remark });
    if (reply !== undefined) await writeLine({ reply: { line: ofMessage, text: reply } });
  }
  const [applied, quarantined] = [countKind(outcomes, 'applied'), countKind(outcomes, 'quarantined')];
  const [duplicates, waiting] = [countKind(outcomes, 'duplicate'), countKind(outcomes, 'waiting')];
  await writeLine({ acknowledged: { line, applied, quarantined, duplicates, waiting } });
};

const loadStream = async (db: Database, clock: () => Date): Promise<number> => {
  const onError = (error: unknown): void => {
    process.stderr.write(
      `warning: reloading the master data failed, the previous ones stay in use: ${String(error)}\n`,
    );
  };
  const cache = await startMasterDataCache(db, { read: readMasterDataIndex, onError });
  let quarantined = 0;
  try {
    await ingestScheduleStream(process.stdin, {
      db,
      clock,
      getMasterDataIndex: cache.current,
      onBatch: async (acknowledgement) => {
        quarantined += countKind(acknowledgement.outcomes, 'quarantined');
        await writeAcknowledgement(acknowledgement);
      },
    });
  } finally {
    // An open standard input keeps the process alive after an error.
    process.stdin.destroy();
  }
  await cache.stop();
  return quarantined > 0 ? exitCodes.quarantined : exitCodes.success;
};

/** Imports the files of a spool directory until the process is stopped. */
const watchSpool = async (db: Database, directory: string, clock: () => Date): Promise<number> => {
  await assertSpoolDirectory(directory);
  const stop = new AbortController();
  void waitForStopSignal().then(() => stop.abort());
  const onFile = (name: string, result: Awaited<ReturnType<typeof importScheduleMessages>> | FeedError): void => {
    process.stdout.write(
      result instanceof FeedError ? `${name}: not imported: ${result.message}\n` : formatLoadReport(result.report),
    );
  };
  process.stderr.write(`watching ${directory}\n`);
  while (!stop.signal.aborted) {
    await importSpooledFiles(directory, { db, clock, onFile });
    await wait(SPOOL_PERIOD_MS, undefined, { signal: stop.signal }).catch(() => {});
  }
  return exitCodes.success;
};

const loadMessages = async (
  config: Config,
  files: readonly string[],
  { json = false, watch }: Options,
): Promise<number> =>
  withStore(config, 'import schedule-messages', async ({ db }) => {
    await warnAboutDemoData(db);
    const clock = createClock(config.today);
    const codes: number[] = [];
    for (const file of files)
      codes.push(
        file === '-'
          ? await loadStream(db, clock)
          : await runLoad(file, json, async (onProgress) => {
              const onBytes = (total: number): void => onProgress('read', total, total);
              return (await importScheduleMessages({ db, file, clock, onBytes })).report;
            }),
      );
    if (watch !== undefined) codes.push(await watchSpool(db, watch, clock));
    return mergeExitCodes(codes);
  });

/** Adds `flightdata import schedule-messages`. */
export const addImportScheduleMessages = (command: Command, config: () => Config): void => {
  command
    .command('schedule-messages')
    .description('apply SSM and ASM messages to the schedules (docs/how-to/operate/load-schedule-messages.md)')
    .argument(
      '[file...]',
      'files, each loaded completely or not at all; - reads standard input and acknowledges stored messages on standard output',
    )
    .option('--watch <dir>', 'import the files of a spool directory until the command is stopped')
    .option('--json', 'print the load report as JSON')
    .addHelpText('after', importExitCodeHelp)
    .action(async (files: string[], options: Options, self: Command) => {
      if (files.length === 0 && options.watch === undefined) self.error('error: name a file, - or --watch <dir>');
      process.exitCode = await loadMessages(config(), files, options);
    });
};
