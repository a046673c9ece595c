import { mergeEarlier, selectEarlier } from '#domain/status/earlier-messages.ts';
import { formatObservation, parseObservation } from '#domain/status/observed-flight.ts';
import type { Sql } from '#store/pool/database.ts';
import { formatStatusId, type StatusId } from '#store/status/flight-statuses.ts';
import { replaceMessages } from '#store/status/merged-messages.ts';
import { listMessages, type StoredStatusMessage } from '#store/status/status-messages.ts';

/** Merges the earlier messages of a flight that has too many, and returns those that it has then, in their order. */
const mergeOfFlight = async (
  sql: Sql,
  messages: readonly StoredStatusMessage[],
): Promise<readonly StoredStatusMessage[]> => {
  const selected = selectEarlier(messages);
  if (!selected) return messages;
  const { last, merged } = selected;
  const observation = formatObservation(mergeEarlier(merged.map(parseObservation), parseObservation(last)));
  const { departsOn, statusOrder } = last;
  await replaceMessages(sql, { departsOn, statusOrder, last: { ...last, observation }, merged });
  const replaced = new Set(merged);
  return messages.filter((one) => !replaced.has(one)).map((one) => (one === last ? { ...last, observation } : one));
};

/**
 * Reads all messages of flights, by `formatStatusId`, those of a flight in their order. A flight that has too many keeps the newest and the facts of
 * the others, so that a sender cannot make each late message expensive. Lock the statuses of the flights first.
 */
export const readMessages = async (
  sql: Sql,
  flights: readonly StatusId[],
): Promise<ReadonlyMap<string, readonly StoredStatusMessage[]>> => {
  const read = new Map<string, readonly StoredStatusMessage[]>();
  for (const [id, messages] of Map.groupBy(await listMessages(sql, flights), formatStatusId))
    read.set(id, await mergeOfFlight(sql, messages));
  return read;
};
