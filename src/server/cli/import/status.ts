import type { Command } from 'commander';
import type { Config } from '#config.ts';
import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { Database } from '#store/pool/database.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import {
  createAidxReader,
  createBtsReader,
  createStatusReader,
  createTelegramReader,
  type FeedArrival,
  type FeedReader,
} from '#jobs/status/ingest/feed-readers.ts';
import { importStatusFile, type StatusImportOptions } from '#jobs/status/ingest/import-file.ts';
import { createIngester } from '#jobs/status/ingest/status-ingester.ts';
import { ingestStream, type Acknowledgement } from '#jobs/status/ingest/ingest-stream.ts';
import { createClock } from '../shared/clock.ts';
import { exitCodes, importExitCodeHelp, mergeExitCodes } from '../shared/exit-codes.ts';
import { runLoad, warnAboutDemoData } from '../shared/load-result.ts';
import { withStore } from '../shared/open-store.ts';
import { readStandardInput } from './read-standard-input.ts';
import { writeLine } from './write-line.ts';

/** A feed of status messages that can be imported, and its subcommand. */
type StatusFeed = {
  readonly kind: StatusImportOptions['kind'];
  readonly description: string;
  readonly argumentDescription: string;
  readonly createReader: (clock: () => Date, arrival: FeedArrival) => (masterDataIndex: MasterDataIndex) => FeedReader;
};

const onTimeFeed: StatusFeed = {
  kind: 'bts',
  description: 'load actual times, cancellations and diversions from US on-time performance files',
  argumentDescription: 'files, plain, gzip or ZIP, each loaded completely or not at all',
  createReader: () => createBtsReader,
};

const feeds: readonly StatusFeed[] = [
  {
    kind: 'status',
    description: 'load status messages from newline-delimited JSON (docs/reference/status-messages.md)',
    argumentDescription:
      'files, each loaded completely or not at all; - reads standard input until it ends and acknowledges stored messages on standard output',
    createReader: (clock) => () => createStatusReader(clock),
  },
  onTimeFeed,
  {
    kind: 'mvt',
    description: 'load IATA movement telegrams, MVT and DIV (docs/reference/movement-telegrams.md)',
    argumentDescription: 'files, each loaded completely or not at all; - reads standard input',
    createReader: (clock, arrival) => () => createTelegramReader(clock, arrival),
  },
  {
    kind: 'aidx',
    description: 'load flight legs from AIDX documents (docs/reference/aidx.md)',
    argumentDescription:
      'files, plain or gzip, each loaded completely or not at all; - reads one document from standard input',
    createReader: (clock, arrival) => () => createAidxReader(clock, arrival),
  },
];

/** Writes each remark on its own line, then the position up to which the stream is stored. */
const writeAcknowledgement = async ({ remarks, ...acknowledged }: Acknowledgement): Promise<void> => {
  for (const remark of remarks) await writeLine({ remark });
  await writeLine({ acknowledged });
};

/** Stores messages from standard input until it ends. */
const loadStream = async (
  db: Database,
  feed: FeedReader,
  {
    clock,
    cacheLeaseMs,
    planDays,
    precedence,
  }: { readonly clock: () => Date } & Pick<Config, 'cacheLeaseMs' | 'planDays' | 'precedence'>,
): Promise<number> => {
  const totals = { messages: 0, duplicates: 0, conflicts: 0, quarantined: 0, rejected: 0 };
  const onBatch = async (batch: Acknowledgement): Promise<void> => {
    totals.messages += batch.stored;
    totals.duplicates += batch.duplicates;
    totals.conflicts += batch.conflicts ?? 0;
    totals.quarantined += batch.quarantined;
    totals.rejected += batch.rejected;
    await writeAcknowledgement(batch);
  };
  await readStandardInput(db, async (input, getMasterDataIndex) => {
    const ingester = await createIngester(db, { getMasterDataIndex, clock, planDays, precedence });
    await ingestStream(feed(input), ingester, { onBatch, cacheLeaseMs });
  });
  const { messages, duplicates, conflicts, quarantined, rejected } = totals;
  process.stderr.write(
    `stream ended: ${messages} messages stored, ${duplicates} duplicates, ${quarantined} quarantined, ${rejected} lines rejected${
      conflicts > 0 ? `, ${conflicts} with the ID of another message` : ''
    }\n`,
  );
  return quarantined + rejected + conflicts > 0 ? exitCodes.quarantined : exitCodes.success;
};

const loadStatus = async (
  config: Config,
  files: readonly string[],
  { kind, createReader, json = false }: StatusFeed & { readonly json?: boolean },
): Promise<number> =>
  withStore(config, `import ${kind}`, async ({ db, whenVisible }) => {
    await warnAboutDemoData(db);
    const clock = createClock(config.today);
    const codes: number[] = [];
    for (const file of files)
      codes.push(
        file === '-'
          ? await loadStream(db, createReader(clock, 'received')(await readMasterDataIndex(db)), { ...config, clock })
          : await runLoad(file, json, (onProgress) =>
              whenVisible(
                importStatusFile({
                  db,
                  kind,
                  file,
                  feed: createReader(clock, 'file'),
                  clock,
                  planDays: config.planDays,
                  precedence: config.precedence,
                  onProgress: (done, total) => onProgress('load', done, total),
                }),
              ),
            ),
      );
    return mergeExitCodes(codes);
  });

/** Loads US on-time performance files in their order, and returns the exit code. */
export const loadOnTimeFiles = (
  config: Config,
  files: readonly string[],
  options: { readonly json?: boolean },
): Promise<number> => loadStatus(config, files, { ...onTimeFeed, ...options });

/** Adds `flightdata import status`, `import bts`, `import mvt` and `import aidx`. */
export const addImportStatus = (command: Command, config: () => Config): void => {
  for (const feed of feeds)
    command
      .command(feed.kind)
      .description(feed.description)
      .argument('<file...>', feed.argumentDescription)
      .option('--json', 'print the load report as JSON')
      .addHelpText('after', importExitCodeHelp)
      .action(async (files: string[], options: { readonly json?: boolean }) => {
        process.exitCode = await loadStatus(config(), files, { ...feed, ...options });
      });
};
