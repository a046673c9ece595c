import { countAccepted, type LoadReport, type ReportEntry } from '../../../feeds/load-report.ts';
import type { MessageOutcome } from '../store/store-messages.ts';

/** The most remarks that a report lists individually: a file of millions of lines must not fill the memory. */
const MAX_LISTED = 10_000;

/** Adds remarks to a report: the first ones individually, and the number of the others by reason. */
export const createBoundedRemarks = (
  report: LoadReport,
): { readonly add: (entries: readonly ReportEntry[]) => void; readonly finish: () => void } => {
  const unlisted = new Map<string, { readonly first: ReportEntry; count: number }>();
  const add = (entry: ReportEntry): void => {
    if (report.entries.length < MAX_LISTED) {
      report.entries.push(entry);
      return;
    }
    const { severity, reason } = entry;
    const known = unlisted.get(`${severity} ${reason}`);
    if (known) known.count += 1;
    else unlisted.set(`${severity} ${reason}`, { first: entry, count: 1 });
  };
  return {
    add: (entries) => entries.forEach(add),
    finish: () => {
      for (const { first, count } of unlisted.values())
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

/** Returns the remarks on an outcome; none for a message that was stored without changes. */
export const toReportEntries = (outcome: MessageOutcome, line: number): readonly ReportEntry[] => {
  if (outcome.kind === 'quarantined') {
    const { reason, value } = outcome;
    return [{ severity: 'quarantined', line, value, reason, message: explanations[reason] ?? 'the message is kept' }];
  }
  if (outcome.kind === 'duplicate') return [];
  const { planError } = outcome;
  const ofPlan: readonly ReportEntry[] =
    planError === undefined
      ? []
      : [
          {
            severity: 'corrected',
            line,
            field: 'plan',
            value: '',
            reason: planError,
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

/** Adds the numbers of stored and duplicate messages to a report. */
export const countOutcomes = (report: LoadReport, outcomes: readonly MessageOutcome[]): void => {
  for (const outcome of outcomes) {
    if (outcome.kind === 'duplicate') countAccepted(report, 'messages known before');
    if (outcome.kind !== 'stored') continue;
    countAccepted(report, 'messages');
    if (outcome.describesFlight) countAccepted(report, 'of flights that no schedule holds');
  }
};
