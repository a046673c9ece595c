import type { StatusMessage } from '#domain/status/message.ts';
import type { Sql } from '#store/pool/database.ts';
import {
  formatReceivedId,
  formatStoredId,
  listReceivedMessages,
  type StoredStatusMessage,
} from '#store/status/status-messages.ts';

/** A message that is received again within this time was sent twice, milliseconds. Documented in movement-telegrams.md and aidx.md. */
const REPETITION_MS = 120_000;

type KnownMessage = {
  readonly message: Pick<StatusMessage, 'isTimedByReceipt' | 'isNamedByReceipt'>;
  readonly stored: StoredStatusMessage;
};

/** Messages to store, and the IDs of the stored messages that others repeat. */
type SelectedRepetitions<Message> = {
  readonly counted: readonly Message[];
  readonly repeated: readonly (readonly [Message, storedId: string])[];
};

/**
 * Selects what is new of messages whose time is that of their receipt: the first of each, and those that are received again more than
 * `REPETITION_MS` later, under another ID. Lock the statuses of the flights first.
 */
export const selectRepetitions = async <Message extends KnownMessage>(
  sql: Sql,
  messages: readonly Message[],
): Promise<SelectedRepetitions<Message>> => {
  const received = messages.filter(({ message }) => message.isTimedByReceipt).map(({ stored }) => stored);
  if (received.length === 0) return { counted: messages, repeated: [] };
  const known = new Map<string, Pick<StoredStatusMessage, 'id' | 'observedAt'>[]>();
  for (const stored of await listReceivedMessages(sql, received)) {
    const name = formatStoredId(stored.message);
    known.set(name, [...(known.get(name) ?? []), stored]);
  }
  const counted: Message[] = [];
  const repeated: (readonly [Message, string])[] = [];
  for (const one of messages) {
    const name = formatStoredId(one.stored);
    const earlier = (one.message.isTimedByReceipt && known.get(name)) || [];
    const same = earlier.find(({ observedAt }) => Math.abs(one.stored.observedAt - observedAt) < REPETITION_MS);
    if (same) {
      repeated.push([one, same.id]);
      continue;
    }
    const isNamed = earlier.length > 0 || one.message.isNamedByReceipt;
    const stored = isNamed ? { ...one.stored, id: formatReceivedId(one.stored) } : one.stored;
    known.set(name, [...earlier, stored]);
    counted.push({ ...one, stored });
  }
  return { counted, repeated };
};
