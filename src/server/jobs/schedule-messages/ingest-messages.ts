import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { AmendmentNotice } from '#domain/schedule/messages/change-date.ts';
import type { AmendmentOutcome } from '#domain/schedule/messages/apply-amendments.ts';
import { toUtcDate } from '#domain/time/dates.ts';
import { countAccepted, createLoadReport, type LoadReport, type ReportEntry } from '#feeds/load-report.ts';
import { formatAcknowledgement, type ReplyError } from '#feeds/schedule-messages/format-acknowledgement.ts';
import type { ScheduleMessageItem } from '#feeds/schedule-messages/read-messages.ts';
import { delayAtLeast } from '#lib/delay-at-least.ts';
import { getErrorCode } from '#lib/error-code.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import { isUnavailable } from '#store/pool/driver/driver.ts';
import { updateReplies } from '#store/schedules/schedule-messages.ts';
import { insertLoad, lockSchedules, updateLoadReport } from '#store/schedules/schedules.ts';
import { amendSchedules, type AmendReport } from '../expand/amend-schedules.ts';
import { finishStatusUpdates } from '../status/recompute/finish-status-updates.ts';
import {
  listReplyErrors,
  rejectFutureMessage,
  storeMessage,
  type StoredMessage,
  toReplyLine,
} from './store-messages.ts';

/** The most messages in one transaction, which holds the lock of schedules. */
export const MAX_MESSAGES_A_TRANSACTION = 100;

export type ScheduleIngestContext = {
  readonly masterDataIndex: MasterDataIndex;
  readonly clock: () => Date;
  /** The name of the source, and the digest of its bytes; '' for a stream. */
  readonly source: string;
  readonly sha256: string;
  /** How long servers may serve cached pages from before a commit, milliseconds. */
  readonly cacheLeaseMs?: number | undefined;
};

/** What became of a message. */
export type ScheduleMessageOutcome = {
  readonly line: number;
  /**
   * `waiting` for other parts, `other` for a telegram of another type; `quarantined` when it cannot be read, or a change does not fit the schedule;
   * `superseded` when the schedule file in force is newer.
   */
  readonly kind: 'applied' | 'quarantined' | 'duplicate' | 'waiting' | 'superseded' | 'other';
  /** `other`: the type of a telegram that is no schedule message, such as LDM. */
  readonly otherType?: string | undefined;
  /** `quarantined`: whether other changes of the message were applied. */
  readonly isPartlyApplied: boolean;
  readonly entries: readonly ReportEntry[];
  /** The ACK or NAC to return; undefined for a message without a reference and a part before the last. A repeated message gets it again. */
  readonly reply: string | undefined;
};

export type ScheduleIngestResult = {
  readonly outcomes: readonly ScheduleMessageOutcome[];
  readonly report: LoadReport;
};

const toNotice = (notice: AmendmentNotice): ReportEntry => ({ severity: 'notice', ...notice });

/** Lists why an amendment was not applied; `toLine` counts a line that a text names as its reader does. */
const toEntries = (
  { rejection, dropped }: Pick<AmendmentOutcome, 'rejection' | 'dropped'>,
  toLine: (line: number) => number,
): readonly ReportEntry[] => {
  if (!rejection) return [];
  const message = `Not applied because line ${toLine(rejection.line)} of the flight was rejected.`;
  return [
    { severity: 'quarantined', ...rejection },
    ...dropped.map(({ line, flight }): ReportEntry => {
      const location = { line, field: 'flight', value: flight };
      return { severity: 'quarantined', ...location, reason: 'same-flight-rejected', message };
    }),
  ];
};

type AmendmentOutcomes = {
  readonly byId: ReadonlyMap<number, AmendmentOutcome>;
  readonly superseded: ReadonlySet<number>;
};

const supersededEntry = ({ line, reference }: ScheduleMessageItem): ReportEntry => ({
  severity: 'notice',
  line,
  field: 'reference',
  value: reference,
  reason: 'superseded',
  message: 'The schedule file in force was created after the message.',
});

