import { escapeControls } from '../lib/escape-controls.ts';

/** Of a record with a remark: accepted as it is, accepted with a corrected value, or rejected. */
export type Severity = 'notice' | 'corrected' | 'quarantined';

/** One remark about the source. `reason` is a code to count by, `message` a sentence for people. */
export type ReportEntry = {
  readonly severity: Severity;
  /** 1-based; absent when the source has no lines. */
  readonly line?: number;
  /** Positions within the line, 1-based, both included. */
  readonly bytes?: readonly [number, number];
  readonly field?: string;
  /** The text as read. */
  readonly value: string;
  readonly reason: string;
  readonly message: string;
};

/** The result of reading one source. It is filled while the source is read, and printed as JSON. */
export type LoadReport = {
  readonly source: string;
  /** Number of accepted records by kind. */
  readonly accepted: Record<string, number>;
  readonly entries: ReportEntry[];
};

const severities: readonly Severity[] = ['quarantined', 'corrected', 'notice'];
const MAX_EXAMPLES = 3;
const MAX_REJECTED = 100;

/** Creates an empty report; `source` is a name for people, such as a file name. */
export const createLoadReport = (source: string): LoadReport => ({ source, accepted: {}, entries: [] });

/** Counts accepted records of a kind. */
export const countAccepted = (report: LoadReport, kind: string, count = 1): void => {
  report.accepted[kind] = (report.accepted[kind] ?? 0) + count;
};

/** Returns the number of entries of each reason, of one severity or of all, in the order of their first entries. */
export const countReasons = (report: LoadReport, severity?: Severity): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const entry of report.entries) {
    if (severity === undefined || entry.severity === severity) counts[entry.reason] = (counts[entry.reason] ?? 0) + 1;
  }
  return counts;
};

const formatEntry = ({ line, bytes, field, value, message }: ReportEntry): string => {
  const location = [
    line === undefined ? '' : `line ${line}`,
    bytes === undefined ? '' : bytes[0] === bytes[1] ? `byte ${bytes[0]}` : `bytes ${bytes[0]}-${bytes[1]}`,
    field ?? '',
  ].filter((part) => part !== '');
  return escapeControls(`${location.length === 0 ? 'entire source' : location.join(', ')}: ${message} [${value}]`);
};

/** Formats each reason with its count and first entries; quarantined entries are listed completely. */
const formatReasons = (severity: Severity, entries: readonly ReportEntry[]): readonly string[] => {
  const byReason = Map.groupBy(entries, (entry) => entry.reason);
  return [...byReason].flatMap(([reason, ofReason]) => {
    const shown = severity === 'quarantined' ? ofReason : ofReason.slice(0, MAX_EXAMPLES);
    const more = ofReason.length - shown.length;
    return [
      `  ${reason}: ${ofReason.length}`,
      ...shown.map((entry) => `    ${formatEntry(entry)}`),
      ...(more > 0 ? [`    and ${more} more; --json prints all`] : []),
    ];
  });
};

/** Formats a report as text: totals, then each reason with its count and entries, and every quarantined record. */
export const formatLoadReport = (report: LoadReport): string => {
  const bySeverity = Map.groupBy(report.entries, (entry) => entry.severity);
  const accepted = Object.entries(report.accepted).map(([kind, count]) => `${count} ${kind}`);
  const totals = severities.map((severity) => `${bySeverity.get(severity)?.length ?? 0} ${severity}`);
  return [
    escapeControls(report.source),
    `  accepted: ${accepted.length === 0 ? 'nothing' : accepted.join(', ')}`,
    `  remarks: ${totals.join(', ')}`,
    ...severities.flatMap((severity) => {
      const ofReason = bySeverity.get(severity);
      return ofReason === undefined ? [] : [severity, ...formatReasons(severity, ofReason)];
    }),
    '',
  ].join('\n');
};

/** Formats the first quarantined records of a rejected source and the number of each reason; empty when there are none. */
export const formatRejectedRecords = (report: LoadReport): string => {
  const entries = report.entries.filter(({ severity }) => severity === 'quarantined');
  if (entries.length === 0) return '';
  const shown = entries.slice(0, MAX_REJECTED);
  const more = entries.length - shown.length;
  return [
    'quarantined',
    ...shown.map((entry) => `  ${formatEntry(entry)}`),
    ...(more > 0 ? [`  and ${more} more; --json prints all`] : []),
    'quarantined by reason',
    ...Object.entries(countReasons(report, 'quarantined')).map(([reason, count]) => `  ${reason}: ${count}`),
    '',
  ].join('\n');
};
