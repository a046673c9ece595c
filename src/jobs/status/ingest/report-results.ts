import { countAccepted, type LoadReport, type ReportEntry } from '../../../feeds/load-report.ts';
import type { MessageOutcome } from '../store/store-messages.ts';

/** A report lists so many remarks; more of them nobody reads, and a file of millions of lines must not fill the memory. */
const MAX_LISTED = 10_000;

/** Takes remarks into a report: the first ones as they are, of the rest the number of each reason. */
export const createBoundedRemarks = (
  report: LoadReport,
): { readonly add: (entries: readonly ReportEntry[]) => void; readonly finish: () => void } => {
  const more = new Map<string, { readonly first: ReportEntry; count: number }>();
  const add = (entry: ReportEntry): void => {
    if (report.entries.length < MAX_LISTED) {
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

const explanations: Readonly<Record<string, string>> = {
  'no-such-flight':
    'no flight of this designator, day and way is known; the message is kept and tried again with every schedule load',
  'ambiguous-flight': 'several legs fit, and the message does not say which it means; it is kept',
  'airport-unknown': 'no master data knows this airport; the message is kept and tried again with every schedule load',
  'carrier-unknown': 'no master data knows this carrier; the message is kept and tried again with every schedule load',
  'plan-too-far': 'the planned departure is more than 400 days from the time of the message; the message is kept',
  'plan-of-no-flight':
    'the planned flight would take more than 48 hours, or arrive before it departs; the message is kept',
  'plan-of-another-day':
    'the planned departure falls on another local day than the flight is named by; the message is kept',
};

/** What a report says of an outcome: nothing of a message that was simply stored. */
export const toReportEntries = (outcome: MessageOutcome, line: number): readonly ReportEntry[] => {
  if (outcome.kind === 'quarantined') {
    const { reason, value } = outcome;
    return [{ severity: 'quarantined', line, value, reason, message: explanations[reason] ?? 'the message is kept' }];
  }
  if (outcome.kind === 'duplicate') return [];
  const refused = outcome.planError;
  const ofPlan: readonly ReportEntry[] =
    refused === undefined
      ? []
      : [
          {
            severity: 'corrected',
            line,
            field: 'plan',
            value: '',
            reason: refused,
            message: 'the plan is left out; what the message says of the flight is taken',
          },
        ];
  const ofTimes = outcome.contradictions.map((name): ReportEntry => ({
    severity: 'corrected',
    line,
    field: name,
    value: '',
    reason: 'out-of-order',
    message:
      'this time contradicts newer ones of the flight and is left out: out, off, on and in must follow each other',
  }));
  return [...ofPlan, ...ofTimes];
};

/** Counts what became of messages. */
export const countOutcomes = (report: LoadReport, outcomes: readonly MessageOutcome[]): void => {
  for (const outcome of outcomes) {
    if (outcome.kind === 'duplicate') countAccepted(report, 'messages known before');
    if (outcome.kind !== 'stored') continue;
    countAccepted(report, 'messages');
    if (outcome.describesFlight) countAccepted(report, 'of flights that no schedule holds');
  }
};
