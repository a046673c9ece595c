import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { MctFile, MctSide } from '#domain/connections/mct/mct-record.ts';
import { toStateCode } from '#domain/connections/flights/connection-master-data.ts';
import { findCarrier, findStation } from '#domain/master-data/master-data-index.ts';
import { createLoadReport, type LoadReport } from '#feeds/load-report.ts';
import { readConnectingTimes } from '#feeds/mct/record-reader.ts';
import { readLocationFacts } from '#store/master-data/master-data-facts.ts';
import type { Database } from '#store/pool/database.ts';
import { replaceMctFile } from '#store/connections/mct.ts';
import { insertLoad, updateLoadReport } from '#store/schedules/schedules.ts';
import { readMasterDataIndex } from '../cache/read-master-data-index.ts';
import { rejectWithReport } from '#feeds/reject-with-report.ts';
import { readSourceFile } from '#feeds/read-source-file.ts';

export type ImportMctOptions = {
  readonly db: Database;
  /** A file of minimum connecting times (SSIM chapter 8), plain or gzip. */
  readonly file: string;
  /** Called with the progress of a step: `done` of `total`, in bytes of the file for `read`. */
  readonly onProgress?: ((step: 'read' | 'save', done: number, total: number) => void) | undefined;
};

type CodeMention = { readonly line: number; readonly codes: readonly string[] };

const listSideCodes = ({ records }: MctFile, codesOf: (side: MctSide) => readonly string[]): readonly CodeMention[] =>
  records.map(({ line, arrival, departure }) => ({ line, codes: [...codesOf(arrival), ...codesOf(departure)] }));

const listStationCodes = (file: MctFile): readonly CodeMention[] => [
  ...file.records.map(({ line, arrivalStation, departureStation }) => ({
    line,
    codes: [arrivalStation, departureStation],
  })),
  ...listSideCodes(file, ({ station }) => [station]),
];

const listCarrierCodes = (file: MctFile): readonly CodeMention[] => [
  ...listSideCodes(file, ({ carrier, operator }) => [carrier, operator]),
  ...file.partners.map(({ line, carrier, partners }) => ({ line, codes: [carrier, ...partners] })),
];

/** States with their countries, e.g. `US NY`. */
const listStateCodes = (file: MctFile): readonly CodeMention[] => {
  const toState = (countryCode: string, stateCode: string): string =>
    stateCode === '' ? '' : `${countryCode} ${stateCode}`;
  return [
    ...file.records.map(({ line, suppressionCountryCode, suppressionStateCode }) => ({
      line,
      codes: [toState(suppressionCountryCode, suppressionStateCode)],
    })),
    ...listSideCodes(file, ({ countryCode, stateCode }) => [toState(countryCode, stateCode)]),
  ];
};

/**
 * Adds a remark for each code that is missing in master data, with the number of records that have it and the first
 * line.
 */
const remarkUnknownCodes = (
  report: LoadReport,
  noun: 'station' | 'carrier' | 'state',
  { mentions, isKnown }: { readonly mentions: readonly CodeMention[]; readonly isKnown: (code: string) => boolean },
): void => {
  const lines = new Map<string, Set<number>>();
  const knownCodes = new Set(['']);
  for (const { line, codes } of mentions)
    for (const code of codes) {
      if (knownCodes.has(code)) continue;
      const unknown = lines.get(code);
      if (unknown) unknown.add(line);
      else if (isKnown(code)) knownCodes.add(code);
      else lines.set(code, new Set([line]));
    }
  for (const [code, mentionLines] of [...lines].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    report.entries.push({
      severity: 'notice',
      line: Math.min(...mentionLines),
      field: noun,
      value: code,
      reason: `${noun}-unknown`,
      message: `the ${noun} is not in the master data; ${mentionLines.size} ${mentionLines.size === 1 ? 'record contains' : 'records contain'} it, this is the first`,
    });
};

const remarkUnknown = async (db: Database, file: MctFile, report: LoadReport): Promise<void> => {
  const masterDataIndex = await readMasterDataIndex(db);
  remarkUnknownCodes(report, 'station', {
    mentions: listStationCodes(file),
    isKnown: (code) => findStation(masterDataIndex, code) !== undefined,
  });
  remarkUnknownCodes(report, 'carrier', {
    mentions: listCarrierCodes(file),
    isKnown: (code) => findCarrier(masterDataIndex, code) !== undefined,
  });
  const states = new Set(
    [...(await readLocationFacts(db)).values()].map(
      ({ region: { code } }) => `${code.slice(0, 2)} ${toStateCode(code)}`,
    ),
  );
  remarkUnknownCodes(report, 'state', { mentions: listStateCodes(file), isKnown: (code) => states.has(code) });
};

/**
 * Imports a file of minimum connecting times in one transaction, and replaces the previous file. The next build of the
 * connection set uses it. Throws FeedError, without changes, when the file is invalid as a whole.
 */
export const importMct = async ({ db, file, onProgress }: ImportMctOptions): Promise<LoadReport> => {
  const { size } = await stat(file);
  const digest = createHash('sha256');
  const source = basename(file);
  const report = createLoadReport(source);
  let read = 0;
  const onBytes = (chunk: Buffer): void => {
    digest.update(chunk);
    read += chunk.length;
    onProgress?.('read', read, size);
  };
  const mct = await rejectWithReport(report, readConnectingTimes(readSourceFile(file, onBytes), report));
  onProgress?.('save', 0, 1);
  await remarkUnknown(db, mct, report);
  await db.begin(async (sql) => {
    await replaceMctFile(sql, mct);
    const loadId = await insertLoad(sql, { kind: 'mct', source, sha256: digest.digest('hex'), carriers: [] });
    await updateLoadReport(sql, loadId, report);
  });
  return report;
};
