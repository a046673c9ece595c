import type { LocalDate } from '../../domain/dates.ts';
import type { Directory } from '../../domain/directory.ts';
import type { FlightReference } from '../../domain/status/message.ts';
import { readMessage, readObservation } from '../../domain/status/stored-observation.ts';
import type { Database, Sql } from '../../store/database.ts';
import { findStatuses, lockStatuses, saveStatuses, type StatusPlace, placeName } from '../../store/flight-statuses.ts';
import { outdatedStatuses } from '../../store/outdated-statuses.ts';
import { lockAllStatuses, shareStatuses } from '../../store/status-lock.ts';
import { messagesOf } from '../../store/status-messages.ts';
import { quarantinedAfter } from '../../store/status-quarantine.ts';
import { targetsByStatus, type StatusTarget } from '../../store/status-targets.ts';
import { giveWayToScheduled, linkRecoveries, pendingRecoveries } from '../../store/unscheduled-instances.ts';
import { recountStatus } from './count-message.ts';
import { flightAddress } from './flight-address.ts';
import { matchFlights } from './match-flights.ts';
import { frameOf, readListRow } from './scheduled-frame.ts';
import { takeMessages } from './take-messages.ts';

const AT_ONCE = 500;

const reframe = async (sql: Sql, places: readonly StatusPlace[], directory: Directory): Promise<void> => {
  await shareStatuses(sql);
  const statuses = await lockStatuses(sql, await findStatuses(sql, places));
  const messages = Map.groupBy(await messagesOf(sql, places), placeName);
  const targets = new Map<string, StatusTarget>();
  for (const [date, ofDate] of Map.groupBy(statuses, ({ departsOn }) => departsOn)) {
    const orders = ofDate.map(({ statusOrder }) => statusOrder);
    for (const target of await targetsByStatus(sql, date, orders))
      if (targets.get(placeName(target))?.isMarketing !== false) targets.set(placeName(target), target);
  }
  const recounted = [];
  for (const status of statuses) {
    const target = targets.get(placeName(status));
    if (!target) continue;
    const frame = frameOf(target, readListRow(target));
    const observations = (messages.get(placeName(status)) ?? []).map(readObservation);
    recounted.push(recountStatus(status, observations, { frame, directory }));
  }
  await saveStatuses(sql, recounted);
};

/** Tries the messages in quarantine again; those that still fit no flight stay there. */
const retryQuarantined = async (db: Database, directory: Directory): Promise<number> => {
  let stored = 0;
  let after = '';
  for (;;) {
    const kept = await quarantinedAfter(db, after, AT_ONCE);
    const last = kept.at(-1);
    if (!last) return stored;
    const messages = kept.map(({ message }) => readMessage(message));
    const outcomes = await takeMessages(db, messages, directory);
    stored += outcomes.filter(({ kind }) => kind !== 'quarantined').length;
    after = last.id;
  }
};

const readReference = (text: string): FlightReference => {
  const reference: FlightReference = JSON.parse(text);
  return reference;
};

const linkOriginals = async (sql: Sql, directory: Directory): Promise<void> => {
  const pending = await pendingRecoveries(sql);
  const wanted = pending.map(({ recovers }) => ({ flight: readReference(recovers) }));
  const matches = await matchFlights(sql, wanted, directory);
  const links = pending.flatMap((recovery, index) => {
    const match = matches[index];
    const address = match && 'target' in match ? flightAddress(match.target) : undefined;
    return address === undefined ? [] : [{ ...recovery, address }];
  });
  await linkRecoveries(sql, links);
};

/** What a new schedule changed about what had been observed before it came. */
export type Followed = { readonly gaveWay: number; readonly retimed: number; readonly released: number };

/**
 * Brings statuses in line with schedules that have just been put in force for days between two local dates: flights that no
 * schedule held give way to scheduled ones, recovery flights find what they recover, times are compared with the new schedule, and messages in quarantine find
 * their flights. Doing it again changes nothing.
 */
export const followSchedules = async (
  db: Database,
  span: { readonly from: LocalDate; readonly to: LocalDate },
  directory: Directory,
): Promise<Followed> => {
  // Whoever stores messages that were looked up before the load is waited for; whoever comes after sees it.
  await db.begin((sql) => lockAllStatuses(sql));
  const gaveWay = await giveWayToScheduled(db, span);
  await linkOriginals(db, directory);
  const outdated = await outdatedStatuses(db, span);
  for (let start = 0; start < outdated.length; start += AT_ONCE) {
    const places = outdated.slice(start, start + AT_ONCE);
    await db.begin((sql) => reframe(sql, places, directory));
  }
  const released = await retryQuarantined(db, directory);
  return { gaveWay, retimed: outdated.length, released };
};
