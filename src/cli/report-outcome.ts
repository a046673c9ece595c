import { formatReport, type LoadReport } from '../feeds/load-report.ts';

/** How a load ended, as the exit code tells it. */
export const exitCodes = { loaded: 0, refused: 1, usage: 2, loadedWithQuarantine: 3 } as const;

/** Prints a load report, as text or as one JSON document, and answers the exit code it stands for. */
export const reportOutcome = (report: LoadReport, { json }: { readonly json: boolean }): number => {
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : formatReport(report));
  return report.entries.some(({ severity }) => severity === 'quarantined')
    ? exitCodes.loadedWithQuarantine
    : exitCodes.loaded;
};
