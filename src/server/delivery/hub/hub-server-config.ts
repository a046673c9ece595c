import type { HubKeys, HubKey } from './hub-keys.ts';
import { DEFAULT_HUB_STREAM, HUB_API_PREFIX } from './hub-names.ts';
import { createHubToken } from './hub-token.ts';

/** Options of a hub server: where it listens and stores its data. */
export type HubServerOptions = {
  /** `host:port` */
  readonly listen: string;
  readonly storeDir: string;
  readonly now: Date;
  /** Name of the stream; `FLIGHT_EVENTS` by default. */
  readonly stream?: string | undefined;
};

const noLimits = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
const allStorage = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };

/** The part of the stream API that readers may use; `*` matches the consumer, which permissions restrict. */
const listServices = (stream: string) =>
  [
    { name: 'info', subject: `CONSUMER.INFO.${stream}.*`, answers: 'Singleton' },
    { name: 'next', subject: `CONSUMER.MSG.NEXT.${stream}.*`, answers: 'Stream' },
  ] as const;

const listExports = (stream: string): readonly object[] => [
  ...listServices(stream).map(({ name, subject, answers }) => ({
    name,
    subject: `$JS.API.${subject}`,
    type: 'service',
    response_type: answers,
  })),
  { name: 'acks', subject: `$JS.ACK.${stream}.>`, type: 'service', response_type: 'Singleton' },
];

const listImports = (stream: string, account: string): readonly object[] => [
  ...listServices(stream).map(({ name, subject }) => ({
    name,
    subject: `$JS.API.${subject}`,
    // Without a local subject, it would address the API of the readers' account, which has no streams.
    local_subject: `${HUB_API_PREFIX}.${subject.replace('*', '$1')}`,
    account,
    type: 'service',
  })),
  { name: 'acks', subject: `$JS.ACK.${stream}.>`, account, type: 'service' },
];

/**
 * Renders the configuration of a hub server. It contains public keys and signed claims, and no secret. Readers have an account of their own, which
 * cannot reach subjects of the stream, not even as a reply subject.
 */
export const renderServerConfig = (
  keys: HubKeys,
  { listen, storeDir, now, stream = DEFAULT_HUB_STREAM }: HubServerOptions,
): string => {
  const account = (key: HubKey, name: string, claims: object): string =>
    `  ${key.getPublicKey()}: ${createHubToken(keys.operator, {
      name,
      subject: key.getPublicKey(),
      issuedAt: now,
      nats: { type: 'account', ...claims },
    })}`;
  const operator = createHubToken(keys.operator, {
    name: 'flightdata',
    subject: keys.operator.getPublicKey(),
    issuedAt: now,
    nats: { type: 'operator', system_account: keys.system.getPublicKey() },
  });
  return [
    `listen: ${JSON.stringify(listen)}`,
    `jetstream { store_dir: ${JSON.stringify(storeDir)} }`,
    `operator: ${operator}`,
    `system_account: ${keys.system.getPublicKey()}`,
    'resolver: MEMORY',
    'resolver_preload: {',
    account(keys.events, 'events', { limits: { ...noLimits, ...allStorage }, exports: listExports(stream) }),
    account(keys.readers, 'readers', { limits: noLimits, imports: listImports(stream, keys.events.getPublicKey()) }),
    account(keys.system, 'system', { limits: noLimits }),
    '}',
    '',
  ].join('\n');
};
