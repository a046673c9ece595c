/** How a record fared that was not simply taken: kept as it is, kept with a value mended, or kept out. */
export type Severity = 'notice' | 'corrected' | 'quarantined';

/** One remark about the source. `reason` is a code to count by, `message` a sentence to read. */
export type ReportEntry = {
  readonly severity: Severity;
  /** 1-based; absent where a source has no lines. */
  readonly line?: number;
  /** Positions within the line, from 1, both included. */
  readonly bytes?: readonly [number, number];
  readonly field?: string;
  /** What stood there, as it was read. */
  readonly value: string;
  readonly reason: string;
  readonly message: string;
};

/** What became of one source. It is filled while the source is read, and is its own JSON form. */
export type LoadReport = {
  readonly source: string;
  /** Records taken, by kind. */
  readonly accepted: Record<string, number>;
  readonly entries: ReportEntry[];
};

const severities: readonly Severity[] = ['quarantined', 'corrected', 'notice'];
const MAX_EXAMPLES = 3;

/** A report with nothing in it yet; `source` is a name for people, such as a file name. */
export const createLoadReport = (source: string): LoadReport => ({ source, accepted: {}, entries: [] });

/** Counts records of a kind as taken. */
export const countAccepted = (report: LoadReport, kind: string, count = 1): void => {
  report.accepted[kind] = (report.accepted[kind] ?? 0) + count;
};

/** The number of entries of each reason, of one severity or of all, in the order the reasons first came up. */
export const countReasons = (report: LoadReport, severity?: Severity): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const entry of report.entries) {
    if (severity === undefined || entry.severity === severity) counts[entry.reason] = (counts[entry.reason] ?? 0) + 1;
  }
  return counts;
};

const formatEntry = ({ line, bytes, field, value, message }: ReportEntry): string => {
  const place = [
    line === undefined ? '' : `line ${line}`,
    bytes === undefined ? '' : bytes[0] === bytes[1] ? `byte ${bytes[0]}` : `bytes ${bytes[0]}-${bytes[1]}`,
    field ?? '',
  ].filter((part) => part !== '');
  return `${place.length === 0 ? 'whole source' : place.join(', ')}: ${message} [${value}]`;
};

/** Each reason with its count and its first entries; of what is quarantined nothing is left out. */
const formatReasons = (severity: Severity, entries: readonly ReportEntry[]): readonly string[] => {
  const byReason = Map.groupBy(entries, (entry) => entry.reason);
  return [...byReason].flatMap(([reason, found]) => {
    const shown = severity === 'quarantined' ? found : found.slice(0, MAX_EXAMPLES);
    const more = found.length - shown.length;
    return [
      `  ${reason}: ${found.length}`,
      ...shown.map((entry) => `    ${formatEntry(entry)}`),
      ...(more > 0 ? [`    and ${more} more; --json tells all`] : []),
    ];
  });
};

/** The report as text: totals, then each reason with its count and entries, every quarantined record among them. */
export const formatLoadReport = (report: LoadReport): string => {
  const bySeverity = Map.groupBy(report.entries, (entry) => entry.severity);
  const accepted = Object.entries(report.accepted).map(([kind, count]) => `${count} ${kind}`);
  const totals = severities.map((severity) => `${bySeverity.get(severity)?.length ?? 0} ${severity}`);
  return [
    report.source,
    `  accepted: ${accepted.length === 0 ? 'nothing' : accepted.join(', ')}`,
    `  remarks: ${totals.join(', ')}`,
    ...severities.flatMap((severity) => {
      const found = bySeverity.get(severity);
      return found === undefined ? [] : [severity, ...formatReasons(severity, found)];
    }),
    '',
  ].join('\n');
};
