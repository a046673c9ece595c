import type { MctFile } from '../../../src/domain/connections/mct/mct-record.ts';
import { createLoadReport, type LoadReport } from '../../../src/feeds/load-report.ts';
import { readConnectingTimes } from '../../../src/feeds/mct/read-connecting-times.ts';
import { inChunks } from '../ssim/build-file.ts';

export type Loaded = MctFile & {
  readonly report: LoadReport;
  /** `severity reason line`, as entered. */
  readonly remarks: readonly string[];
};

/** Reads a file given as text, one byte for each character, in chunks of some odd size. */
export const load = async (text: string): Promise<Loaded> => {
  const report = createLoadReport('test');
  const file = await readConnectingTimes(inChunks(Buffer.from(text, 'latin1'), 777), report);
  const remarks = report.entries.map(({ severity, reason, line }) => `${severity} ${reason} ${line}`);
  return { ...file, report, remarks };
};
