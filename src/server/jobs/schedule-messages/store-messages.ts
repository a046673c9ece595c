import { hash } from 'node:crypto';
import { groupByFlight, listFlights } from '#domain/schedule/messages/apply-amendments.ts';
import type { SubMessage } from '#domain/schedule/messages/schedule-message.ts';
import type { Designator } from '#domain/schedule/schedule.ts';
import { addDays, formatDate, toUtcDate } from '#domain/time/dates.ts';
import type { ReportEntry } from '#feeds/load-report.ts';
import type { ReplyError } from '#feeds/schedule-messages/format-acknowledgement.ts';
import type { ScheduleMessageItem } from '#feeds/schedule-messages/read-messages.ts';
import type { Sql } from '#store/pool/database.ts';
import {
  completeParts,
  findKnownMessage,
  hasLaterMessage,
  insertAmendment,
  insertScheduleMessage,
  listParts,
  rejectMessage,
  type ScheduleMessageRow,
  type StoredPart,
} from '#store/schedules/schedule-messages.ts';

/** The changes of one message to a flight, as stored. */
type StoredChange = { readonly id: number; readonly flights: readonly Designator[] };

/** What became of a message before its changes are applied. */
export type StoredMessage =
  | {
      readonly kind: 'stored';
      /** The message that gets the reply, of several parts the last, and its reference. */
      readonly replyTo: { readonly id: number; readonly reference: string };
      readonly amendments: readonly StoredChange[];
      /** Why it cannot be applied although it was read. */
      readonly conflict?: ReportEntry;
      /** What cannot be read in the parts that were received before. */
      readonly errorsOfParts?: readonly ReplyError[];
    }
  | { readonly kind: 'waiting' }
  /** A telegram of another type, which is not stored. */
  | { readonly kind: 'other' }
  /** The message is stored already; `reply` is that of the first time, undefined while it is in the same batch. */
  | { readonly kind: 'duplicate'; readonly id: number; readonly reply: string | undefined };

/** Whether a reference has a number; that of the creator alone identifies no message. */
const hasNumber = (reference: string): boolean => reference !== '' && !reference.startsWith('/');

/**
 * Returns the digest that identifies a message. Senders count their messages by themselves, so the sender is part of it; without a reference, the
 * time of the origin line is as well.
 */
const computeDigest = ({ reference, text, origin }: ScheduleMessageItem, createdOn: string): Buffer => {
  const time = hasNumber(reference) ? '' : (origin.sentAt?.toISOString() ?? '');
  return hash('sha256', [createdOn, origin.originator, time, text].join('\n'), 'buffer');
};

/** Counts a line of the source from the identifier of its message, as the sender does. */
export const toReplyLine = ({ line: start }: Pick<ScheduleMessageItem, 'line'>, line: number): number =>
  Math.max(1, line - start + 1);

/** The errors of a message, with lines that count from its identifier. */
export const listReplyErrors = (
  item: Pick<ScheduleMessageItem, 'line'>,
  entries: readonly ReportEntry[],
): readonly ReplyError[] =>
  entries
    .filter(({ severity }) => severity === 'quarantined')
    .map(({ line = item.line, ...entry }) => ({ ...entry, line: toReplyLine(item, line) }));

/** The quarantine shows the first error; the reply names all of them when the last part of the message has arrived. */
const formatRejection = (item: ScheduleMessageItem): string | undefined => {
  const first = item.entries.find(({ severity }) => severity === 'quarantined');
  return first && JSON.stringify({ ...first, errors: listReplyErrors(item, item.entries) });
};

const listErrorsOfPart = ({ part, rejectionJson }: StoredPart): readonly ReplyError[] => {
  const { errors = [] }: { errors?: readonly ReplyError[] } =
    rejectionJson === undefined ? {} : JSON.parse(rejectionJson);
  return errors.map((error) => ({ ...error, message: `Part ${part} ${error.message}` }));
};

const toRow = (item: ScheduleMessageItem, receivedAt: Date): ScheduleMessageRow => {
  const { kind, reference, text, part, origin } = item;
  const createdOn = part?.createdOn ?? toUtcDate(receivedAt);
  return {
    digest: computeDigest(item, formatDate(createdOn)),
    kind,
    reference,
    createdOn,
    group: part?.reference?.group ?? '',
    part: part?.reference?.part ?? 1,
    isLast: part?.reference?.isLast ?? true,
    receivedAt,
    originator: origin.originator,
    sentAt: origin.sentAt,
    text,
    changesJson: JSON.stringify(part?.subMessages ?? []),
    isComplete: part?.reference === undefined || (part.reference.isLast && part.reference.part === 1),
    rejectionJson: formatRejection(item),
  };
};

/** Without an origin line, parts are of the same sender when they are of the same carrier. */
const toSender = (originator: string, subMessages: readonly SubMessage[]): string =>
  originator === '' ? (subMessages[0]?.flight.carrier ?? '') : originator;

const findConflict = (one: StoredPart, others: readonly StoredPart[]): string | undefined => {
  if (others.some(({ part }) => part === one.part)) return 'Another part of the same number was received before.';
  const last = others.find(({ isLast }) => isLast);
  if (last && (one.isLast || one.part > last.part)) return 'Another part was received as the last one of the message.';
  return one.isLast && others.some(({ part }) => part > one.part)
    ? 'A part after the last one was received before.'
    : undefined;
};