/** Formats the reply of a message; undefined when none is due. Lines of a reply count from the identifier of the message. */
const formatReply = (
  item: ScheduleMessageItem,
  reference: string,
  errors: readonly ReplyError[],
): string | undefined => {
  const isAnswered = reference !== '' && (errors.length > 0 || (item.part?.subMessages.length ?? 0) > 0);
  if (!isAnswered) return undefined;
  return formatAcknowledgement({ kind: item.kind, reference }, errors);
};

const toOutcome = (
  item: ScheduleMessageItem,
  stored: StoredMessage,
  { byId, superseded }: AmendmentOutcomes,
): ScheduleMessageOutcome => {
  const { line, otherType } = item;
  const unchanged = { line, isPartlyApplied: false, entries: item.entries };
  if (stored.kind === 'other') return { ...unchanged, kind: 'other', reply: undefined, otherType };
  if (stored.kind !== 'stored')
    return { ...unchanged, kind: stored.kind, reply: 'reply' in stored ? stored.reply : undefined };
  const { amendments, conflict, replyTo, errorsOfParts = [] } = stored;
  const amended = amendments.flatMap(({ id }) => byId.get(id) ?? []);
  const isOutdated = amendments.some(({ id }) => superseded.has(id));
  const listEntries = (toLine: (line: number) => number): readonly ReportEntry[] => [
    ...item.entries,
    ...(conflict ? [conflict] : []),
    ...amended.flatMap((outcome) => toEntries(outcome, toLine)),
    ...amended.flatMap(({ notices }) => notices.map(toNotice)),
    ...(isOutdated ? [supersededEntry(item)] : []),
  ];
  const entries = listEntries((ofSource) => ofSource);
  const replyErrors = listReplyErrors(
    item,
    listEntries((ofSource) => toReplyLine(item, ofSource)),
  );
  const hasErrors = replyErrors.length > 0;
  const isSuperseded = amendments.length > 0 && amendments.every(({ id }) => superseded.has(id));
  return {
    line,
    kind: hasErrors ? 'quarantined' : isSuperseded ? 'superseded' : 'applied',
    isPartlyApplied: hasErrors && amended.some(({ rejection }) => !rejection),
    entries,
    reply: formatReply(item, replyTo.reference, [...errorsOfParts, ...replyErrors]),
  };
};

/** Stores the replies of messages, and completes those of messages that are repeated in the same batch. */
const storeReplies = async (
  sql: Sql,
  messages: readonly StoredMessage[],
  outcomes: readonly ScheduleMessageOutcome[],
): Promise<readonly ScheduleMessageOutcome[]> => {
  const replies = new Map<number, string>();
  const completed: ScheduleMessageOutcome[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const stored = messages[index];
    if (stored?.kind === 'stored' && outcome.reply !== undefined) replies.set(stored.replyTo.id, outcome.reply);
    const reply = outcome.reply ?? (stored?.kind === 'duplicate' ? replies.get(stored.id) : undefined);
    completed.push({ ...outcome, reply });
  }
  await updateReplies(sql, replies);
  return completed;
};

const countOutcomes = (report: LoadReport, outcomes: readonly ScheduleMessageOutcome[]): void => {
  const names = {
    applied: 'messages',
    duplicate: 'duplicate messages',
    waiting: 'parts of incomplete messages',
    superseded: 'superseded messages',
  };
  for (const { kind, isPartlyApplied, entries, otherType } of outcomes) {
    report.entries.push(...entries);
    if (kind === 'other') countAccepted(report, `${otherType} telegrams left out`);
    else if (kind !== 'quarantined') countAccepted(report, names[kind]);
    else if (isPartlyApplied) countAccepted(report, 'partly applied messages');
  }
};

type IngestedBatch = ScheduleIngestResult & Pick<AmendReport, 'masterDataIndex'>;

