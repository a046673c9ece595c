import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { MctFile, MctSide } from '../../domain/connections/mct/mct-record.ts';
import { carrierIn, stationIn } from '../../domain/master-data/directory.ts';
import { createLoadReport, type LoadReport } from '../../feeds/load-report.ts';
import { readConnectingTimes } from '../../feeds/mct/read-connecting-times.ts';
import type { Database } from '../../store/pool/database.ts';
import { replaceMctFile } from '../../store/connections/mct.ts';
import { insertLoad, updateLoadReport } from '../../store/schedules/schedules.ts';
import { readDirectory } from '../cache/read-directory.ts';
import { bytesOf } from '../../feeds/read-source-file.ts';

export type ImportMctOptions = {
  readonly db: Database;
  /** A file of minimum connecting times (SSIM chapter 8), plain or gzip. */
  readonly file: string;
  /** Hears how far a step is: `done` of `total`, in bytes of the file for `read`. */
  readonly onProgress?: ((step: 'read' | 'save', done: number, total: number) => void) | undefined;
};

type Naming = { readonly line: number; readonly codes: readonly string[] };

const sides = ({ records }: MctFile, codesOf: (side: MctSide) => readonly string[]): readonly Naming[] =>
  records.map(({ line, arrival, departure }) => ({ line, codes: [...codesOf(arrival), ...codesOf(departure)] }));

const stationsNamed = (file: MctFile): readonly Naming[] => [
  ...file.records.map(({ line, arrivalStation, departureStation }) => ({
    line,
    codes: [arrivalStation, departureStation],
  })),
  ...sides(file, ({ station }) => [station]),
];

const carriersNamed = (file: MctFile): readonly Naming[] => [
  ...sides(file, ({ carrier, operator }) => [carrier, operator]),
  ...file.partners.map(({ line, carrier, partners }) => ({ line, codes: [carrier, ...partners] })),
];

/** Tells each code that master data do not know once, with the number of records that name it and the line of the first. */
const remarkUnknown = (
  report: LoadReport,
  noun: 'station' | 'carrier',
  { namings, isKnown }: { readonly namings: readonly Naming[]; readonly isKnown: (code: string) => boolean },
): void => {
  const lines = new Map<string, Set<number>>();
  const known = new Set(['']);
  for (const { line, codes } of namings)
    for (const code of codes) {
      if (known.has(code)) continue;
      const found = lines.get(code);
      if (found) found.add(line);
      else if (isKnown(code)) known.add(code);
      else lines.set(code, new Set([line]));
    }
  for (const [code, named] of [...lines].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    report.entries.push({
      severity: 'notice',
      line: Math.min(...named),
      field: noun,
      value: code,
      reason: `${noun}-unknown`,
      message: `no master data knows this ${noun}, which ${named.size} ${named.size === 1 ? 'record names' : 'records name'}, this line first`,
    });
};

const remarkStrangers = async (db: Database, file: MctFile, report: LoadReport): Promise<void> => {
  const directory = await readDirectory(db);
  remarkUnknown(report, 'station', {
    namings: stationsNamed(file),
    isKnown: (code) => stationIn(directory, code) !== undefined,
  });
  remarkUnknown(report, 'carrier', {
    namings: carriersNamed(file),
    isKnown: (code) => carrierIn(directory, code) !== undefined,
  });
};

/**
 * Loads a file of minimum connecting times, all or nothing, in place of the one before. Connections follow it when they are built next.
 * Throws FeedError when the file as a whole cannot be taken; then nothing has changed.
 */
export const importMct = async ({ db, file, onProgress }: ImportMctOptions): Promise<LoadReport> => {
  const { size } = await stat(file);
  const digest = createHash('sha256');
  const source = basename(file);
  const report = createLoadReport(source);
  let read = 0;
  const onBytes = (piece: Buffer): void => {
    digest.update(piece);
    read += piece.length;
    onProgress?.('read', read, size);
  };
  const found = await readConnectingTimes(bytesOf(file, onBytes), report);
  onProgress?.('save', 0, 1);
  await remarkStrangers(db, found, report);
  await db.begin(async (sql) => {
    await replaceMctFile(sql, found);
    const loadId = await insertLoad(sql, { kind: 'mct', source, sha256: digest.digest('hex'), carriers: [] });
    await updateLoadReport(sql, loadId, report);
  });
  return report;
};
