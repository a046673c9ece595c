import { hash } from 'node:crypto';
import { groupByFlight, listFlights } from '../../domain/schedule/messages/apply-amendments.ts';
import type { SubMessage } from '../../domain/schedule/messages/schedule-message.ts';
import type { Designator } from '../../domain/schedule/schedule.ts';
import { formatDate, toUtcDate } from '../../domain/time/dates.ts';
import type { ScheduleMessageItem } from '../../feeds/schedule-messages/read-messages.ts';
import type { Sql } from '../../store/pool/database.ts';
import {
  completeParts,
  insertAmendment,
  insertScheduleMessage,
  listWaitingParts,
  type ScheduleMessageRow,
} from '../../store/schedules/schedule-messages.ts';

/** A stored message: the amendments that it makes, or that it was known before, or waits for its other parts. */
export type StoredMessage = {
  readonly kind: 'stored' | 'duplicate' | 'waiting' | 'unreadable';
  readonly amendments: readonly { readonly id: number; readonly flights: readonly Designator[] }[];
};

/** The first of the errors: sub-messages can be unreadable while the others apply. */
const findRejection = (entries: ScheduleMessageItem['entries']): string | undefined => {
  const rejection = entries.find(({ severity }) => severity === 'quarantined');
  return rejection && JSON.stringify(rejection);
};

const toRow = ({ kind, reference, text, part, entries }: ScheduleMessageItem, receivedAt: Date): ScheduleMessageRow => {
  const createdOn = part?.createdOn ?? toUtcDate(receivedAt);
  return {
    digest: hash('sha256', `${formatDate(createdOn)}\n${text}`, 'buffer'),
    kind,
    reference,
    createdOn,
    group: part?.reference?.group ?? '',
    part: part?.reference?.part ?? 1,
    isLast: part?.reference?.isLast ?? true,
    receivedAt,
    text,
    changesJson: JSON.stringify(part?.subMessages ?? []),
    isComplete: part?.reference === undefined || (part.reference.isLast && part.reference.part === 1),
    rejectionJson: findRejection(entries),
  };
};

/** Returns the sub-messages of all parts when none is missing. */
const joinParts = async (sql: Sql, row: ScheduleMessageRow): Promise<readonly SubMessage[] | undefined> => {
  const parts = await listWaitingParts(sql, row);
  const isWhole = parts.at(-1)?.isLast === true && parts.every(({ part }, index) => part === index + 1);
  if (!isWhole) return undefined;
  await completeParts(
    sql,
    parts.map(({ id }) => id),
  );
  return parts.flatMap(({ subMessages }) => subMessages);
};

/** Stores a message; parts wait until all have arrived. `sql` must be a transaction that holds the schedule lock. */
export const storeMessage = async (sql: Sql, item: ScheduleMessageItem, receivedAt: Date): Promise<StoredMessage> => {
  if (item.otherType !== undefined) return { kind: 'unreadable', amendments: [] };
  const row = toRow(item, receivedAt);
  const messageId = await insertScheduleMessage(sql, row);
  if (messageId === undefined) return { kind: 'duplicate', amendments: [] };
  if (!item.part) return { kind: 'unreadable', amendments: [] };
  const subMessages = row.isComplete ? item.part.subMessages : await joinParts(sql, row);
  if (!subMessages) return { kind: 'waiting', amendments: [] };
  const amendments = [];
  for (const group of groupByFlight(subMessages)) {
    const flights = listFlights(group);
    const { createdOn, group: number } = row;
    const id = await insertAmendment(sql, {
      messageId,
      createdOn,
      group: number,
      receivedAt,
      subMessages: group,
      flights,
    });
    amendments.push({ id, flights });
  }
  return { kind: 'stored', amendments };
};