/** Joins the parts of a message when none is missing. */
const joinParts = async (
  sql: Sql,
  row: ScheduleMessageRow,
  { item, messageId }: { readonly item: ScheduleMessageItem; readonly messageId: number },
): Promise<
  | { readonly conflict: ReportEntry }
  | {
      readonly last: StoredPart;
      readonly subMessages: readonly SubMessage[];
      readonly errorsOfParts: readonly ReplyError[];
    }
  | undefined
> => {
  const sender = toSender(row.originator, item.part?.subMessages ?? []);
  const parts = (await listParts(sql, row)).filter(
    ({ id, subMessages }) => id === messageId || toSender(row.originator, subMessages) === sender,
  );
  const own = parts.find(({ id }) => id === messageId);
  if (!own) return undefined;
  const message = findConflict(
    own,
    parts.filter((part) => part !== own),
  );
  if (message !== undefined) {
    const { line, reference } = item;
    const conflict: ReportEntry = {
      severity: 'quarantined',
      line,
      field: 'reference',
      value: reference,
      reason: 'conflicting-parts',
      message,
    };
    await rejectMessage(sql, messageId, JSON.stringify(conflict));
    return { conflict };
  }
  const last = parts.at(-1);
  if (!last?.isLast || !parts.every(({ part }, index) => part === index + 1)) return undefined;
  await completeParts(
    sql,
    parts.map(({ id }) => id),
  );
  return {
    last,
    subMessages: parts.flatMap(({ subMessages }) => subMessages),
    errorsOfParts: parts.filter((part) => part !== own).flatMap(listErrorsOfPart),
  };
};

const insertAmendments = async (
  sql: Sql,
  row: ScheduleMessageRow,
  { messageId, groups }: { readonly messageId: number; readonly groups: readonly (readonly SubMessage[])[] },
): Promise<readonly StoredChange[]> => {
  const amendments: StoredChange[] = [];
  for (const subMessages of groups) {
    const flights = listFlights(subMessages);
    amendments.push({ id: await insertAmendment(sql, { ...row, messageId, subMessages, flights }), flights });
  }
  return amendments;
};

/**
 * Returns the changes of a repeated message without a number that are new: those to flights that another message changed in between. A sender can
 * cancel, reinstate and cancel a flight again in the same words. With the time of an origin line, a minute, only messages of the same minute count:
 * the others are ordered by their times, whatever is repeated.
 */
const listNewChanges = async (
  sql: Sql,
  { reference, origin, part }: ScheduleMessageItem,
  knownId: number,
): Promise<readonly (readonly SubMessage[])[]> => {
  if (hasNumber(reference) || !part) return [];
  const groups = [];
  for (const group of groupByFlight(part.subMessages))
    if (await hasLaterMessage(sql, listFlights(group), { messageId: knownId, origin })) groups.push(group);
  return groups;
};

/** Stores what is new in a message whose text was stored before. */
const storeRepetition = async (
  sql: Sql,
  row: ScheduleMessageRow,
  item: ScheduleMessageItem,
): Promise<StoredMessage> => {
  const known = await findKnownMessage(sql, row.digest);
  if (!known) throw new Error('a message that cannot be inserted is stored');
  const groups = await listNewChanges(sql, item, known.id);
  const messageId = groups.length === 0 ? undefined : await insertScheduleMessage(sql, row, known.repetition + 1);
  if (messageId === undefined) return { kind: 'duplicate', id: known.id, reply: known.reply };
  const amendments = await insertAmendments(sql, row, { messageId, groups });
  return { kind: 'stored', replyTo: { id: messageId, reference: item.reference }, amendments };
};

/**
 * Returns a message dated more than a day after its receipt as one that cannot be read: it would win over all messages until then. The day is for
 * time zones and the clocks of senders.
 */
export const rejectFutureMessage = (item: ScheduleMessageItem, receivedAt: Date): ScheduleMessageItem => {
  const { part, reference, line, text, entries } = item;
  if (!part || part.createdOn <= addDays(toUtcDate(receivedAt), 1)) return item;
  const error: ReportEntry = {
    severity: 'quarantined',
    line: line + Math.max(0, text.split('\n').indexOf(reference)),
    field: 'reference',
    value: reference,
    reason: 'future-message',
    message: 'The creation date is more than a day after the receipt.',
  };
  return { ...item, part: undefined, entries: [...entries, error] };
};

/** Stores a message; parts wait until all have arrived. `sql` must be a transaction that holds the schedule lock. */
export const storeMessage = async (sql: Sql, item: ScheduleMessageItem, receivedAt: Date): Promise<StoredMessage> => {
  if (item.otherType !== undefined) return { kind: 'other' };
  const row = toRow(item, receivedAt);
  const { reference } = item;
  const messageId = await insertScheduleMessage(sql, row, 0);
  if (messageId === undefined) return storeRepetition(sql, row, item);
  const replyTo = { id: messageId, reference };
  if (!item.part) return { kind: 'stored', replyTo, amendments: [] };
  if (row.isComplete) {
    const groups = groupByFlight(item.part.subMessages);
    return { kind: 'stored', replyTo, amendments: await insertAmendments(sql, row, { messageId, groups }) };
  }
  const joined = await joinParts(sql, row, { item, messageId });
  if (!joined) return { kind: 'waiting' };
  if ('conflict' in joined) return { kind: 'stored', replyTo, amendments: [], conflict: joined.conflict };
  const { last, subMessages, errorsOfParts } = joined;
  const amendments = await insertAmendments(sql, row, { messageId: last.id, groups: groupByFlight(subMessages) });
  return { kind: 'stored', replyTo: { id: last.id, reference: last.reference }, amendments, errorsOfParts };
};
