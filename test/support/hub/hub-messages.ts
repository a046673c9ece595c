import { jetstream, jetstreamManager, type JsMsg } from '@nats-io/jetstream';
import { connect, jwtAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { createPublisherUser } from '#delivery/hub/hub-credentials.ts';
import type { Broker } from './nats-server.ts';

/** A message of the stream, as the operator of the hub sees it. */
export type StoredMessage = ReturnType<typeof toStoredMessage>;

const toStoredMessage = (message: JsMsg) => ({
  sequence: message.seq,
  subject: message.subject,
  /** The message ID by which the broker detects duplicates. */
  id: message.headers?.get('Nats-Msg-Id') ?? '',
  eventId: message.headers?.get('Event-Id') ?? '',
  position: Number(message.headers?.get('Position')),
  text: message.string(),
});

/** Runs work on a connection to the hub with the permissions of the service. */
export const connectAsService = async <T>(
  { url, keys }: Pick<Broker, 'url' | 'keys'>,
  work: (connection: NatsConnection) => Promise<T>,
): Promise<T> => {
  const { token, seed } = createPublisherUser(keys, new Date());
  const connection = await connect({ servers: url, authenticator: jwtAuthenticator(token, seed), reconnect: false });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
};

export const readHubMessages = (broker: Pick<Broker, 'url' | 'keys'>): Promise<readonly StoredMessage[]> =>
  connectAsService(broker, async (connection) => {
    const { state } = await (await jetstreamManager(connection)).streams.info('FLIGHT_EVENTS');
    const stored: StoredMessage[] = [];
    if (state.messages === 0) return stored;
    const consumer = await jetstream(connection).consumers.get('FLIGHT_EVENTS');
    for await (const message of await consumer.consume()) {
      stored.push(toStoredMessage(message));
      if (message.seq === state.last_seq) break;
    }
    return stored;
  });
