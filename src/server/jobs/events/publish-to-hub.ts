import { randomUUID } from 'node:crypto';
import { openHub, type HubConnection, type HubAddress, type HubMessage } from '#delivery/hub/hub-connection.ts';
import { formatSubject } from '#delivery/hub/hub-names.ts';
import { renderEvent } from '#products/flight-info-alerts/v1/events/render-event.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import {
  claimHubLease,
  deleteHolds,
  findHeldEvents,
  findHubPosition,
  insertHolds,
  listHubEvents,
  releaseHubLease,
  updateHold,
  updateHubProgress,
  type HubEvent,
  type HubProgress,
} from '#store/deliveries/hub-progress.ts';
import { BackgroundDriver, type RunOutcome } from '../driver.ts';
import { backgroundTasks } from '../task-registry.ts';

export type HubPublisherOptions = HubAddress & {
  readonly onError: (error: unknown) => void;
  /** Called with the number of events that were newly published. */
  readonly onPublished?: ((events: number) => void) | undefined;
  /** The most events that are published at once. */
  readonly batch?: number;
  /** Interval of polling for events whose notification was lost, and pause after a failure, milliseconds. */
  readonly pollMs?: number;
  /** How long the lease lasts after its last renewal, milliseconds. */
  readonly leaseMs?: number;
  readonly driver?: BackgroundDriver | undefined;
};

const BATCH = 500;
const LEASE_MS = 3000;

/** Greater than every stream number: the position after all events of a log position. */
const LAST_STREAM = 2 ** 31 - 1;

const toHubMessage = (event: HubEvent): HubMessage => ({
  subject: formatSubject(event.accountId, event.facts),
  // Two accounts that get the same event get two messages.
  id: `${event.accountId}.${event.id}`,
  headers: { 'Event-Id': event.id, Position: String(event.number) },
  text: renderEvent(event),
});

/** Finds the event of the last message of the hub; undefined when its ID is not that of an event. */
const findLastPublished = async (db: Database, hub: HubConnection): ReturnType<typeof findHubPosition> => {
  const [, accountId, eventId] = /^([0-9a-f-]{36})\.([0-9a-f-]{36})$/.exec((await hub.findLastId()) ?? '') ?? [];
  return accountId === undefined || eventId === undefined ? undefined : findHubPosition(db, { accountId, eventId });
};

/**
 * Returns the actual progress of the hub. It is ahead of the recorded one when a publisher was killed, and behind it when a broker lost the
 * end of its stream; the last message of the stream decides. A new stream receives all retained events.
 */
const reconcile = async (db: Database, hub: HubConnection, known: HubProgress): Promise<HubProgress> => {
  const { stream, sequence } = await hub.prepareStream();
  const isSame = known.hubStream === stream;
  if (isSame && known.hubSequence === sequence) return known;
  const progress = { ...known, hubStream: stream, hubSequence: sequence };
  const found = await findLastPublished(db, hub);
  if (!found) {
    if (isSame) return progress;
    await deleteHolds(db);
    return { ...progress, last: undefined };
  }
  const { position, stream: account, number, isHeld } = found;
  if (!isHeld) return { ...progress, last: { position, stream: account } };
  await updateHold(db, { stream: account, number, isEnd: false });
  return progress;
};

const reportExpired = ({ last }: HubProgress, oldest: number, onError: HubPublisherOptions['onError']): void => {
  if (!last || oldest <= last.position + 1) return;
  const gone = `${last.position + 1} to ${oldest - 1}`;
  onError(new Error(`the retention of events ${gone} ended before they were published to the hub`));
};

/** Reports an event that the hub rejects and that is skipped, because the events of all accounts would wait behind it. */
const reportSkipped = (
  event: HubEvent | undefined,
  { failure, onError }: { readonly failure: unknown; readonly onError: HubPublisherOptions['onError'] },
): void => {
  if (!event) return;
  const { accountId, id, number } = event;
  const what = `event ${id}, position ${number} of account ${accountId}`;
  onError(new Error(`skipped ${what}: the hub rejects it`, { cause: failure }));
};

type HubPublisherSettings = Required<Pick<HubPublisherOptions, 'onError' | 'batch' | 'leaseMs'>> &
  Pick<HubPublisherOptions, 'onPublished'> & { readonly address: HubAddress };

/** Publishes to the hub while this process holds the lease. */
class HubPublisher {
  readonly #worker = randomUUID();
  readonly #db: Database;
  readonly #settings: HubPublisherSettings;
  #hub: HubConnection | undefined;
  /** Whether the recorded progress is known to be that of the hub. */
  #inSync = false;

  constructor(db: Database, settings: HubPublisherSettings) {
    this.#db = db;
    this.#settings = settings;
  }

