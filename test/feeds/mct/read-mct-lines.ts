import type { MctFile } from '#domain/connections/mct/mct-record.ts';
import { createLoadReport, type LoadReport } from '#feeds/load-report.ts';
import { readConnectingTimes } from '#feeds/mct/record-reader.ts';
import { splitIntoChunks } from '../ssim/build-file.ts';

export type LoadedMctFile = MctFile & {
  readonly report: LoadReport;
  /** `severity reason line` of each entry. */
  readonly remarks: readonly string[];
};

/** Reads a file given as text, one byte for each character, in chunks of an odd size. */
export const readMctText = async (text: string): Promise<LoadedMctFile> => {
  const report = createLoadReport('test');
  const file = await readConnectingTimes(splitIntoChunks(Buffer.from(text, 'latin1'), 777), report);
  const remarks = report.entries.map(({ severity, reason, line }) => `${severity} ${reason} ${line}`);
  return { ...file, report, remarks };
};
