import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  jetstream,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type JetStreamClient,
  type JetStreamManager,
  type StreamInfo,
} from '@nats-io/jetstream';
import { connect, errors, headers, jwtAuthenticator, type ConnectionOptions } from '@nats-io/transport-node';
import { publisherUser } from './hub-credentials.ts';
import type { HubKeys } from './hub-keys.ts';
import { HUB_STREAM, HUB_SUBJECTS, subjectsOf } from './hub-names.ts';

export type HubAddress = {
  /** `nats://host:port` or `tls://host:port`; user and password in it are used where the broker asks for these. */
  readonly url: string;
  readonly keys: HubKeys;
  readonly clock: () => Date;
};

/** A message of the stream. */
export type HubMessage = {
  readonly subject: string;
  /** What makes it the same message when it is sent again. */
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
};

const CONNECT_MS = 5000;
const ACK_MS = 5000;

/** A broker that has gone silent is noticed after twice this time. */
const PING_MS = 5000;

/** How long the hub keeps events: as long as the service does. */
const RETENTION_DAYS = 7;
const DAY_NS = 86_400_000_000_000;
const MINUTE_NS = 60_000_000_000;

/** A consumer that asks for nothing so long has missed events for a week anyway; the broker forgets it. */
const UNUSED_DAYS = 14;

const wanted = {
  subjects: [HUB_SUBJECTS],
  max_age: RETENTION_DAYS * DAY_NS,
  // A message that comes again within this time is known by its id. What comes again later is told apart by where the stream is.
  duplicate_window: 2 * MINUTE_NS,
};

/** The stream that is there, made or brought up to date first; who runs the broker may have given it replicas and limits of its own. */
const readyStream = async (jsm: JetStreamManager): Promise<StreamInfo> => {
  const found = await jsm.streams.info(HUB_STREAM).catch((error: unknown) => {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return undefined;
    throw error;
  });
  if (!found)
    return jsm.streams.add({
      name: HUB_STREAM,
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
      ...wanted,
    });
  const { subjects, max_age: maxAge, duplicate_window: window } = found.config;
  const isAsWanted =
    subjects.join() === HUB_SUBJECTS && maxAge === wanted.max_age && window === wanted.duplicate_window;
  return isAsWanted ? found : jsm.streams.update(HUB_STREAM, wanted);
};

/** Where the stream of the hub is: which one it is, by when it was made, and the number of its last message. */
export type HubState = { readonly stream: string; readonly sequence: number };

/** How far publishing came: so many messages are in the stream, `sequence` is the last number, and the next one failed for this reason. */
export type Published = {
  readonly count: number;
  readonly sequence: number;
  readonly failure?: unknown;
  /** The message that failed is itself at fault, and will fail whenever it is tried. */
  readonly isUnfit?: boolean;
};

/** The error of a stream that has a limit for the size of messages. */
const LARGER_THAN_STREAM_TAKES = 10_054;

/** The broker says how large a message may be when it is connected to, and the client does not send one that is larger. */
const isUnfit = (failure: unknown): boolean =>
  failure instanceof errors.InvalidArgumentError ||
  (failure instanceof JetStreamApiError && failure.code === LARGER_THAN_STREAM_TAKES);

/** A connection to the hub. It ends for good when it is lost; a new one is to be opened then. */
export type Hub = {
  /** Makes the stream if it is not there, and says where it is. */
  readonly ready: () => Promise<HubState>;
  /** The id of the last message that the stream still has. */
  readonly lastId: () => Promise<string | undefined>;
  /**
   * Publishes messages in their order, after the number that the stream is at. The first of them that fails takes all behind it
   * along, so that what is in the stream is always a beginning: each is taken only after the one before.
   */
  readonly publish: (messages: readonly HubMessage[], after: number) => Promise<Published>;
  /** Makes the consumer of an account if it is not there; it begins with the oldest event of the stream. */
  readonly makeConsumer: (accountId: string, consumer: string) => Promise<void>;
  /** Whether the connection was lost. */
  readonly isLost: () => boolean;
  readonly close: () => Promise<void>;
};

const authenticated = ({ url, keys, clock }: HubAddress): ConnectionOptions => {
  const { hostname, port, protocol, username, password } = new URL(url);
  const common = {
    name: 'flightdata',
    servers: `${hostname}:${port || 4222}`,
    // Whoever uses the connection must know that messages were lost with it, and opens another one.
    reconnect: false,
    timeout: CONNECT_MS,
    pingInterval: PING_MS,
    maxPingOut: 2,
    ...(protocol === 'tls:' && { tls: {} }),
  };
  if (username !== '') return { ...common, user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  const { token, seed } = publisherUser(keys, clock());
  return { ...common, authenticator: jwtAuthenticator(token, seed) };
};

const publishAll = async (js: JetStreamClient, messages: readonly HubMessage[], after: number): Promise<Published> => {
  const acks = messages.map(({ subject, id, headers: own, text }, index) => {
    const all = headers();
    for (const [name, value] of Object.entries(own)) all.set(name, value);
    const expect = { streamName: HUB_STREAM, lastSequence: after + index };
    return js.publish(subject, text, { msgID: id, headers: all, expect, timeout: ACK_MS, retries: 1 });
  });
  const settled = await Promise.allSettled(acks);
  let sequence = after;
  for (const [count, ack] of settled.entries()) {
    if (ack.status === 'rejected')
      return { count, sequence, failure: ack.reason, ...(isUnfit(ack.reason) && { isUnfit: true }) };
    if (!ack.value.duplicate) sequence = ack.value.seq;
  }
  return { count: messages.length, sequence };
};

/** Connects to the hub as the service. */
export const openHub = async (address: HubAddress): Promise<Hub> => {
  const connection = await connect(authenticated(address));
  const js = jetstream(connection, { timeout: ACK_MS });
  const jsm = await jetstreamManager(connection, { timeout: ACK_MS, checkAPI: false });
  return {
    ready: async () => {
      const { created, state } = await readyStream(jsm);
      return { stream: created, sequence: state.last_seq };
    },
    lastId: async () => {
      const last = await jsm.streams.getMessage(HUB_STREAM, { last_by_subj: HUB_SUBJECTS });
      return last?.header.get('Nats-Msg-Id') || undefined;
    },
    publish: (messages, after) => publishAll(js, messages, after),
    makeConsumer: async (accountId, consumer) => {
      await jsm.consumers.add(HUB_STREAM, {
        durable_name: consumer,
        filter_subject: subjectsOf(accountId),
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        inactive_threshold: UNUSED_DAYS * DAY_NS,
      });
    },
    isLost: () => connection.isClosed(),
    close: () => connection.close(),
  };
};