  async run(): Promise<RunOutcome> {
    const { leaseMs, address } = this.#settings;
    try {
      const claim = await claimHubLease(this.#db, { worker: this.#worker, leaseMs });
      if (!claim) return 'standby';
      // The broker may have lost the end of its stream with the connection; without this check it would show with the next event only.
      if (this.#hub?.isLost()) await this.#disconnect();
      this.#hub ??= await openHub(address);
      const { wasMine, ...known } = claim;
      const progress = wasMine && this.#inSync ? known : await reconcile(this.#db, this.#hub, known);
      this.#inSync = true;
      if (progress !== known) await this.#record(progress);
      return (await this.#publishHeld(progress, this.#hub)) ?? (await this.#publishAfter(progress, this.#hub));
    } catch (error) {
      // Another process may reach a hub that this one does not.
      await this.close();
      throw error;
    }
  }

  /** Disconnects and releases the lease. */
  async close(): Promise<void> {
    await this.#disconnect();
    await releaseHubLease(this.#db, this.#worker).catch(this.#settings.onError);
  }

  /** Publishes events of an account that were held back; undefined when there are none. */
  async #publishHeld(progress: HubProgress, hub: HubConnection): Promise<RunOutcome | undefined> {
    const { batch, address } = this.#settings;
    const held = await findHeldEvents(this.#db, { upTo: progress.last, limit: batch, now: address.clock() });
    if (!held) return undefined;
    const { stream, events, isEnd } = held;
    const { passed, sequence, failure } = await this.#publish(events, progress, hub);
    const hold = { stream, number: events[passed - 1]?.number, isEnd: isEnd && passed === events.length };
    await this.#record({ ...progress, hubSequence: sequence }, hold);
    if (failure !== undefined) throw new Error('the hub rejected an event', { cause: failure });
    return 'more';
  }

  async #publishAfter(progress: HubProgress, hub: HubConnection): Promise<RunOutcome> {
    const { batch, onError, address } = this.#settings;
    const page = await listHubEvents(this.#db, { after: progress.last, limit: batch, now: address.clock() });
    const { events, distributed, oldest } = page;
    reportExpired(progress, oldest, onError);
    await insertHolds(this.#db, page.newHolds);
    const { passed, sequence, failure } = await this.#publish(events, progress, hub);
    const isAll = passed === events.length;
    const end = page.isEnd ? { position: distributed, stream: LAST_STREAM } : page.last;
    const last = (isAll ? end : events[passed - 1]?.hubPosition) ?? progress.last;
    if (passed > 0 || last?.position !== progress.last?.position || last?.stream !== progress.last?.stream)
      await this.#record({ ...progress, last, hubSequence: sequence });
    if (failure !== undefined) throw new Error('the hub rejected an event', { cause: failure });
    return isAll && page.isEnd ? 'done' : 'more';
  }

  /** Publishes events up to a failure; one that the hub rejects is skipped and ends the batch. Returns how many are done. */
  async #publish(
    events: readonly HubEvent[],
    progress: HubProgress,
    hub: HubConnection,
  ): Promise<{ readonly passed: number; readonly sequence: number; readonly failure: unknown }> {
    const { onError, onPublished } = this.#settings;
    const published = await hub.publish(events.map(toHubMessage), progress.hubSequence);
    const { count, sequence, failure, isRejected = false } = published;
    if (isRejected) reportSkipped(events[count], { failure, onError });
    if (count > 0) onPublished?.(count);
    return { passed: isRejected ? count + 1 : count, sequence, failure: isRejected ? undefined : failure };
  }

  async #record(progress: HubProgress, hold?: Parameters<typeof updateHold>[1]): Promise<void> {
    const save = async (sql: Sql): Promise<void> => {
      if (!(await updateHubProgress(sql, this.#worker, progress))) this.#inSync = false;
      else if (hold) await updateHold(sql, hold);
    };
    await (hold ? this.#db.begin(save) : save(this.#db));
  }

  async #disconnect(): Promise<void> {
    this.#inSync = false;
    const hub = this.#hub;
    this.#hub = undefined;
    await hub?.close().catch(this.#settings.onError);
  }
}

/**
 * Starts to publish the events of all accounts to the hub, in order and each once. Any number of processes may run it: one publishes, and
 * another takes over within `leaseMs` plus `pollMs` of its end. A failure is retried after `pollMs`. Events that the hub rejects as too large,
 * or that were deleted while it was unreachable, are reported. Returns a function that stops it after the current batch.
 */
export const startHubPublisher = async (
  db: Database,
  {
    onError,
    onPublished,
    batch = BATCH,
    pollMs = backgroundTasks['publish-to-hub'].periodMs,
    leaseMs = LEASE_MS,
    driver = new BackgroundDriver(db),
    ...address
  }: HubPublisherOptions,
): Promise<() => Promise<void>> => {
  const publisher = new HubPublisher(db, { onError, onPublished, batch, leaseMs, address });
  const { stop } = await driver.start('publish-to-hub', {
    run: () => publisher.run(),
    onError,
    periodMs: pollMs,
    retryMs: pollMs,
    standbyMs: pollMs,
  });
  return async () => {
    await stop();
    await publisher.close();
  };
};
