import { openHub, type HubAddress } from './hub-connection.ts';
import { readerCredentials } from './hub-credentials.ts';
import { consumerNames, HUB_API_PREFIX, HUB_STREAM, subjectsOf } from './hub-names.ts';

/** All that a consumer of the hub needs. */
export type HubAccess = {
  readonly url: string;
  readonly stream: string;
  /** What requests to the API of the stream begin with. */
  readonly apiPrefix: string;
  readonly consumer: string;
  readonly subjects: string;
  /** What the subjects begin with on which answers are expected. */
  readonly inboxPrefix: string;
  /** A secret. */
  readonly credentials: string;
  readonly expiresAt: Date;
};

export type HubAccessOptions = HubAddress & {
  /** From which the names of consumers are made, as the keys are: 32 bytes. */
  readonly secret: Uint8Array;
  /** Where consumers reach the hub, when that is another address than the service's own. */
  readonly publicUrl?: string | undefined;
};

/** Whom access is given to, for which purpose, and for how long. */
export type WantedAccess = { readonly accountId: string; readonly group: string; readonly days: number };

const DAY_MS = 86_400_000;

/** The address without the user and the password that are the service's. */
const withoutUser = (url: string): string => url.replace(/^([a-z]+:\/\/)[^/]*@/, '$1');

/** The access to the consumer of an account, whether it is there or not, with credentials that are new each time and kept nowhere. */
export const hubAccessOf = (
  { secret, publicUrl, url, keys, clock }: HubAccessOptions,
  { accountId, group, days }: WantedAccess,
): HubAccess => {
  const names = consumerNames(secret, { accountId, group });
  const issuedAt = clock();
  const expiresAt = new Date(issuedAt.getTime() + days * DAY_MS);
  return {
    url: publicUrl ?? withoutUser(url),
    stream: HUB_STREAM,
    apiPrefix: HUB_API_PREFIX,
    consumer: names.consumer,
    subjects: subjectsOf(accountId),
    inboxPrefix: names.inbox,
    credentials: readerCredentials(keys, { names, validity: { issuedAt, expiresAt } }),
    expiresAt,
  };
};

/**
 * Gives access to the events of an account, after it has made its consumer, if that is not there. Two groups of an account read
 * independently of each other; those with the credentials of one group share its events.
 */
export const giveHubAccess = async (options: HubAccessOptions, wanted: WantedAccess): Promise<HubAccess> => {
  const access = hubAccessOf(options, wanted);
  const hub = await openHub(options);
  try {
    await hub.ready();
    await hub.makeConsumer(wanted.accountId, access.consumer);
  } finally {
    await hub.close();
  }
  return access;
};
