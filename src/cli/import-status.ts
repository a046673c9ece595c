import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Directory } from '../domain/master-data/directory.ts';
import type { Database } from '../store/pool/database.ts';
import { readDirectory } from '../jobs/cache/directory.ts';
import { watchMasterData } from '../jobs/cache/master-data-watch.ts';
import { onTimeItems, statusItems, telegramItems, type ReadFeed } from '../jobs/status/ingest/feed-items.ts';
import { importStatusFile } from '../jobs/status/ingest/import-file.ts';
import { openStatusDoor } from '../jobs/status/ingest/status-ingester.ts';
import { streamStatus, type Acknowledgement } from '../jobs/status/ingest/stream-status.ts';
import { startClock } from './clock.ts';
import { withStore } from './open-store.ts';
import { newProgress } from './progress.ts';
import { asRefusal, tellRefusal, warnOfDemo, worst } from './refusals.ts';
import { exitCodes, reportOutcome } from './report-outcome.ts';

/** The exit code of every load, for `--help`. */
export const exitCodeHelp = `
Exit codes: 0 loaded, 3 loaded with records in quarantine, 1 refused (nothing of that file was loaded), 2 wrong usage.`;

type Kind = 'status' | 'bts' | 'mvt';
type Feed = (directory: Directory) => ReadFeed;
type Options = { readonly json?: boolean };

const loadFile = async (
  db: Database,
  file: string,
  {
    kind,
    feed,
    json,
    clock,
  }: { readonly kind: Kind; readonly feed: Feed; readonly json: boolean; readonly clock: () => Date },
): Promise<number> => {
  const progress = newProgress();
  try {
    const onProgress = (done: number, total: number): void => progress.at('load', done, total);
    const report = await importStatusFile({ db, kind, file, feed, clock, onProgress });
    progress.end(`${file}: loaded`);
    return reportOutcome(report, { json });
  } catch (error) {
    progress.end(`${file}: not loaded`);
    const refusal = asRefusal(error);
    if (!refusal) throw error;
    tellRefusal(file, refusal, json);
    return exitCodes.refused;
  }
};

const writeLine = async (value: object): Promise<void> => {
  if (!process.stdout.write(`${JSON.stringify(value)}\n`))
    await new Promise<void>((resolve) => process.stdout.once('drain', resolve));
};

/** Every remark on a line of its own, then how far the stream has been stored. */
const tellBatch = async ({ remarks, ...acknowledged }: Acknowledgement): Promise<void> => {
  for (const remark of remarks) await writeLine({ remark });
  await writeLine({ acknowledged });
};

const takeStream = async (db: Database, feed: ReadFeed, clock: () => Date): Promise<number> => {
  const onError = (error: unknown): void => {
    process.stderr.write(`master data could not be read again: ${String(error)}\n`);
  };
  const watch = await watchMasterData(db, { read: readDirectory, onError });
  const door = await openStatusDoor(db, watch.current, clock);
  const totals = { messages: 0, duplicates: 0, quarantined: 0, refused: 0 };
  try {
    await streamStatus(feed(process.stdin), door, async (batch) => {
      totals.messages += batch.stored;
      totals.duplicates += batch.duplicates;
      totals.quarantined += batch.quarantined;
      totals.refused += batch.refused;
      await tellBatch(batch);
    });
  } finally {
    // An input that is still open would keep the process from ending after a failure.
    process.stdin.destroy();
  }
  await watch.stop();
  const { messages, duplicates, quarantined, refused } = totals;
  process.stderr.write(
    `stream ended: ${messages} messages stored, ${duplicates} known before, ${quarantined} in quarantine, ${refused} lines refused\n`,
  );
  return quarantined + refused > 0 ? exitCodes.loadedWithQuarantine : exitCodes.loaded;
};

const load = async (
  config: Config,
  files: readonly string[],
  { kind, feed, json = false }: { readonly kind: Kind; readonly feed: Feed } & Options,
): Promise<number> =>
  withStore(config, `import ${kind}`, async ({ db }) => {
    await warnOfDemo(db);
    const clock = startClock(config.today);
    const codes: number[] = [];
    for (const file of files)
      codes.push(
        file === '-'
          ? await takeStream(db, feed(await readDirectory(db)), clock)
          : await loadFile(db, file, { kind, feed, json, clock }),
      );
    return worst(codes);
  });

/** Adds `import status`, `import bts` and `import mvt`. */
export const addStatusImports = (command: Command, config: () => Config): void => {
  const clock = (): (() => Date) => startClock(config().today);
  const kinds: readonly { kind: Kind; describe: string; source: string; feed: () => Feed }[] = [
    {
      kind: 'status',
      describe: 'take in status messages: newline-delimited JSON (docs/status-feed.md)',
      source:
        'files, each all or nothing; - reads standard input for as long as it lasts, and acknowledges on standard output what is stored',
      feed: () => () => statusItems(clock()),
    },
    {
      kind: 'bts',
      describe: 'take in US on-time performance files: what flights did, with their diversions',
      source: 'files, plain or gzip, each all or nothing',
      feed: () => onTimeItems,
    },
    {
      kind: 'mvt',
      describe: 'take in IATA movement telegrams, MVT and DIV (docs/movement-telegrams.md)',
      source: 'files, each all or nothing; - reads standard input',
      feed: () => () => telegramItems(clock()),
    },
  ];
  for (const { kind, describe, source, feed } of kinds)
    command
      .command(kind)
      .description(describe)
      .argument('<file...>', source)
      .option('--json', 'print the load report as JSON')
      .addHelpText('after', exitCodeHelp)
      .action(async (files: string[], options: Options) => {
        process.exitCode = await load(config(), files, { kind, feed: feed(), ...options });
      });
};
