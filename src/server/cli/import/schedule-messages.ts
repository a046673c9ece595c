import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Config } from '#config.ts';
import { FeedError } from '#feeds/feed-error.ts';
import { formatLoadReport } from '#feeds/load-report.ts';
import {
  importScheduleMessages,
  ingestScheduleStream,
  type ScheduleAcknowledgement,
} from '#jobs/schedule-messages/import-messages.ts';
import type { ScheduleMessageOutcome } from '#jobs/schedule-messages/ingest-messages.ts';
import { assertSpoolDirectory, importSpooledFiles } from '#jobs/schedule-messages/spool-directory.ts';
import { escapeControls } from '#lib/escape-controls.ts';
import type { Database } from '#store/pool/database.ts';
import { createClock } from '../shared/clock.ts';
import { exitCodes, importExitCodeHelp, mergeExitCodes } from '../shared/exit-codes.ts';
import { runLoad, warnAboutDemoData } from '../shared/load-result.ts';
import { withStore } from '../shared/open-store.ts';
import { waitForStopSignal } from '../shared/stop-signal.ts';
import { readStandardInput } from './read-standard-input.ts';
import { writeLine } from './write-line.ts';

type Options = { readonly json?: boolean; readonly watch?: string };

/** How often a spool directory is read, milliseconds: events follow within a second of the message. */
const SPOOL_PERIOD_MS = 250;

const countKind = (outcomes: readonly ScheduleMessageOutcome[], kind: ScheduleMessageOutcome['kind']): number =>
  outcomes.filter((outcome) => outcome.kind === kind).length;

/** Returns the telegrams of other types by type; nothing when there are none. */
const countTypes = (types: readonly string[]): { readonly leftOut?: Readonly<Record<string, number>> } => {
  const counts = [...Map.groupBy(types, (type) => type)].map(([type, of]) => [type, of.length] as const);
  return counts.length === 0 ? {} : { leftOut: Object.fromEntries(counts) };
};

/** Writes each remark and reply on its own line, then the position up to which the stream is stored. */
const writeAcknowledgement = async ({ line, outcomes, report }: ScheduleAcknowledgement): Promise<void> => {
  const ofMessages = new Set(outcomes.flatMap(({ entries }) => entries));
  for (const remark of report.entries) if (!ofMessages.has(remark)) await writeLine({ remark });
  for (const { entries, reply, line: ofMessage } of outcomes) {
    for (const remark of entries) await writeLine({ remark });
    if (reply !== undefined) await writeLine({ reply: { line: ofMessage, text: reply } });
  }
  const [applied, quarantined] = [countKind(outcomes, 'applied'), countKind(outcomes, 'quarantined')];
  const partlyApplied = outcomes.filter((outcome) => outcome.isPartlyApplied).length;
  const [duplicates, waiting] = [countKind(outcomes, 'duplicate'), countKind(outcomes, 'waiting')];
  const superseded = countKind(outcomes, 'superseded');
  const leftOut = countTypes(outcomes.flatMap(({ otherType }) => otherType ?? []));
  const unapplied = { quarantined, duplicates, waiting, superseded };
  await writeLine({ acknowledged: { line, applied, partlyApplied, ...unapplied, ...leftOut } });
};

/** What each import needs. */
type ImportContext = { readonly db: Database; readonly clock: () => Date; readonly cacheLeaseMs: number };

const loadStream = async (context: ImportContext): Promise<number> => {
  let quarantined = 0;
  const onBatch = async (acknowledgement: ScheduleAcknowledgement): Promise<void> => {
    quarantined += countKind(acknowledgement.outcomes, 'quarantined');
    await writeAcknowledgement(acknowledgement);
  };
  await readStandardInput(context.db, (input, getMasterDataIndex) =>
    ingestScheduleStream(input, { ...context, getMasterDataIndex, onBatch }),
  );
  return quarantined > 0 ? exitCodes.quarantined : exitCodes.success;
};

/** Imports the files of a spool directory until the process is stopped. */
const watchSpool = async (directory: string, context: ImportContext): Promise<number> => {
  await assertSpoolDirectory(directory);
  const stop = new AbortController();
  void waitForStopSignal().then(() => stop.abort());
  const onFile = (name: string, result: Awaited<ReturnType<typeof importScheduleMessages>> | FeedError): void => {
    process.stdout.write(
      result instanceof FeedError
        ? `${escapeControls(`${name}: not imported: ${result.message}`)}\n`
        : formatLoadReport(result.report),
    );
  };
  process.stderr.write(`watching ${escapeControls(directory)}\n`);
  const reported = new Set<string>();
  while (!stop.signal.aborted) {
    await importSpooledFiles(directory, { ...context, onFile, reported, signal: stop.signal });
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
    const context = { db, clock: createClock(config.today), cacheLeaseMs: config.cacheLeaseMs };
    const codes: number[] = [];
    for (const file of files)
      codes.push(
        file === '-'
          ? await loadStream(context)
          : await runLoad(file, json, async (onProgress) => {
              const onBytes = (total: number): void => onProgress('read', total, total);
              return (await importScheduleMessages({ ...context, file, onBytes })).report;
            }),
      );
    if (watch !== undefined) codes.push(await watchSpool(watch, context));
    return mergeExitCodes(codes);
  });

/** Adds `flightdata import schedule-messages`. */
export const addImportScheduleMessages = (command: Command, config: () => Config): void => {
  command
    .command('schedule-messages')
    .description('apply SSM and ASM messages to the schedules (docs/how-to/operate/load-schedule-messages.md)')
    .argument('[file...]', 'files; - reads standard input and acknowledges stored messages on standard output')
    .option('--watch <dir>', 'import the files of a spool directory until the command is stopped')
    .option('--json', 'print the load report as JSON')
    .addHelpText('after', importExitCodeHelp)
    .action(async (files: string[], options: Options, self: Command) => {
      if (files.length === 0 && options.watch === undefined) self.error('error: name a file, - or --watch <dir>');
      process.exitCode = await loadMessages(config(), files, options);
    });
};
