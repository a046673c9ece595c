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
import { createPublisherUser } from './hub-credentials.ts';
import type { HubKeys } from './hub-keys.ts';
import { DEFAULT_HUB_STREAM, formatAccountSubjects, formatStreamSubjects, formatSubjectPrefix } from './hub-names.ts';

export type HubAddress = {
  /** `nats://host:port` or `tls://host:port`; a user and a password in it are used instead of keys. */
  readonly url: string;
  readonly keys: HubKeys;
  readonly clock: () => Date;
  /** Name of the stream; `FLIGHT_EVENTS` by default. */
  readonly stream?: string;
  /** How many brokers store each message of a stream that is created; 1 by default. */
  readonly replicas?: number;
};

/** A message of the stream. */
export type HubMessage = {
  /** Without the prefix of the stream. */
  readonly subject: string;
  /** Deduplication ID, equal when the message is sent again. */
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
};

const CONNECT_MS = 5000;
const ACK_MS = 5000;

/** A broker that does not respond is detected after twice this time. */
const PING_MS = 5000;

/** Retention of events in the hub; equal to that of the service. */
const RETENTION_DAYS = 7;
const DAY_NS = 86_400_000_000_000;
const MINUTE_NS = 60_000_000_000;

/** A consumer without requests for this long has missed a week of events; the broker deletes it. */
const UNUSED_DAYS = 14;

const streamConfig = {
  max_age: RETENTION_DAYS * DAY_NS,
  // Within this window the broker drops duplicates by ID; later ones are detected by the stream sequence.
  duplicate_window: 2 * MINUTE_NS,
};

/** The stream belongs to another deployment, which uses the same broker account. */
export class ForeignStreamError extends Error {
  override readonly name = 'ForeignStreamError';
}

/** The owner is in the description, because nats-server 2.9 stores no metadata of streams. */
const ownerPattern = /flightdata store ([A-Z0-9]+)/;

/** Returns the description of a stream with its owner. Throws a ForeignStreamError when it has another one. */
const claimDescription = ({ name, description = '' }: StreamInfo['config'], { keys }: HubAddress): string => {
  const own = keys.events.getPublicKey();
  const [, owner] = ownerPattern.exec(description) ?? [];
  if (owner === undefined) return `${description} flightdata store ${own}`.trim();
  if (owner === own) return description;
  throw new ForeignStreamError(
    `the stream ${name} of the broker belongs to another deployment (${owner}); set HUB_STREAM to another name`,
  );
};

const findStream = (jsm: JetStreamManager, name: string): Promise<StreamInfo | undefined> =>
  jsm.streams.info(name).catch((error: unknown) => {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return undefined;
    throw error;
  });

/** Returns the stream, after creating or updating it. The operator of the broker may have set replicas and limits. */
const ensureStream = async (jsm: JetStreamManager, address: HubAddress): Promise<StreamInfo> => {
  const { stream: name = DEFAULT_HUB_STREAM } = address;
  const config = { ...streamConfig, subjects: [formatStreamSubjects(name)] };
  const existing = await findStream(jsm, name);
  if (!existing)
    return jsm.streams.add({
      name,
      description: `flightdata store ${address.keys.events.getPublicKey()}`,
      storage: StorageType.File,
      num_replicas: address.replicas ?? 1,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
      ...config,
    });
  const description = claimDescription(existing.config, address);
  const { subjects, max_age: maxAge, duplicate_window: window } = existing.config;
  const isUpToDate =
    description === existing.config.description &&
    subjects.join() === config.subjects.join() &&
    maxAge === config.max_age &&
    window === config.duplicate_window;
  return isUpToDate ? existing : jsm.streams.update(name, { ...config, description });
};

/** The identity of the stream (its creation time) and the sequence of its last message. */
export type HubState = { readonly stream: string; readonly sequence: number };

/** The result of publishing: `count` messages are in the stream, `sequence` is the last number, and the next message failed with `failure`. */
export type PublishResult = {
  readonly count: number;
  readonly sequence: number;
  readonly failure?: unknown;
  /** The failed message itself is invalid and will fail again. */
  readonly isRejected?: boolean;
};

/** JetStream error code of a stream with a limit for the size of messages. */
const ERR_MESSAGE_TOO_LARGE = 10_054;

/** The client does not send messages above the limit that the broker announces at connection. */
const isRejectedMessage = (failure: unknown): boolean =>
  failure instanceof errors.InvalidArgumentError ||
  (failure instanceof JetStreamApiError && failure.code === ERR_MESSAGE_TOO_LARGE);

