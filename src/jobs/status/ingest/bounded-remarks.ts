import type { LoadReport, ReportEntry } from '../../../feeds/load-report.ts';

/** A report lists so many remarks; more of them nobody reads, and a file of millions of lines must not fill the memory. */
const MOST_LISTED = 10_000;

/** Takes remarks into a report: the first ones as they are, of the rest the number of each reason. */
export const boundedRemarks = (
  report: LoadReport,
): { readonly add: (entries: readonly ReportEntry[]) => void; readonly finish: () => void } => {
  const more = new Map<string, { readonly first: ReportEntry; count: number }>();
  const add = (entry: ReportEntry): void => {
    if (report.entries.length < MOST_LISTED) {
      report.entries.push(entry);
      return;
    }
    const { severity, reason } = entry;
    const known = more.get(`${severity} ${reason}`);
    if (known) known.count += 1;
    else more.set(`${severity} ${reason}`, { first: entry, count: 1 });
  };
  return {
    add: (entries) => entries.forEach(add),
    finish: () => {
      for (const { first, count } of more.values())
        report.entries.push({
          ...first,
          message: `${count} more for this reason, this the first of them: ${first.message}`,
        });
    },
  };
};
