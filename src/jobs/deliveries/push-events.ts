import { randomUUID } from 'node:crypto';
import type { Deliverer } from '../../delivery/webhook/deliver.ts';
import { ACCOUNT_EVENTS_CHANNEL } from '../../store/events/account-events.ts';
import type { Database } from '../../store/pool/database.ts';
import { PUSH_CHANNEL } from '../../store/deliveries/push-progress.ts';
import { BLOCKS_CHANNEL } from '../../store/flights/registration-blocks.ts';
import { createSignal } from '../../lib/signal.ts';
import { newPushIntake } from './delivery-claimer.ts';
import type { PushLane } from './endpoint-sender.ts';
import { newPushWriter } from './delivery-writer.ts';

export type EventPushing = {
  readonly deliverer: Pick<Deliverer, 'deliver'>;
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
  /** The most endpoints that are served at the same time, and the most requests to one of them. */
  readonly endpoints?: number;
  readonly atOnce?: number;
  /** How long endpoints are left to a worker that is gone, milliseconds. */
  readonly leaseMs?: number;
  /** How often it is looked for what nobody announces: what is to be sent again, and endpoints whose rest is over, milliseconds. */
  readonly pollMs?: number;
  /** How often is written what was sent, milliseconds: what is sent in between is sent again when the worker is killed. */
  readonly writeMs?: number;
  /** How long an endpoint is served before another process may take its turn, and how long one is kept that has nothing to send, milliseconds. */
  readonly turnMs?: number;
  readonly lingerMs?: number;
};

const defaults = {
  endpoints: 500,
  atOnce: 8,
  leaseMs: 15_000,
  pollMs: 1000,
  writeMs: 100,
  turnMs: 5000,
  lingerMs: 1000,
} as const;

/** How often it is tried to write before the process gives up to end. */
const MOST_FAILURES = 3;

/**
 * Posts the events of accounts to their endpoints, as long as it runs. Any number of processes may do this; each endpoint is served by one of
 * them at a time, and taken over within `leaseMs` when that one is gone. An endpoint that answers slowly holds its own requests up and no
 * others. Answers how to stop: attempts under way are ended first, and endpoints handed back.
 */
export const pushEvents = async (db: Database, settings: EventPushing): Promise<() => Promise<void>> => {
  const pushing = { ...defaults, ...settings, worker: randomUUID() };
  const lanes = new Map<string, PushLane>();
  const [intakeAlarm, writerAlarm] = [createSignal(), createSignal()];
  const stopping = new AbortController();
  const { signal } = stopping;
  const writer = newPushWriter(db, { ...pushing, lanes });
  const intake = newPushIntake(db, {
    ...pushing,
    lanes,
    onSettled: (lane) => {
      if (writer.settled(lane)) writerAlarm.notify();
      if (lane.isHungry()) intakeAlarm.notify();
    },
  });

  const takeIn = async (): Promise<void> => {
    while (!signal.aborted) {
      const waitMs = await intake.step();
      if (!signal.aborted) await intakeAlarm.wait(waitMs);
    }
  };
  const writeOut = async (): Promise<void> => {
    while (!signal.aborted || lanes.size > 0) {
      const waitMs = await writer.step();
      intake.lookAt(writer.takeReleased());
      intakeAlarm.notify();
      // Nothing is taken in any more, and what is under way can last longer than a lease.
      if (signal.aborted) await intake.renew();
      // What cannot be written when it ends is sent again by whoever takes over.
      if (signal.aborted && writer.failures() >= MOST_FAILURES) return;
      await writerAlarm.wait(waitMs);
    }
  };

  const hear = (what: 'events' | 'endpoints') => (): void => {
    intake.hear(what);
    intakeAlarm.notify();
  };
  // What was read before may name an aircraft that is no longer shown: endpoints are handed back, and read again.
  const readAgain = (): void => {
    for (const lane of lanes.values()) lane.close();
    writerAlarm.notify();
  };
  // The second function runs at every (re)connection: what was announced meanwhile has been missed.
  const heard = await Promise.all([
    db.listen(ACCOUNT_EVENTS_CHANNEL, hear('events'), hear('events')),
    db.listen(PUSH_CHANNEL, hear('endpoints'), hear('endpoints')),
    db.listen(BLOCKS_CHANNEL, readAgain, readAgain),
  ]);
  const working = [takeIn(), writeOut()];
  return async () => {
    stopping.abort();
    for (const lane of lanes.values()) lane.close();
    intakeAlarm.notify();
    await working[0];
    // Those that were being claimed when it was told to end.
    for (const lane of lanes.values()) lane.close();
    writerAlarm.notify();
    await working[1];
    for (const { unlisten } of heard) await unlisten();
  };
};