/** A connection to the hub. It does not reconnect; open a new one when it is lost. */
export type HubConnection = {
  /** Creates the stream if it does not exist, and returns its state. Rejects with a ForeignStreamError when it belongs to another deployment. */
  readonly prepareStream: () => Promise<HubState>;
  /** Returns the ID of the last message that the stream contains. */
  readonly findLastId: () => Promise<string | undefined>;
  /** Publishes messages in order, after the given sequence. When one fails, all later ones fail too, so that the stream always contains a prefix. */
  readonly publish: (messages: readonly HubMessage[], after: number) => Promise<PublishResult>;
  /** Creates the consumer of an account if it does not exist; it starts with the oldest event of the stream. */
  readonly createConsumer: (accountId: string, consumer: string) => Promise<void>;
  /** Returns whether the connection was lost. */
  readonly isLost: () => boolean;
  readonly close: () => Promise<void>;
};

const toConnectionOptions = ({ url, keys, clock }: HubAddress): ConnectionOptions => {
  const { hostname, port, protocol, username, password } = new URL(url);
  const common = {
    name: 'flightdata',
    servers: `${hostname}:${port || 4222}`,
    // The caller must learn that messages were lost with the connection, and opens a new one.
    reconnect: false,
    timeout: CONNECT_MS,
    pingInterval: PING_MS,
    maxPingOut: 2,
    ...(protocol === 'tls:' && { tls: {} }),
  };
  if (username !== '') return { ...common, user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  const { token, seed } = createPublisherUser(keys, clock());
  return { ...common, authenticator: jwtAuthenticator(token, seed) };
};

type Publication = { readonly stream: string; readonly messages: readonly HubMessage[]; readonly after: number };

const publishAll = async (js: JetStreamClient, { stream, messages, after }: Publication): Promise<PublishResult> => {
  const prefix = formatSubjectPrefix(stream);
  const acks = messages.map(({ subject, id, headers: own, text }, index) => {
    const all = headers();
    for (const [name, value] of Object.entries(own)) all.set(name, value);
    const expect = { streamName: stream, lastSequence: after + index };
    return js.publish(`${prefix}${subject}`, text, { msgID: id, headers: all, expect, timeout: ACK_MS, retries: 1 });
  });
  const settled = await Promise.allSettled(acks);
  let sequence = after;
  for (const [count, ack] of settled.entries()) {
    if (ack.status === 'rejected')
      return { count, sequence, failure: ack.reason, ...(isRejectedMessage(ack.reason) && { isRejected: true }) };
    if (!ack.value.duplicate) sequence = ack.value.seq;
  }
  return { count: messages.length, sequence };
};

/** Opens a connection to the hub as the service. */
export const openHub = async (address: HubAddress): Promise<HubConnection> => {
  const { stream = DEFAULT_HUB_STREAM } = address;
  const connection = await connect(toConnectionOptions(address));
  const js = jetstream(connection, { timeout: ACK_MS });
  const jsm = await jetstreamManager(connection, { timeout: ACK_MS, checkAPI: false });
  return {
    prepareStream: async () => {
      const { created, state } = await ensureStream(jsm, address);
      return { stream: created, sequence: state.last_seq };
    },
    findLastId: async () => {
      const last = await jsm.streams.getMessage(stream, { last_by_subj: formatStreamSubjects(stream) });
      return last?.header.get('Nats-Msg-Id') || undefined;
    },
    publish: (messages, after) => publishAll(js, { stream, messages, after }),
    createConsumer: async (accountId, consumer) => {
      await jsm.consumers.add(stream, {
        durable_name: consumer,
        filter_subject: formatAccountSubjects(stream, accountId),
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        inactive_threshold: UNUSED_DAYS * DAY_NS,
      });
    },
    isLost: () => connection.isClosed(),
    close: () => connection.close(),
  };
};

/** Connects to the hub and changes nothing. Rejects with a ForeignStreamError when the stream belongs to another deployment. */
export const checkHub = async (address: HubAddress): Promise<void> => {
  const connection = await connect(toConnectionOptions(address));
  try {
    const jsm = await jetstreamManager(connection, { timeout: ACK_MS, checkAPI: false });
    const existing = await findStream(jsm, address.stream ?? DEFAULT_HUB_STREAM);
    if (existing) claimDescription(existing.config, address);
  } finally {
    await connection.close();
  }
};