const ingestWithin = async (
  sql: Sql,
  received: readonly ScheduleMessageItem[],
  context: ScheduleIngestContext,
): Promise<IngestedBatch> => {
  await lockSchedules(sql);
  const receivedAt = context.clock();
  const items = received.map((item) => rejectFutureMessage(item, receivedAt));
  const stored: StoredMessage[] = [];
  for (const item of items) stored.push(await storeMessage(sql, item, receivedAt));
  const report = createLoadReport(context.source);
  let loadId: number | undefined;
  const amended = await amendSchedules(
    sql,
    stored.flatMap((message) =>
      message.kind === 'stored' ? message.amendments.flatMap(({ flights }) => flights) : [],
    ),
    {
      masterDataIndex: context.masterDataIndex,
      today: toUtcDate(receivedAt),
      report,
      insertLoad: async (carriers) => {
        loadId = await insertLoad(sql, { ...context, kind: 'schedule-messages', carriers });
        return loadId;
      },
    },
  );
  const { superseded, masterDataIndex } = amended;
  const byId = new Map(amended.outcomes.map((outcome) => [outcome.id, outcome]));
  const unanswered = items.flatMap((item, index) => {
    const message = stored[index];
    return message ? [toOutcome(item, message, { byId, superseded })] : [];
  });
  const outcomes = await storeReplies(sql, stored, unanswered);
  countOutcomes(report, outcomes);
  if (loadId !== undefined) await updateLoadReport(sql, loadId, report);
  return { outcomes, report, masterDataIndex };
};

/** Joins the results of several transactions. */
export const mergeResults = (source: string, results: readonly ScheduleIngestResult[]): ScheduleIngestResult => {
  const merged = createLoadReport(source);
  for (const { report } of results) {
    for (const [kind, count] of Object.entries(report.accepted)) countAccepted(merged, kind, count);
    for (const entry of report.entries) merged.entries.push(entry);
  }
  return { outcomes: results.flatMap(({ outcomes }) => outcomes), report: merged };
};

/** Returns a message that cannot be stored or applied for a reason that was not foreseen as one that cannot be read. */
const toUnreadable = (item: ScheduleMessageItem, error: unknown): ScheduleMessageItem => {
  const { line, reference, entries } = item;
  const entry: ReportEntry = {
    severity: 'quarantined',
    line,
    field: 'message',
    value: reference,
    reason: 'not-applicable',
    message: `The message cannot be applied: ${error instanceof Error ? error.message : String(error)}`,
  };
  return { ...item, part: undefined, entries: [...entries, entry] };
};

const MAX_ATTEMPTS = 3;

const isDeadlock = (error: unknown): boolean => ['40P01', '40001'].includes(getErrorCode(error));

/** Ingests messages in one transaction; after an error of one of them, each in its own. One bad message does not stop the others. */
const ingestBatch = async (
  db: Database,
  items: readonly ScheduleMessageItem[],
  context: ScheduleIngestContext,
): Promise<readonly IngestedBatch[]> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      return [await db.begin((sql) => ingestWithin(sql, items, context))];
    } catch (error) {
      if (isDeadlock(error) && attempt < MAX_ATTEMPTS) continue;
      const [item, ...others] = items;
      if (isUnavailable(error) || !item) throw error;
      if (others.length > 0) {
        const single: IngestedBatch[] = [];
        for (const one of items) single.push(...(await ingestBatch(db, [one], context)));
        return single;
      }
      if (!item.part) throw error;
      return ingestBatch(db, [toUnreadable(item, error)], context);
    }
};

/**
 * Stores messages and applies them, up to `MAX_MESSAGES_A_TRANSACTION` at once: only the flights and days concerned are expanded again. Then brings
 * the statuses in line. A message that was stored before has no effect, so a sender may repeat what was not acknowledged. Resolves `cacheLeaseMs`
 * after the last commit, when no server serves pages from before it.
 */
export const ingestScheduleMessages = async (
  db: Database,
  items: readonly ScheduleMessageItem[],
  context: ScheduleIngestContext,
): Promise<ScheduleIngestResult> => {
  const batches: IngestedBatch[] = [];
  let { masterDataIndex } = context;
  for (let start = 0; start < items.length; start += MAX_MESSAGES_A_TRANSACTION) {
    const ingested = await ingestBatch(db, items.slice(start, start + MAX_MESSAGES_A_TRANSACTION), {
      ...context,
      masterDataIndex,
    });
    masterDataIndex = ingested.at(-1)?.masterDataIndex ?? masterDataIndex;
    batches.push(...ingested);
    await finishStatusUpdates(db, { today: toUtcDate(context.clock()), clock: context.clock }, masterDataIndex);
  }
  if (items.length > 0) await delayAtLeast(context.cacheLeaseMs ?? 0);
  return mergeResults(context.source, batches);
};
