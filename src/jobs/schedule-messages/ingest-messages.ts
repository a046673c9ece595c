import type { MasterDataIndex } from '../../domain/master-data/master-data-index.ts';
import type { AmendmentNotice } from '../../domain/schedule/messages/change-date.ts';
import type { AmendmentOutcome, AmendmentRejection } from '../../domain/schedule/messages/apply-amendments.ts';
import { type LocalDate, toUtcDate } from '../../domain/time/dates.ts';
import { countAccepted, createLoadReport, type LoadReport, type ReportEntry } from '../../feeds/load-report.ts';
import { formatAcknowledgement } from '../../feeds/schedule-messages/format-acknowledgement.ts';
import type { ScheduleMessageItem } from '../../feeds/schedule-messages/read-messages.ts';
import { delayAtLeast } from '../../lib/delay-at-least.ts';
import type { Database, Sql } from '../../store/pool/database.ts';
import { insertLoad, lockSchedules, updateLoadReport } from '../../store/schedules/schedules.ts';
import { amendSchedules } from '../expand/amend-schedules.ts';
import { updateStatusesForSchedules } from '../status/recompute/update-for-schedules.ts';
import { sendCancellations } from './send-cancellations.ts';
import { storeMessage, type StoredMessage } from './store-messages.ts';

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
  /** `waiting` for other parts, `other` for a telegram of another type; `quarantined` when it cannot be read, or a change does not fit the schedule. */
  readonly kind: 'applied' | 'quarantined' | 'duplicate' | 'waiting' | 'other';
  /** `other`: the type of a telegram that is no schedule message, such as LDM. */
  readonly otherType?: string | undefined;
  readonly entries: readonly ReportEntry[];
  /** The ACK or NAC to return; undefined for a message without a reference, a duplicate and a part before the last. */
  readonly reply: string | undefined;
};

export type ScheduleIngestResult = {
  readonly outcomes: readonly ScheduleMessageOutcome[];
  readonly report: LoadReport;
};

const toNotice = (notice: AmendmentNotice): ReportEntry => ({ severity: 'notice', ...notice });
const toEntry = (rejection: AmendmentRejection): ReportEntry => ({ severity: 'quarantined', ...rejection });

const toOutcome = (
  item: ScheduleMessageItem,
  { kind, amendments }: StoredMessage,
  amended: ReadonlyMap<number, AmendmentOutcome>,
): ScheduleMessageOutcome => {
  const outcomes = amendments.flatMap(({ id }) => amended.get(id) ?? []);
  const rejected = outcomes.flatMap(({ rejection }) => rejection ?? []);
  const notices = outcomes.flatMap((outcome) => outcome.notices);
  const entries = [...item.entries, ...rejected.map(toEntry), ...notices.map(toNotice)];
  const { line, otherType } = item;
  if (otherType !== undefined) return { line, kind: 'other', entries, reply: undefined, otherType };
  if (kind === 'duplicate' || kind === 'waiting') return { line, kind, entries, reply: undefined };
  const errors = entries.filter(({ severity }) => severity === 'quarantined');
  // Lines of a reply count from the identifier of the message.
  const numbered = errors.map((entry) => ({ ...entry, line: (entry.line ?? line) - line + 1 }));
  const isAnswered =
    item.reference !== '' && (errors.length > 0 || item.part === undefined || item.part.subMessages.length > 0);
  return {
    line,
    kind: errors.length > 0 ? 'quarantined' : 'applied',
    entries,
    reply: isAnswered ? formatAcknowledgement(item, numbered) : undefined,
  };
};

const countOutcomes = (report: LoadReport, outcomes: readonly ScheduleMessageOutcome[]): void => {
  const names = { applied: 'messages', duplicate: 'duplicate messages', waiting: 'parts of incomplete messages' };
  for (const { kind, entries, otherType } of outcomes) {
    report.entries.push(...entries);
    if (kind === 'other') countAccepted(report, `${otherType} telegrams left out`);
    else if (kind !== 'quarantined') countAccepted(report, names[kind]);
  }
};

type IngestedBatch = ScheduleIngestResult & { readonly days: readonly LocalDate[] };

const ingestWithin = async (
  sql: Sql,
  items: readonly ScheduleMessageItem[],
  context: ScheduleIngestContext,
): Promise<IngestedBatch> => {
  await lockSchedules(sql);
  const receivedAt = context.clock();
  const stored: StoredMessage[] = [];
  for (const item of items) stored.push(await storeMessage(sql, item, receivedAt));
  const report = createLoadReport(context.source);
  let loadId: number | undefined;
  const { outcomes: amended, days } = await amendSchedules(
    sql,
    stored.flatMap(({ amendments }) => amendments.flatMap(({ flights }) => flights)),
    {
      masterDataIndex: context.masterDataIndex,
      today: toUtcDate(receivedAt),
      insertLoad: async (carriers) => {
        loadId = await insertLoad(sql, { ...context, kind: 'schedule-messages', carriers });
        return loadId;
      },
    },
  );
  const outcomesById = new Map(amended.map((outcome) => [outcome.id, outcome]));
  const outcomes = items.flatMap((item, index) => {
    const message = stored[index];
    return message ? [toOutcome(item, message, outcomesById)] : [];
  });
  countOutcomes(report, outcomes);
  if (loadId !== undefined) await updateLoadReport(sql, loadId, report);
  return { outcomes, report, days };
};

/**
 * Stores messages and applies them in one transaction: only the flights and days concerned are expanded again. Then brings the statuses in line.
 * A message that was stored before has no effect, so a sender may repeat what was not acknowledged. Resolves `cacheLeaseMs` after the last commit,
 * when no server serves pages from before it.
 */
export const ingestScheduleMessages = async (
  db: Database,
  items: readonly ScheduleMessageItem[],
  context: ScheduleIngestContext,
): Promise<ScheduleIngestResult> => {
  const { days, ...result } = await db.begin((sql) => ingestWithin(sql, items, context));
  const { masterDataIndex, clock } = context;
  const [from, to] = [days[0], days.at(-1)];
  if (from !== undefined && to !== undefined)
    await updateStatusesForSchedules(db, { from, to, today: toUtcDate(clock()), clock }, masterDataIndex);
  await sendCancellations(db, masterDataIndex, clock);
  await delayAtLeast(context.cacheLeaseMs ?? 0);
  return result;
};
