import { randomUUID } from 'node:crypto';
import { openHub, type Hub, type HubAddress, type HubMessage } from '../../delivery/hub/hub-connection.ts';
import { subjectOf } from '../../delivery/hub/hub-names.ts';
import { showEvent } from '../../products/flight-info-alerts/v1/events/to-event.ts';
import { ACCOUNT_EVENTS_CHANNEL } from '../../store/events/account-events.ts';
import type { Database } from '../../store/pool/database.ts';
import {
  claimHub,
  leaveHub,
  moveHub,
  placeInHub,
  readHubEvents,
  type HubEvent,
  type HubPlace,
  type HubProgress,
} from '../../store/deliveries/hub-progress.ts';
import { takeTurns, type Turn } from './leader-task.ts';

export type HubPublishing = HubAddress & {
  readonly onError: (error: unknown) => void;
  /** Hears how many events are in the hub now that were not before. */
  readonly onPublished?: ((events: number) => void) | undefined;
  /** How many events are under way at once. */
  readonly batch?: number;
  /** How often it is looked for events whose announcement did not come, and how long after a failure it is tried again, milliseconds. */
  readonly pollMs?: number;
  /** How long after its last sign of life the work is left to another process, milliseconds. */
  readonly leaseMs?: number;
};

const BATCH = 500;
const POLL_MS = 1000;
const LEASE_MS = 3000;

/** Behind every event of a position. */
const LAST_STREAM = 2 ** 31 - 1;

const messageOf = (event: HubEvent): HubMessage => ({
  subject: subjectOf(event.accountId, event.facts),
  // Two accounts that get the same event get two messages.
  id: `${event.accountId}.${event.id}`,
  headers: { 'Event-Id': event.id, Position: String(event.number) },
  text: showEvent(event),
});

/** Where the last message of the hub is among the events; undefined when it cannot be told. */
const placeOfLast = async (db: Database, hub: Hub): Promise<HubPlace | undefined> => {
  const [, accountId, eventId] = /^([0-9a-f-]{36})\.([0-9a-f-]{36})$/.exec((await hub.lastId()) ?? '') ?? [];
  return accountId === undefined || eventId === undefined ? undefined : placeInHub(db, { accountId, eventId });
};

/**
 * Where the hub really is. It can be further than was recorded, when a publisher was killed, and less far, when a broker lost the end of
 * its stream: then its last message says it. A stream that is new gets all events that are retained.
 */
const catchUp = async (db: Database, hub: Hub, known: HubProgress): Promise<HubProgress> => {
  const { stream: hubStream, sequence: hubSequence } = await hub.ready();
  const isSame = known.hubStream === hubStream;
  if (isSame && known.hubSequence === hubSequence) return known;
  const last = await placeOfLast(db, hub);
  return { place: last ?? (isSame ? known.place : undefined), hubStream, hubSequence };
};

/** Hears that some events are gone that the hub did not get. */
const tellWhatIsGone = ({ place }: HubProgress, oldest: number, onError: HubPublishing['onError']): void => {
  if (!place || oldest <= place.position + 1) return;
  const gone = `${place.position + 1} to ${oldest - 1}`;
  onError(new Error(`events of the positions ${gone} were no longer retained when the hub was to get them`));
};

/** Hears of an event that is left out: all events of all accounts would wait behind it for ever. */
const tellWhatIsUnfit = (
  event: HubEvent | undefined,
  { failure, onError }: { readonly failure: unknown; readonly onError: HubPublishing['onError'] },
): void => {
  if (!event) return;
  const { accountId, id, number } = event;
  const what = `the event ${id}, position ${number} of the account ${accountId}`;
  onError(new Error(`${what}, is left out of the hub, which does not take it`, { cause: failure }));
};

/**
 * Publishes the events of all accounts to the hub, in their order and each once, as long as it runs. Any number of processes may do this:
 * one works, and another takes over within `leaseMs` and `pollMs` of its end, however it ended. A failure is reported, and tried again
 * after `pollMs`. Reported as well are events that the hub does not get: one that is larger than it takes, and those that were no longer
 * retained when it could be reached again. Answers how to stop; what is under way is ended first.
 */
export const publishToHub = async (
  db: Database,
  { onError, onPublished, batch = BATCH, pollMs = POLL_MS, leaseMs = LEASE_MS, ...address }: HubPublishing,
): Promise<() => Promise<void>> => {
  const worker = randomUUID();
  let hub: Hub | undefined;
  let isInStep = false;
  const leave = async (): Promise<void> => {
    isInStep = false;
    const left = hub;
    hub = undefined;
    await left?.close().catch(onError);
  };
  const record = async (progress: HubProgress): Promise<void> => {
    if (!(await moveHub(db, worker, progress))) isInStep = false;
  };
  const publishFrom = async (at: HubProgress, to: Hub): Promise<Turn> => {
    const { events, distributed, oldest } = await readHubEvents(db, { after: at.place, limit: batch });
    tellWhatIsGone(at, oldest, onError);
    const { count, sequence, failure, isUnfit = false } = await to.publish(events.map(messageOf), at.hubSequence);
    const passed = isUnfit ? count + 1 : count;
    const isAll = passed === events.length && passed < batch;
    const place = isAll ? { position: distributed, stream: LAST_STREAM } : (events[passed - 1]?.place ?? at.place);
    if (isUnfit) tellWhatIsUnfit(events[count], { failure, onError });
    if (passed > 0 || place?.position !== at.place?.position) await record({ ...at, place, hubSequence: sequence });
    if (count > 0) onPublished?.(count);
    if (failure !== undefined && !isUnfit) throw new Error('the hub did not take an event', { cause: failure });
    return isAll ? 'done' : 'more';
  };
  const take = async (): Promise<Turn> => {
    try {
      const claim = await claimHub(db, { worker, leaseMs });
      if (!claim) return 'busy';
      // The broker may have lost the end of its stream with it, and nobody else looks until there is another event.
      if (hub?.isLost()) await leave();
      hub ??= await openHub(address);
      const { wasMine, ...known } = claim;
      const at = wasMine && isInStep ? known : await catchUp(db, hub, known);
      isInStep = true;
      if (at !== known) await record(at);
      return await publishFrom(at, hub);
    } catch (error) {
      await leave();
      // Another process may reach a hub that this one does not.
      await leaveHub(db, worker).catch(onError);
      throw error;
    }
  };
  const stop = await takeTurns(db, { channel: ACCOUNT_EVENTS_CHANNEL, take, onError, pollMs, restMs: pollMs });
  return async () => {
    await stop();
    await leave();
    await leaveHub(db, worker).catch(onError);
  };
};
