import type { HubKeys, HubKey } from './hub-keys.ts';
import { HUB_API_PREFIX, HUB_STREAM } from './hub-names.ts';
import { hubToken } from './hub-token.ts';

/** Where a server of the hub listens and keeps its data. */
export type HubServer = {
  /** `host:port` */
  readonly listen: string;
  readonly storeDir: string;
  readonly now: Date;
};

const noLimits = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
const allStorage = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };

/** What readers may ask of the account of the stream; `*` stands for the consumer, and its permissions for which one that is. */
const services = [
  { name: 'info', subject: `CONSUMER.INFO.${HUB_STREAM}.*`, answers: 'Singleton' },
  { name: 'next', subject: `CONSUMER.MSG.NEXT.${HUB_STREAM}.*`, answers: 'Stream' },
] as const;
const ACKS = `$JS.ACK.${HUB_STREAM}.>`;

const exported = [
  ...services.map(({ name, subject, answers }) => ({
    name,
    subject: `$JS.API.${subject}`,
    type: 'service',
    response_type: answers,
  })),
  { name: 'acks', subject: ACKS, type: 'service', response_type: 'Singleton' },
];

const importedFrom = (account: string): readonly object[] => [
  ...services.map(({ name, subject }) => ({
    name,
    subject: `$JS.API.${subject}`,
    // Under its own name the subject would lead to the API of the reader's own account, which has no streams.
    local_subject: `${HUB_API_PREFIX}.${subject.replace('*', '$1')}`,
    account,
    type: 'service',
  })),
  { name: 'acks', subject: ACKS, account, type: 'service' },
];

/**
 * The configuration of a server of the hub. It holds public keys and signed statements about them, and no secret. Readers are in an
 * account of their own, from which no subject of the stream can be reached, not even by naming one as the place for an answer.
 */
export const hubServerConfig = (keys: HubKeys, { listen, storeDir, now }: HubServer): string => {
  const account = (key: HubKey, name: string, claims: object): string =>
    `  ${key.getPublicKey()}: ${hubToken(keys.operator, {
      name,
      subject: key.getPublicKey(),
      issuedAt: now,
      nats: { type: 'account', ...claims },
    })}`;
  const operator = hubToken(keys.operator, {
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
    account(keys.events, 'events', { limits: { ...noLimits, ...allStorage }, exports: exported }),
    account(keys.readers, 'readers', { limits: noLimits, imports: importedFrom(keys.events.getPublicKey()) }),
    account(keys.system, 'system', { limits: noLimits }),
    '}',
    '',
  ].join('\n');
};
