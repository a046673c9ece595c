import type { UtcMillisecond, UtcSecond } from '#domain/status/instants.ts';
import type { FlightFacts, LandingFacts, StatusMessage } from '#domain/status/message.ts';
import { addDays, type LocalDate, toUtcDate } from '#domain/time/dates.ts';
import { withoutUndefined } from '#lib/without-undefined.ts';
import { findDailyTaskDate, upsertDailyTask } from '#store/tasks/daily-tasks.ts';
import { listExpandedDays } from '#store/flights/expanded-days.ts';
import type { Database } from '#store/pool/database.ts';
import { extendHorizon } from '#jobs/expand/extend-horizon.ts';
import type { StatusIngester } from '#jobs/status/ingest/status-ingester.ts';
import { FLOWN_DAYS } from '../world/demo-world.ts';
import { listFlightMessages } from './arranged-events.ts';
import { listDemoFlights } from './demo-flight.ts';

const NAME = 'demo-history';
const DAY_SECONDS = 86_400;

/** Messages in one batch; batches are small, so that the server stays responsive. */
const BATCH_SIZE = 200;

/** Ingests messages in batches until the signal is aborted. */
export const ingestInBatches = async (
  ingester: StatusIngester,
  messages: readonly StatusMessage[],
  signal: AbortSignal,
): Promise<void> => {
  for (let start = 0; start < messages.length && !signal.aborted; start += BATCH_SIZE)
    await ingester.ingest(messages.slice(start, start + BATCH_SIZE));
};

const mergeLandings = (messages: readonly StatusMessage[]): readonly LandingFacts<string>[] => {
  const byId = new Map<string, LandingFacts<string>>();
  for (const landing of messages.flatMap(({ landings }) => landings))
    byId.set(landing.id, { ...byId.get(landing.id), ...withoutUndefined(landing), id: landing.id });
  return [...byId.values()];
};

const arrivalFacilities = ['arrivalTerminal', 'arrivalGate', 'arrivalStand', 'baggage'] satisfies (keyof FlightFacts)[];
const isArrivalFacility = (name: string): boolean => arrivalFacilities.some((one) => one === name);

/**
 * Returns the facts of some messages. Those of a flight that is still at another airport do not have the terminal, gate, stand and belt
 * reported before the diversion: the merged message is observed after it, and they are those of the scheduled airport.
 */
const mergeFacts = (messages: readonly StatusMessage[], landings: readonly LandingFacts<string>[]): FlightFacts => {
  const isElsewhere = landings.some(({ actualOff }) => typeof actualOff !== 'number');
  const divertedAt = isElsewhere ? messages.findIndex((message) => message.landings.length > 0) : 0;
  const known = messages.map(({ facts }, index) =>
    Object.entries(facts).filter(
      ([name, value]) => value !== undefined && (index >= divertedAt || !isArrivalFacility(name)),
    ),
  );
  return Object.fromEntries(known.flat());
};

/** Returns the last of some messages of a flight, with what all of them report in the end; undefined for no message. */
export const mergeMessages = (messages: readonly StatusMessage[]): StatusMessage | undefined => {
  const last = messages.at(-1);
  if (!last) return undefined;
  const landings = mergeLandings(messages);
  return { ...last, facts: mergeFacts(messages, landings), landings };
};

/** Returns one message for each flight of a local date, with what was known of it at an instant. */
export const buildHistoryMessages = (day: LocalDate, now: UtcMillisecond): readonly StatusMessage[] => {
  const interval = [(day * DAY_SECONDS) as UtcSecond, ((day + 1) * DAY_SECONDS) as UtcSecond] as const;
  const listed = listFlightMessages(interval, listDemoFlights(day), ({ reference }) => reference.originDate === day);
  const isOfDay = ([first]: readonly StatusMessage[]): boolean =>
    first?.flight.by === 'designator' && first.flight.originDate === day;
  return listed
    .filter(isOfDay)
    .flatMap((messages) => mergeMessages(messages.filter(({ observedAt }) => observedAt <= now)) ?? [])
    .map((message) => ({ ...message, id: message.id.replace(/\d+$/, 'history') }));
};

/** Expands days of the past in small steps, because each step keeps readers waiting for a moment. */
const EXPANDED_AT_ONCE = 5;

export type DemoHistoryOptions = {
  readonly ingester: StatusIngester;
  readonly now: Date;
  readonly signal: AbortSignal;
};

/**
 * Fills the days before yesterday with flown flights: expands those that are missing, then stores one status message for
 * each flight. Continues where an earlier call was interrupted: a day counts as filled when all its messages are stored,
 * and messages that are repeated have no effect. Returns the number of days.
 */
export const fillDemoHistory = async (db: Database, { ingester, now, signal }: DemoHistoryOptions): Promise<number> => {
  const today = toUtcDate(now);
  const first = addDays(today, -FLOWN_DAYS);
  const filled = await findDailyTaskDate(db, NAME);
  const from = filled === undefined || filled < first ? first : addDays(filled, 1);
  const days = Array.from({ length: Math.max(0, addDays(today, -1) - from) }, (_, index) => addDays(from, index));
  for (let index = 0; index < days.length && !signal.aborted; index += EXPANDED_AT_ONCE) {
    const part = days.slice(index, index + EXPANDED_AT_ONCE);
    const window = { from: part[0] ?? today, days: part.length };
    await extendHorizon(db, { today, horizonDays: part.length, window });
    // A store whose demo world begins later has no flights on earlier days.
    const expanded = await listExpandedDays(db);
    for (const day of part.filter((each) => expanded.has(each))) {
      if (signal.aborted) return index;
      const messages = buildHistoryMessages(day, now.getTime() as UtcMillisecond);
      await ingestInBatches(ingester, messages, signal);
      if (!signal.aborted) await upsertDailyTask(db, NAME, day);
    }
  }
  return days.length;
};
