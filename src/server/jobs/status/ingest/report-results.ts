import { countAccepted, type LoadReport, type ReportEntry } from '#feeds/load-report.ts';
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
          message: `${count} more for this reason, starting here: ${first.message}`,
        });
    },
  };
};

const explanations: Readonly<Record<string, string>> = {
  'no-such-flight':
    'no flight with this designator, date or scheduled time, and route; the message is stored and retried after every schedule load',
  'flight-with-stops':
    'the message names a whole flight with stops; name the airports of one leg; the message is stored and retried after every schedule load',
  'ambiguous-flight':
    'several legs match the message, and its times do not decide; name the scheduled time; the message is stored and retried after every schedule load',
  'contradictory-flight':
    'the date and the times of the message are those of different flights; the message is stored and retried after every schedule load and after a plan of the designator',
  'airport-unknown':
    'the airport is not in the master data; the message is stored and retried after every schedule load',
  'uncertain-date':
    'the plan has no departure time, and the flight can depart on two dates; the message is stored and retried when a plan of the flight has the departure, and after every schedule load',
  'plan-too-far':
    'the service has no flights on the day of the planned departure, which is too far from today; the message is stored and retried after every schedule load',
  'day-pending':
    'the service has no flights yet on the day of the planned departure, and a request adds few days; the message is stored and retried within seconds',
  'plan-of-no-flight':
    'the planned flight takes more than 48 hours, or arrives before it departs; the message is stored',
  'plan-of-another-route': 'the airports of the plan are not those of the flight; the message is stored',
  'plan-of-second-flight':
    'the flight departs at this time, more than 3 hours from the planned departure; name the flight by its scheduled time to retime it, or to plan a second one; the message is stored',
  'plan-of-another-day':
    'the planned departure is on another local date than that of the flight; the message is stored',
};

const remarks: Readonly<Record<string, string>> = {
  'scheduled-time-differs':
    'the scheduled time of the flight differs by up to 30 minutes; no other flight is as near, so the message was stored with it',
};

const reusedId = {
  reason: 'message-id-reused',
  message:
    'the flight has a message with this ID and another content; this one is not stored: send it with an ID of its own',
};

/** Returns the remarks on an outcome; none for a message that was stored without changes. */
export const toReportEntries = (outcome: MessageOutcome, line: number): readonly ReportEntry[] => {
  if (outcome.kind === 'quarantined') {
    const { reason, value } = outcome;
    return [{ severity: 'quarantined', line, value, reason, message: explanations[reason] ?? 'the message is stored' }];
  }
  if (outcome.kind === 'duplicate') return [];
  if (outcome.kind === 'conflict')
    return [{ severity: 'quarantined', line, field: 'messageId', value: outcome.id.slice(0, 80), ...reusedId }];
  const { planError, remark, unconfirmedCarrier, unknownCarriers = [] } = outcome;
  const ofReference: readonly ReportEntry[] = remark
    ? [{ severity: 'notice', line, field: 'flight', ...remark, message: remarks[remark.reason] ?? '' }]
    : [];
  const ofCarrier: readonly ReportEntry[] =
    unconfirmedCarrier === undefined
      ? []
      : [
          {
            severity: 'notice',
            line,
            field: 'flight.carrier',
            value: unconfirmedCarrier,
            reason: 'carrier-unknown',
            message: 'the carrier is not in the master data; its flight is stored, and the carrier is unconfirmed',
          },
        ];
  const ofCodeshares = unknownCarriers.map((value): ReportEntry => ({
    severity: 'notice',
    line,
    field: 'plan.codeshares',
    value,
    reason: 'carrier-unknown',
    message: 'the carrier is not in the master data; its marketing flight is left out',
  }));
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
            message: 'the plan was ignored; the other values of the message were used',
          },
        ];
  const ofTimes = outcome.contradictions.map((name): ReportEntry => ({
    severity: 'corrected',
    line,
    field: name,
    value: '',
    reason: 'out-of-order',
    message: 'the time contradicts newer times of the flight and was ignored: the order must be out, off, on, in',
  }));
  return [...ofReference, ...ofCarrier, ...ofCodeshares, ...ofPlan, ...ofTimes];
};

/** Adds the numbers of stored and duplicate messages to a report. */
export const countOutcomes = (report: LoadReport, outcomes: readonly MessageOutcome[]): void => {
  for (const outcome of outcomes) {
    if (outcome.kind === 'duplicate') countAccepted(report, 'duplicate messages');
    if (outcome.kind !== 'stored') continue;
    countAccepted(report, 'messages');
    if (outcome.describesFlight) countAccepted(report, 'messages of unscheduled flights');
  }
};
