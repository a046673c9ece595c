import type { HubKeys, HubKey } from './hub-keys.ts';
import { HUB_API_PREFIX, HUB_STREAM } from './hub-names.ts';
import { createHubToken } from './hub-token.ts';

/** Options of a hub server: where it listens and stores its data. */
export type HubServerOptions = {
  /** `host:port` */
  readonly listen: string;
  readonly storeDir: string;
  readonly now: Date;
};

const noLimits = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
const allStorage = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };

/** The part of the stream API that readers may use; `*` matches the consumer, which permissions restrict. */
const services = [
  { name: 'info', subject: `CONSUMER.INFO.${HUB_STREAM}.*`, answers: 'Singleton' },
  { name: 'next', subject: `CONSUMER.MSG.NEXT.${HUB_STREAM}.*`, answers: 'Stream' },
] as const;
const ACKS = `$JS.ACK.${HUB_STREAM}.>`;

const serviceExports = [
  ...services.map(({ name, subject, answers }) => ({
    name,
    subject: `$JS.API.${subject}`,
    type: 'service',
    response_type: answers,
  })),
  { name: 'acks', subject: ACKS, type: 'service', response_type: 'Singleton' },
];

const listImports = (account: string): readonly object[] => [
  ...services.map(({ name, subject }) => ({
    name,
    subject: `$JS.API.${subject}`,
    // Without a local subject, it would address the API of the readers' account, which has no streams.
    local_subject: `${HUB_API_PREFIX}.${subject.replace('*', '$1')}`,
    account,
    type: 'service',
  })),
  { name: 'acks', subject: ACKS, account, type: 'service' },
];

/**
 * Renders the configuration of a hub server. It contains public keys and signed claims, and no secret. Readers have an account of their own, which
 * cannot reach subjects of the stream, not even as a reply subject.
 */
export const renderServerConfig = (keys: HubKeys, { listen, storeDir, now }: HubServerOptions): string => {
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
    account(keys.events, 'events', { limits: { ...noLimits, ...allStorage }, exports: serviceExports }),
    account(keys.readers, 'readers', { limits: noLimits, imports: listImports(keys.events.getPublicKey()) }),
    account(keys.system, 'system', { limits: noLimits }),
    '}',
    '',
  ].join('\n');
};
